// lazuli: expect safe; unwind 4; rounds 2
/* What is turned into the order of the network and back is what it was; a file that was opened is not null. */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned int packet;
static unsigned short port;

static void *send_it(void *number) {
  packet = htonl(*(unsigned int *)number);
  port = htons(0x1f90);
  return 0;
}

int main(void) {
  pthread_t sender;
  unsigned int number = __VERIFIER_nondet_uint();
  FILE *log = fopen("log", "a");
  if (!log) return 1;
  pthread_create(&sender, 0, send_it, &number);
  pthread_join(sender, 0);
  assert(ntohl(packet) == number);
  assert(port == 0x901f);
  fclose(log);
  return 0;
}
