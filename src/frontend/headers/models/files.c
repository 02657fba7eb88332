/* Files and sockets: opening them may fail, what is received is anything. Left to the rule for unknown functions is
   what changes no memory and has a name that programs like to give to functions of their own. */
#include "primitives.h"

static int __lazuli_descriptor_or_failure(void) {
  int result = __lazuli_nondet_int();
  return result < -1 ? -1 : result;
}

static int __lazuli_zero_or_failure(void) {
  return __lazuli_nondet_bool() ? -1 : 0;
}

int close(int file) {
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  (void)file;
  return __lazuli_zero_or_failure();
}

/* All that a program can do with a file is to compare it and to hand it on. */
static char __lazuli_file;

FILE *fopen(const char *restrict path, const char *restrict mode) {
  (void)path;
  (void)mode;
  return __lazuli_nondet_bool() ? (FILE *)0 : (FILE *)&__lazuli_file;
}

int fclose(FILE *file) {
  (void)file;
  return __lazuli_zero_or_failure();
}

int socket(int family, int type, int protocol) {
  (void)family;
  (void)type;
  (void)protocol;
  return __lazuli_descriptor_or_failure();
}

ssize_t recv(int file, void *data, __SIZE_TYPE__ size, int flags) {
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  (void)flags;
  return read(file, data, size);
}

/* The order of the network is that of the largest byte first; the machine's is the other. */
unsigned short htons(unsigned short value) {
  return (unsigned short)(value << 8 | value >> 8);
}

unsigned short ntohs(unsigned short value) {
  return htons(value);
}

unsigned int htonl(unsigned int value) {
  return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

unsigned int ntohl(unsigned int value) {
  return htonl(value);
}
