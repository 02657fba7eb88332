/* C11 7.13: nonlocal jumps: declared so that programs parse. */
#ifndef _SETJMP_H
#define _SETJMP_H

struct __jmp_buf_tag {
  long __registers[8];
  int __mask_was_saved;
  unsigned long __saved_mask[1024 / (8 * sizeof(unsigned long))];
};
typedef struct __jmp_buf_tag jmp_buf[1];
typedef struct __jmp_buf_tag sigjmp_buf[1];

int setjmp(jmp_buf environment) __attribute__((__returns_twice__));
int _setjmp(struct __jmp_buf_tag environment[1]) __attribute__((__returns_twice__));
int __sigsetjmp(struct __jmp_buf_tag environment[1], int save_mask) __attribute__((__returns_twice__));
_Noreturn void longjmp(struct __jmp_buf_tag environment[1], int value);
_Noreturn void _longjmp(struct __jmp_buf_tag environment[1], int value);
_Noreturn void siglongjmp(sigjmp_buf environment, int value);

#define setjmp(environment) _setjmp(environment)
#define sigsetjmp(environment, save_mask) __sigsetjmp(environment, save_mask)

#endif
