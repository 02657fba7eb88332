/* POSIX: patterns of names. */
#ifndef _FNMATCH_H
#define _FNMATCH_H

#define FNM_NOMATCH 1
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_CASEFOLD 16
#define FNM_EXTMATCH 32
int fnmatch(const char *pattern, const char *text, int flags);

#endif
