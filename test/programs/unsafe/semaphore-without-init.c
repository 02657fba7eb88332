// lazuli: expect unsafe; unwind 1; rounds 1
// There is no static initializer for semaphores: zeros are none.
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
  sem_post(&semaphore);
  sem_wait(&semaphore);
  return 0;
}
