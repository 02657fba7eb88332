/* Internet addresses, the common part. */
#ifndef _NETINET_IN_H
#define _NETINET_IN_H

#include <stdint.h>
#include <sys/socket.h>

typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;

struct in_addr {
  in_addr_t s_addr;
};

struct sockaddr_in {
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  unsigned char sin_zero[8];
};

#define INADDR_ANY ((in_addr_t)0x00000000)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INET_ADDRSTRLEN 16
#define IPPROTO_IP 0
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17

uint32_t htonl(uint32_t value);
uint16_t htons(uint16_t value);
uint32_t ntohl(uint32_t value);
uint16_t ntohs(uint16_t value);

struct in6_addr {
  union {
    uint8_t __bytes[16];
    uint16_t __halves[8];
    uint32_t __words[4];
  } __in6_u;
};
#define s6_addr __in6_u.__bytes
#define s6_addr16 __in6_u.__halves
#define s6_addr32 __in6_u.__words

struct sockaddr_in6 {
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};

struct ip_mreq {
  struct in_addr imr_multiaddr;
  struct in_addr imr_interface;
};

struct ip_mreqn {
  struct in_addr imr_multiaddr;
  struct in_addr imr_address;
  int imr_ifindex;
};

struct ip_mreq_source {
  struct in_addr imr_multiaddr;
  struct in_addr imr_interface;
  struct in_addr imr_sourceaddr;
};

struct ipv6_mreq {
  struct in6_addr ipv6mr_multiaddr;
  unsigned int ipv6mr_interface;
};

struct in_pktinfo {
  int ipi_ifindex;
  struct in_addr ipi_spec_dst;
  struct in_addr ipi_addr;
};

struct in6_pktinfo {
  struct in6_addr ipi6_addr;
  unsigned int ipi6_ifindex;
};

struct group_source_req {
  uint32_t gsr_interface;
  struct sockaddr_storage gsr_group;
  struct sockaddr_storage gsr_source;
};

