/* Feature macros of the C library: everything is always declared, so there is nothing to select. */
#ifndef _FEATURES_H
#define _FEATURES_H

#ifndef _POSIX_SOURCE
#define _POSIX_SOURCE 1
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#define __THROW
#define __BEGIN_DECLS
#define __END_DECLS

#endif
