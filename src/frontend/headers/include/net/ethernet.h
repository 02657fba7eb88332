/* Frames of Ethernet. */
#ifndef _NET_ETHERNET_H
#define _NET_ETHERNET_H

#include <stdint.h>

#define ETH_P_ALL 3
#define ETHER_ADDR_LEN 6
#define ETH_ALEN 6
#define ETHER_HDR_LEN 14
#define ETH_HLEN 14
#define ETHERTYPE_NTRAILER 16
#define ETHERTYPE_PUP 0x200
#define ETHERTYPE_SPRITE 0x500
#define ETH_DATA_LEN 1500
#define ETH_FRAME_LEN 1514
#define ETHERTYPE_IP 0x800
#define ETH_P_IP 0x800
#define ETHERTYPE_ARP 2054
#define ETH_P_ARP 2054
#define ETHERTYPE_TRAIL 0x1000
#define ETHERTYPE_REVARP 32821
#define ETHERTYPE_AT 32923
#define ETHERTYPE_AARP 33011
#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_IPX 33079
#define ETHERTYPE_IPV6 34525
#define ETH_P_IPV6 34525
#define ETHERTYPE_LOOPBACK 0x9000
struct ether_addr {
  uint8_t ether_addr_octet[6];
};

struct ether_header {
  uint8_t ether_dhost[6];
  uint8_t ether_shost[6];
  uint16_t ether_type;
} __attribute__((packed));

#endif
