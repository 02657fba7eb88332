/* Names of hosts, the common part. */
#ifndef _NETDB_H
#define _NETDB_H

#include <netinet/in.h>

struct hostent {
  char *h_name;
  char **h_aliases;
  int h_addrtype;
  int h_length;
  char **h_addr_list;
};
#define h_addr h_addr_list[0]

struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};

#define AI_PASSIVE 1

struct hostent *gethostbyname(const char *name);
int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result);
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int number);

struct servent {
  char *s_name;
  char **s_aliases;
  int s_port;
  char *s_proto;
};

struct protoent {
  char *p_name;
  char **p_aliases;
  int p_proto;
};

#define EAI_INTR (-104)
#define EAI_ALLDONE (-103)
#define EAI_NOTCANCELED (-102)
#define EAI_CANCELED (-101)
#define EAI_INPROGRESS (-100)
#define EAI_OVERFLOW (-12)
#define EAI_SYSTEM (-11)
#define EAI_MEMORY (-10)
#define EAI_ADDRFAMILY (-9)
#define EAI_SERVICE (-8)
#define EAI_SOCKTYPE (-7)
#define EAI_FAMILY (-6)
#define EAI_NODATA (-5)
#define EAI_FAIL (-4)
#define EAI_AGAIN (-3)
#define EAI_NONAME (-2)
#define EAI_BADFLAGS (-1)
#define HOST_NOT_FOUND 1
#define NI_NUMERICHOST 1
#define AI_CANONNAME 2
#define NI_NUMERICSERV 2
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define AI_NUMERICHOST 4
#define NI_NOFQDN 4
#define NO_ADDRESS 4
#define NO_DATA 4
#define AI_V4MAPPED 8
#define NI_NAMEREQD 8
#define AI_ALL 16
#define NI_DGRAM 16
#define AI_ADDRCONFIG 32
#define NI_IDN 32
#define NI_MAXSERV 32
#define AI_IDN 64
#define AI_CANONIDN 128
#define AI_NUMERICSERV 0x400
#define NI_MAXHOST 0x401
extern int h_errno;

struct hostent *gethostbyaddr(const void *address, socklen_t size, int family);
int gethostbyname_r(const char *restrict name, struct hostent *restrict entry, char *restrict buffer, size_t size,
                    struct hostent **restrict result, int *restrict error);
int getnameinfo(const struct sockaddr *restrict address, socklen_t size, char *restrict host, socklen_t host_size,
                char *restrict service, socklen_t service_size, int flags);
struct servent *getservbyname(const char *name, const char *protocol);
struct servent *getservbyport(int port, const char *protocol);
struct protoent *getprotobyname(const char *name);
struct protoent *getprotobynumber(int number);
const char *hstrerror(int number);
void herror(const char *text);

#endif
