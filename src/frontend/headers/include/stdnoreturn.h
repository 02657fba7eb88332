/* C11 7.23: functions that do not return. */
#ifndef _STDNORETURN_H
#define _STDNORETURN_H

#define noreturn _Noreturn

#endif
