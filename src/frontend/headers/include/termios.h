/* POSIX: terminals. */
#ifndef _TERMIOS_H
#define _TERMIOS_H

#include <sys/types.h>

typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;

#define NCCS 32

struct termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_line;
  cc_t c_cc[NCCS];
  speed_t c_ispeed;
  speed_t c_ospeed;
};

#define B0 0
#define CS5 0
#define TCIFLUSH 0
#define TCOOFF 0
#define TCSANOW 0
#define VINTR 0
#define B50 1
#define IGNBRK 1
#define ISIG 1
#define OPOST 1
#define TCOFLUSH 1
#define TCOON 1
#define TCSADRAIN 1
#define VQUIT 1
#define B75 2
#define BRKINT 2
#define ICANON 2
#define TCIOFF 2
#define TCIOFLUSH 2
#define TCSAFLUSH 2
#define VERASE 2
#define B110 3
#define TCION 3
#define VKILL 3
#define B134 4
#define IGNPAR 4
#define ONLCR 4
#define VEOF 4
#define B150 5
#define VTIME 5
#define B200 6
#define VMIN 6
#define B300 7
#define VSWTC 7
#define B600 8
#define ECHO 8
#define OCRNL 8
#define PARMRK 8
#define VSTART 8
#define B1200 9
#define VSTOP 9
#define B1800 10
#define VSUSP 10
#define B2400 11
#define VEOL 11
#define B4800 12
#define VREPRINT 12
#define B9600 13
#define VDISCARD 13
#define B19200 14
#define VWERASE 14
#define B38400 15
#define VLNEXT 15
#define CS6 16
#define ECHOE 16
#define INPCK 16
#define ONOCR 16
#define VEOL2 16
#define CS7 32
#define ECHOK 32
#define ISTRIP 32
#define ONLRET 32
#define CS8 48
#define CSIZE 48
#define CSTOPB 64
#define ECHONL 64
#define INLCR 64
#define CREAD 128
#define IGNCR 128
#define NOFLSH 128
#define ICRNL 0x100
#define PARENB 0x100
#define TOSTOP 0x100
#define ECHOCTL 0x200
#define PARODD 0x200
#define HUPCL 0x400
#define IXON 0x400
#define CLOCAL 0x800
#define ECHOKE 0x800
#define IXANY 0x800
#define IXOFF 0x1000
#define B57600 0x1001
#define B115200 0x1002
#define B230400 4099
#define B460800 0x1004
#define B500000 4101
#define B576000 4102
#define B921600 4103
#define B1000000 0x1008
#define B1152000 4105
#define B1500000 4106
#define B2000000 4107
#define B2500000 4108
#define B3000000 4109
#define B3500000 4110
#define B4000000 4111
#define IMAXBEL 0x2000
#define IUTF8 0x4000
#define IEXTEN 0x8000
#define CRTSCTS 0x80000000
int tcgetattr(int file, struct termios *state);
int tcsetattr(int file, int when, const struct termios *state);
int tcsendbreak(int file, int duration);
int tcdrain(int file);
int tcflush(int file, int queue);
int tcflow(int file, int action);
speed_t cfgetispeed(const struct termios *state);
speed_t cfgetospeed(const struct termios *state);
int cfsetispeed(struct termios *state, speed_t speed);
int cfsetospeed(struct termios *state, speed_t speed);
int cfsetspeed(struct termios *state, speed_t speed);
void cfmakeraw(struct termios *state);

#endif
