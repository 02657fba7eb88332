/* Options of TCP sockets. */
#ifndef _NETINET_TCP_H
#define _NETINET_TCP_H

#define TCP_NODELAY 1

#endif
