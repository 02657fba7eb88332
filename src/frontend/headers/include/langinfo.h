/* POSIX: facts about a language. */
#ifndef _LANGINFO_H
#define _LANGINFO_H

typedef int nl_item;

#define CODESET 14
#define RADIXCHAR 0x10000
#define THOUSEP 0x10001
#define D_T_FMT 131112
#define D_FMT 131113
#define T_FMT 131114
#define YESEXPR 0x50000
#define NOEXPR 327681
char *nl_langinfo(nl_item item);

#endif
