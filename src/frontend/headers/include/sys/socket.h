/* POSIX: sockets, the common part. */
#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H

#include <sys/types.h>

typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;

struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNIX AF_UNIX
#define PF_INET AF_INET
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_KEEPALIVE 9
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000

int socket(int family, int type, int protocol);
int socketpair(int family, int type, int protocol, int files[2]);
int bind(int file, const struct sockaddr *address, socklen_t size);
int listen(int file, int backlog);
int accept(int file, struct sockaddr *restrict address, socklen_t *restrict size);
int connect(int file, const struct sockaddr *address, socklen_t size);
int shutdown(int file, int how);
int getsockopt(int file, int level, int option, void *restrict value, socklen_t *restrict size);
int setsockopt(int file, int level, int option, const void *value, socklen_t size);
ssize_t send(int file, const void *data, size_t size, int flags);
ssize_t recv(int file, void *data, size_t size, int flags);
ssize_t sendto(int file, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t address_size);
ssize_t recvfrom(int file, void *restrict data, size_t size, int flags, struct sockaddr *restrict address,
                 socklen_t *restrict address_size);

#endif