extern const struct in6_addr in6addr_any;
extern const struct in6_addr in6addr_loopback;
#define IN6ADDR_ANY_INIT { { { 0 } } }
#define IN6ADDR_LOOPBACK_INIT { { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 } } }
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INET6_ADDRSTRLEN 46
#define IN_MULTICAST(address) (((in_addr_t)(address)&0xf0000000) == 0xe0000000)
#define IN6_IS_ADDR_UNSPECIFIED(a) (!((a)->s6_addr32[0] | (a)->s6_addr32[1] | (a)->s6_addr32[2] | (a)->s6_addr32[3]))
#define IN6_IS_ADDR_LINKLOCAL(a) ((a)->s6_addr[0] == 0xfe && ((a)->s6_addr[1] & 0xc0) == 0x80)
#define IN6_IS_ADDR_MULTICAST(a) ((a)->s6_addr[0] == 0xff)
#define IPV6_PMTUDISC_DONT 0
#define IPV6_RTHDR_LOOSE 0
#define IPV6_RTHDR_TYPE_0 0
#define IP_PMTUDISC_DONT 0
#define MCAST_EXCLUDE 0
#define IPPROTO_ICMP 1
#define IPV6_ADDRFORM 1
#define IPV6_PMTUDISC_WANT 1
#define IPV6_RTHDR_STRICT 1
#define IP_DEFAULT_MULTICAST_LOOP 1
#define IP_DEFAULT_MULTICAST_TTL 1
#define IP_PMTUDISC_WANT 1
#define IP_TOS 1
#define MCAST_INCLUDE 1
#define IPPROTO_IGMP 2
#define IPV6_2292PKTINFO 2
#define IPV6_PMTUDISC_DO 2
#define IP_PMTUDISC_DO 2
#define IP_TTL 2
#define IPV6_2292HOPOPTS 3
#define IPV6_PMTUDISC_PROBE 3
#define IP_HDRINCL 3
#define IP_PMTUDISC_PROBE 3
#define IPV6_2292DSTOPTS 4
#define IPV6_PMTUDISC_INTERFACE 4
#define IP_OPTIONS 4
#define IP_PMTUDISC_INTERFACE 4
#define IPV6_2292RTHDR 5
#define IPV6_PMTUDISC_OMIT 5
#define IP_PMTUDISC_OMIT 5
#define IP_ROUTER_ALERT 5
#define IPV6_2292PKTOPTIONS 6
#define IP_RECVOPTS 6
#define IPV6_CHECKSUM 7
#define IP_RECVRETOPTS 7
#define IP_RETOPTS 7
#define IPV6_2292HOPLIMIT 8
#define IP_PKTINFO 8
#define IPV6_NEXTHOP 9
#define IP_PKTOPTIONS 9
#define IPV6_AUTHHDR 10
#define IP_MTU_DISCOVER 10
#define IP_PMTUDISC 10
#define IP_RECVERR 11
#define IP_RECVTTL 12
#define IP_RECVTOS 13
#define IP_MTU 14
#define IP_FREEBIND 15
#define IPV6_UNICAST_HOPS 16
#define IP_IPSEC_POLICY 16
#define IPV6_MULTICAST_IF 17
#define IP_XFRM_POLICY 17
#define IPV6_MULTICAST_HOPS 18
#define IP_PASSSEC 18
#define IPV6_MULTICAST_LOOP 19
#define IP_TRANSPARENT 19
#define IPV6_ADD_MEMBERSHIP 20
#define IPV6_JOIN_GROUP 20
#define IP_MAX_MEMBERSHIPS 20
#define IP_ORIGDSTADDR 20
#define IP_RECVORIGDSTADDR 20
#define IPV6_DROP_MEMBERSHIP 21
#define IPV6_LEAVE_GROUP 21
#define IP_MINTTL 21
#define IPV6_ROUTER_ALERT 22
#define IP_NODEFRAG 22
#define IPV6_MTU_DISCOVER 23
#define IP_CHECKSUM 23
#define IPV6_MTU 24
#define IP_BIND_ADDRESS_NO_PORT 24
#define IPV6_RECVERR 25
#define IP_RECVFRAGSIZE 25
#define IPV6_V6ONLY 26
#define IPV6_JOIN_ANYCAST 27
#define IPV6_LEAVE_ANYCAST 28
#define IPV6_MULTICAST_ALL 29
#define IPV6_ROUTER_ALERT_ISOLATE 30
#define IPV6_RECVERR_RFC4884 31
#define IP_MULTICAST_IF 32
#define IP_MULTICAST_TTL 33
#define IPV6_IPSEC_POLICY 34
#define IP_MULTICAST_LOOP 34
#define IPV6_XFRM_POLICY 35
#define IP_ADD_MEMBERSHIP 35
#define IPV6_HDRINCL 36
#define IP_DROP_MEMBERSHIP 36
#define IP_UNBLOCK_SOURCE 37
#define IP_BLOCK_SOURCE 38
#define IP_ADD_SOURCE_MEMBERSHIP 39
#define IP_DROP_SOURCE_MEMBERSHIP 40
#define IPPROTO_IPV6 41
#define IP_MSFILTER 41
#define MCAST_JOIN_GROUP 42
#define MCAST_BLOCK_SOURCE 43
#define MCAST_UNBLOCK_SOURCE 44
#define MCAST_LEAVE_GROUP 45
#define MCAST_JOIN_SOURCE_GROUP 46
#define MCAST_LEAVE_SOURCE_GROUP 47
#define MCAST_MSFILTER 48
#define IPV6_RECVPKTINFO 49
#define IP_MULTICAST_ALL 49
#define IPV6_PKTINFO 50
#define IP_UNICAST_IF 50
#define IPV6_RECVHOPLIMIT 51
#define IPV6_HOPLIMIT 52
#define IPV6_RECVHOPOPTS 53
#define IPV6_HOPOPTS 54
#define IPV6_RXHOPOPTS 54
#define IPV6_RTHDRDSTOPTS 55
#define IPV6_RECVRTHDR 56
#define IPV6_RTHDR 57
#define IPPROTO_ICMPV6 58
#define IPV6_RECVDSTOPTS 58
#define IPV6_DSTOPTS 59
#define IPV6_RXDSTOPTS 59
#define IPV6_RECVPATHMTU 60
#define IPV6_PATHMTU 61
#define IPV6_DONTFRAG 62
#define IPV6_RECVTCLASS 66
#define IPV6_TCLASS 67
#define IPV6_AUTOFLOWLABEL 70
#define IPV6_ADDR_PREFERENCES 72
#define IPV6_MINHOPCOUNT 73
#define IPV6_ORIGDSTADDR 74
#define IPV6_RECVORIGDSTADDR 74
#define IPV6_TRANSPARENT 75
#define IPV6_UNICAST_IF 76
#define IPV6_RECVFRAGSIZE 77
#define IPV6_FREEBIND 78
#define IPPROTO_SCTP 132
#define IPPROTO_RAW 255

#endif
