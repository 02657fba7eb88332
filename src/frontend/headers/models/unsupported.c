/* What the library leaves out. An unknown function returns anything, which would be wrong for these: they jump, make
   processes, interrupt threads or write to memory in ways that no model here describes. Calling one ends the program
   with the check "unsupported", which makes the verdict unknown. */
#include "primitives.h"

void longjmp(struct __jmp_buf_tag environment[1], int value) {
  (void)environment;
  (void)value;
  __lazuli_unsupported("longjmp is not modelled");
  __lazuli_halt();
}

void _longjmp(struct __jmp_buf_tag environment[1], int value) {
  (void)environment;
  (void)value;
  __lazuli_unsupported("_longjmp is not modelled");
  __lazuli_halt();
}

void siglongjmp(struct __jmp_buf_tag environment[1], int value) {
  (void)environment;
  (void)value;
  __lazuli_unsupported("siglongjmp is not modelled");
  __lazuli_halt();
}

/* The first return of setjmp is exact; there is no second one, because longjmp is refused. */
int _setjmp(struct __jmp_buf_tag environment[1]) {
  (void)environment;
  return 0;
}

int __sigsetjmp(struct __jmp_buf_tag environment[1], int save_mask) {
  (void)environment;
  (void)save_mask;
  return 0;
}

pid_t fork(void) {
  __lazuli_unsupported("fork is not modelled");
  return 0;
}

pid_t vfork(void) {
  __lazuli_unsupported("vfork is not modelled");
  return 0;
}

int execv(const char *path, char *const arguments[]) {
  (void)path;
  (void)arguments;
  __lazuli_unsupported("execv is not modelled");
  return 0;
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
  (void)path;
  (void)arguments;
  (void)environment;
  __lazuli_unsupported("execve is not modelled");
  return 0;
}

int execvp(const char *file, char *const arguments[]) {
  (void)file;
  (void)arguments;
  __lazuli_unsupported("execvp is not modelled");
  return 0;
}

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  (void)file;
  (void)arguments;
  (void)environment;
  __lazuli_unsupported("execvpe is not modelled");
  return 0;
}

int execl(const char *path, const char *argument, ...) {
  (void)path;
  (void)argument;
  __lazuli_unsupported("execl is not modelled");
  return 0;
}

int execlp(const char *file, const char *argument, ...) {
  (void)file;
  (void)argument;
  __lazuli_unsupported("execlp is not modelled");
  return 0;
}

int execle(const char *path, const char *argument, ...) {
  (void)path;
  (void)argument;
  __lazuli_unsupported("execle is not modelled");
  return 0;
}

int fexecve(int file, char *const arguments[], char *const environment[]) {
  (void)file;
  (void)arguments;
  (void)environment;
  __lazuli_unsupported("fexecve is not modelled");
  return 0;
}

long syscall(long number, ...) {
  (void)number;
  __lazuli_unsupported("syscall is not modelled");
  return 0;
}

int raise(int number) {
  (void)number;
  __lazuli_unsupported("raise is not modelled");
  return 0;
}

int kill(pid_t process, int number) {
  (void)process;
  (void)number;
  __lazuli_unsupported("kill is not modelled");
  return 0;
}

int pthread_kill(pthread_t thread, int number) {
  (void)thread;
  if (number != 0) __lazuli_unsupported("pthread_kill is not modelled");
  return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}
