// Statements; labels and cases are items of their block.
void f(int a, int b) {
  if (a) b = 1;
  if (a) if (b) a = 1; else a = 2;
  if (a) { a = 1; } else if (b) { a = 2; } else a = 3;
  while (a) a--;
  do a++; while (a < 10);
  do { } while (0);
  for (;;) break;
  for (int i = 0, j = 1; i < j; i++, j--) continue;
  for (a = 0; a < 3; a++) { ; }
  switch (a) {
    int never_initialized;
  case 1:
  case 2:
    b = 1;
    break;
  case 3 ... 5: {
    b = 2;
  }
  default:
    b = 3;
  }
  switch (b) case 1: default: a = 1;
  if (a) here: there: b = 1;
  goto here;
before_declaration:
  ;
  int late = 1;
  { int inner = late; { } }
  return;
at_the_end:
  ;
}
int g(void) { return 1; ; }
