// lazuli: expect safe; unwind 2; rounds 3
// Others may use a thread's variables while it runs, also those of main, which ends alone once they have been used.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

_Thread_local int mine;
int *where;
sem_t is_there, is_read, is_over;

void *lend(void *unused) {
  mine = 7;
  where = &mine;
  sem_post(&is_there);
  sem_wait(&is_read);
  return unused;
}

void *borrow(void *of_main) {
  sem_wait(&is_there);
  assert(*where == 7 && *(int *)of_main == 3);
  sem_post(&is_read);
  sem_post(&is_over);
  return 0;
}

int main(void) {
  pthread_t lender, borrower;
  int number = 3;
  sem_init(&is_there, 0, 0);
  sem_init(&is_read, 0, 0);
  sem_init(&is_over, 0, 0);
  pthread_create(&lender, 0, lend, 0);
  pthread_create(&borrower, 0, borrow, &number);
  sem_wait(&is_over);
  pthread_exit(0);
}
