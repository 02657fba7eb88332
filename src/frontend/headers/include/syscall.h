/* Another name of syscall.h. */
#include <sys/syscall.h>
