/* C11 7.2: a failing assertion calls __assert_fail, which the verifier knows. May be included again with another
   NDEBUG, hence no include guard around the macro. */
#undef assert
#undef assert_perror

#ifdef NDEBUG
#define assert(expression) ((void)0)
#define assert_perror(number) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#define assert_perror(number) ((number) == 0 ? (void)0 : __assert_perror_fail(number, __FILE__, __LINE__, __func__))
#endif

#ifndef _ASSERT_H
#define _ASSERT_H

#define static_assert _Static_assert

_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function);
_Noreturn void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function);
_Noreturn void __assert(const char *assertion, const char *file, int line);

#endif
