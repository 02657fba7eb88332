/* Records, enums and variables of many shapes: the golden shows sizes, alignments and offsets on both data models. */
enum colour { RED, GREEN = 5, BLUE };
enum wide { SMALL = -1, LARGE = 0x100000000LL };
typedef struct list { struct list *next; enum colour colour : 2; unsigned flags : 7; long long stamp; } list_t;
struct packed { char tag; int value; double weight; } __attribute__((packed));
union number { char c; short s; int i; long l; double d; long double ld; };
struct outer { struct { short a; char b[3]; }; union { int u; float f; }; int : 0; _Bool ready : 1; char rest[]; };
#pragma pack(push, 2)
struct capped { char c; long long ll; } capped;
#pragma pack(pop)
_Alignas(32) int aligned = 1;
extern int later[];
int later[4];
static list_t *head;
_Thread_local long counter;
int (*table[3])(const char *, ...);
_Atomic(int) atomic;
int sum(int n, const int values[n]) {
  static int calls;
  int copy[n];
  if (n) { list_t local; local.next = head; }
  for (int i = 0; i < n; i++) { long total = i; (void)total; }
  return calls + copy[0] + values[0];
}
