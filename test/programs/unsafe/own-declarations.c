// lazuli: expect unsafe; unwind 1; rounds 2; LP64
//
// Library functions in the program's own words, as simple headers and tools for C write them, with types that the C library
// has otherwise or not at all; and a function with assembly that nobody calls.

extern int pthread_create(unsigned long *, void const *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void *);
extern void *malloc(unsigned int);
extern void *memset(char *, int, unsigned int);
extern void __VERIFIER_assert(int);
extern int printf(char *, ...);

void full_fence(void) { asm volatile("dmb ish" ::: "memory"); }
void halt(void) { asm volatile("cli; hlt"); }

int *shared;

void *twice(void *argument) {
  full_fence();
  *shared *= 2;
  return argument;
}

int main(void) {
  unsigned long thread;
  shared = malloc(sizeof(int));
  memset((char *)shared, 0, sizeof(int));
  pthread_create(&thread, 0, twice, 0);
  *shared += 1;
  pthread_join(thread, 0);
  printf("%d\n", *shared);
  __VERIFIER_assert(*shared == 2);
  return 0;
}
