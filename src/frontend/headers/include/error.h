/* Error messages, glibc's way. */
#ifndef _ERROR_H
#define _ERROR_H

void error(int status, int number, const char *format, ...);

#endif
