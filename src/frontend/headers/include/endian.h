/* The order of bytes: both data models are little-endian. */
#ifndef _ENDIAN_H
#define _ENDIAN_H

#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define PDP_ENDIAN 3412
#define BYTE_ORDER LITTLE_ENDIAN
#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __PDP_ENDIAN 3412
#define __BYTE_ORDER __LITTLE_ENDIAN

#define htobe16(value) __builtin_bswap16(value)
#define htobe32(value) __builtin_bswap32(value)
#define htobe64(value) __builtin_bswap64(value)
#define be16toh(value) __builtin_bswap16(value)
#define be32toh(value) __builtin_bswap32(value)
#define be64toh(value) __builtin_bswap64(value)
#define htole16(value) ((unsigned short)(value))
#define htole32(value) ((unsigned int)(value))
#define htole64(value) ((unsigned long long)(value))
#define le16toh(value) ((unsigned short)(value))
#define le32toh(value) ((unsigned int)(value))
#define le64toh(value) ((unsigned long long)(value))

#endif
