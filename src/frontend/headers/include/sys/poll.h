/* Another name of poll.h. */
#include <poll.h>
