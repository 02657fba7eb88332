// One program a line: what is wrong with statements, or only doubtful.
void g(void){ break; }
void g(void){ continue; }
void g(int x){ switch(x) { continue; } }
void g(int x){ case 1: ; }
void g(int x){ default: ; }
void g(int x){ switch(x) { case 1: case 1: ; } }
void g(int x){ switch(x) { case 1 ... 5: case 3: ; } }
void g(int x){ switch(x) { case x: ; } }
void g(int x){ switch(x) { default: default: ; } }
void g(double x){ switch(x) { default: ; } }
void g(int x){ goto L; }
void g(int x){ L: L: ; }
void g(int x){ { __label__ L; goto L; L: ; } { __label__ L; L: goto L; } }
