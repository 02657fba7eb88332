/* The primitives on which the model library is written. They have no body: the verifier and the sequentializer know
   them by name.

   How the models are written. The front end appends to a program the models of the functions that it uses and does not
   define, and what these need in turn (see model-library.ts), after its own text, so that the program's types are
   visible: pthread_mutex_t may be ours or glibc's. Hence a model
   - has the very type that glibc declares for the function;
   - keeps the state of a synchronization object in 4-byte words at fixed places of it, never by a member's name, and
     takes an object of zeros as what a static initializer makes;
   - uses no header: numbers come from constants.h, types from the compiler's macros or from the program;
   - is a function that starts at the left margin and ends with a brace there;
   - does with the memory that others see as little as possible, in one atomic section, and waits by an assumption in
     it.
   A line that starts with __LAZULI_WHEN(f) is dropped unless the model of f is linked too. */
#ifndef _LAZULI_PRIMITIVES_H
#define _LAZULI_PRIMITIVES_H

#define __LAZULI_WHEN(name)

/* The calling thread: 0 is main, then 1, 2, ... in the order of creation. */
unsigned int __lazuli_self(void);
/* Creates a thread that runs __lazuli_thread_entry(start, argument); gives its number. */
unsigned int __lazuli_spawn(void *(*start)(void *), void *argument);
/* Ends the calling thread at once. */
_Noreturn void __lazuli_end_thread(void);
/* Ends the whole program. */
_Noreturn void __lazuli_halt(void);

/* What lies between is one step; where an assumption in it is false, the step cannot be taken now. */
void __lazuli_atomic_begin(void);
void __lazuli_atomic_end(void);
/* Orders what comes before and after, as atomic_thread_fence does; the order is a number of __ATOMIC_*. */
void __lazuli_fence(int order);
void __lazuli_assume(int condition);
/* A violation of the named check where the condition is false. The check "unsupported" stands for what the models
   leave out: reaching it makes the verdict unknown, not unsafe. */
void __lazuli_assert(int condition, const char *check, const char *message);

void *__lazuli_allocate(__SIZE_TYPE__ size, int zeroed);
/* Frees what __lazuli_allocate gave; checks that it did, and that it was not freed before. */
void __lazuli_free(void *memory);
/* The size in bytes of the object that a pointer points into. */
__SIZE_TYPE__ __lazuli_object_size(const void *memory);

/* Ends the program with the check "unsupported"; a macro, so that the message is known. */
#define __lazuli_unsupported(message) (__lazuli_assert(0, "unsupported", message), __lazuli_halt())

/* Returns the value of a call that takes the arguments behind `last`, the last parameter with a name, as
   `arguments`. */
#define __LAZULI_RETURN_WITH_ARGUMENTS(last, call) __builtin_va_list arguments; __builtin_va_start(arguments, last); int result = call; __builtin_va_end(arguments); return result

unsigned char __lazuli_nondet_bool(void);
signed char __lazuli_nondet_schar(void);
unsigned char __lazuli_nondet_uchar(void);
short __lazuli_nondet_short(void);
unsigned short __lazuli_nondet_ushort(void);
int __lazuli_nondet_int(void);
unsigned int __lazuli_nondet_uint(void);
long __lazuli_nondet_long(void);
unsigned long __lazuli_nondet_ulong(void);
long long __lazuli_nondet_longlong(void);
unsigned long long __lazuli_nondet_ulonglong(void);
float __lazuli_nondet_float(void);
double __lazuli_nondet_double(void);

#endif
