// One error in each function; nothing follows from it.
typedef unsigned long size_t;
typedef struct node { int value; struct node *next; } node_t;
int missing_semicolon(void) { int a = 1 return a; }
int missing_parenthesis(int a) { if (a { return 1; } return (a + 1; }
int misspelled(void) { sizet n = 1; nodet *p; return n; }
int type_as_value(void) { return size_t + 1; }
int empty_operand(int a) { a = a * ; return a[]; }
int bad_member(node_t *p) { return p->; }
int keyword_as_name(void) { int return = 1; return 0; }
int stray_else(int a) { else a = 1; return a; }
int body_is_declaration(int a) { if (a) int b = 1; return a; }
int case_without_colon(int a) { switch (a) { case 1 return 2; default: return 3; } }
int unknown_cast(void *p) { return (unknown_t *)p != 0; }
int names_only(a, b), (*pointer)(a), takes(int (*)(a)); struct f { int (*member)(a); };
struct s { int x int y; undefined_t z; int w, ; };
enum e { A B, C = };
long float impossible;
int long static typedef twice;
signed unsigned both;
int array[3;
int list[] = { 1, 2 3 };
_Decimal64 unsupported;
int for_header(int a) { for (a = 0, a < 3; a++) { a; } return a; }
int do_without_while(int a) { do { a++; } return a; }
int fine(void) { return 0; }
}
int unclosed(void) {
  if (1) {
    return 1;
