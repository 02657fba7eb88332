// Structs, unions, enums, bit-fields, anonymous members, packing.
struct empty {};
struct incomplete;
struct list {
  struct list *next, **others;
  union {
    int i;
    float f;
    struct { int x, y; } point;
  };
  const struct { char c; };
  unsigned flag : 1, : 0, rest : sizeof(int) * 2;
  int : 3;;
  __extension__ long long wide;
  _Static_assert(sizeof(int) == 4, "int has four bytes");
  int tail[];
} head, *other = &head;
struct __attribute__((packed)) packed { char c; int i __attribute__((aligned(2))); } __attribute__((aligned(4)));
enum colour { RED, GREEN = 5, BLUE = GREEN + 1, LAST __attribute__((deprecated)) = -1, };
enum colour favourite;
enum { ANONYMOUS } e;
#pragma pack(push, 2)
struct two { char c; int i; };
#pragma pack(1)
struct one { char c; int i; };
#pragma pack(pop)
struct natural { char c; int i; };
union u { int i; char bytes[sizeof(int)]; } __attribute__((transparent_union));
