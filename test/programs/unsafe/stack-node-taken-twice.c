// lazuli: expect unsafe; unwind 2; rounds 2
// A stack whose nodes come back to it while somebody still looks at them (ABA).
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error() { assert(0); }
typedef int bool_;
typedef struct Cell Cell;
struct Cell { Cell *pnext; int pdata; };
typedef struct ThreadInfo ThreadInfo;
struct ThreadInfo { unsigned int id; int op; Cell cell; };
typedef struct { Cell *ptop; } SimpleStack;
SimpleStack S;
ThreadInfo *location[3];
int collision;
bool_ cas_top(Cell *old, Cell *new_) { return __sync_bool_compare_and_swap(&S.ptop, old, new_); }
bool_ TryPerformStackOp(ThreadInfo *p) {
  Cell *phead, *pnext;
  if (p->op) {
    phead = S.ptop;
    p->cell.pnext = phead;
    return cas_top(phead, &p->cell);
  }
  phead = S.ptop;
  if (phead == NULL) { p->cell.pdata = -1; return 1; }
  pnext = phead->pnext;
  if (cas_top(phead, pnext)) { p->cell.pdata = phead->pdata; return 1; }
  return 0;
}
void StackOp(ThreadInfo *p) { while (!TryPerformStackOp(p)) ; }
int PushOpen[3], PopOpen[3]; int allocated[3]; int PushDone[3], PopDone[3];
void Push(ThreadInfo *ti, int v) { ti->op = 1; ti->cell.pdata = v; StackOp(ti); }
int Pop(ThreadInfo *ti) { ti->op = 0; StackOp(ti); return ti->cell.pdata; }
ThreadInfo infos[3];
void __VERIFIER_atomic_use(int v) { if (v > 0) { if (allocated[v]) { reach_error(); abort(); } allocated[v] = 1; } }
void *instance(void *arg) {
  int id = (int)(long)arg;
  ThreadInfo *ti = &infos[id];
  ti->id = id;
  Push(ti, id + 1);
  int v = Pop(ti);
  __VERIFIER_atomic_use(v);
  return NULL;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, NULL, instance, (void *)0);
  pthread_create(&b, NULL, instance, (void *)1);
  pthread_join(a, NULL); pthread_join(b, NULL);
  return 0;
}
