/* The internet protocol. */
#ifndef _NETINET_IP_H
#define _NETINET_IP_H

#include <netinet/in.h>

#define IPTOS_RELIABILITY 4
#define IPTOS_THROUGHPUT 8
#define IPTOS_LOWDELAY 16
#define IPTOS_TOS_MASK 30

#endif
