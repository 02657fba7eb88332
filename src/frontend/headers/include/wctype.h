/* C11 7.30: classes of wide characters. */
#ifndef _WCTYPE_H
#define _WCTYPE_H

#include <wchar.h>

typedef unsigned long wctype_t;

int iswalnum(wint_t character);
int iswalpha(wint_t character);
int iswcntrl(wint_t character);
int iswdigit(wint_t character);
int iswlower(wint_t character);
int iswprint(wint_t character);
int iswpunct(wint_t character);
int iswspace(wint_t character);
int iswupper(wint_t character);
int iswxdigit(wint_t character);
wint_t towlower(wint_t character);
wint_t towupper(wint_t character);

#endif
