// lazuli: expect unsafe; unwind 4; rounds 2
/* The bytes that arrive may be anything, also a length that is too large. */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned char header[2];
static int connection;

static void *receive(void *unused) {
  if (recv(connection, header, sizeof header, 0) != sizeof header) header[0] = 0;
  close(connection);
  return unused;
}

int main(void) {
  pthread_t receiver;
  connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connection < 0) return 1;
  pthread_create(&receiver, 0, receive, 0);
  pthread_join(receiver, 0);
  assert(header[0] <= 1);
  return 0;
}
