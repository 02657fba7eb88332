/* Control of devices. */
#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H

struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};

#define TCGETS 21505
#define TCSETS 21506
#define TCSETSW 21507
#define TCSETSF 21508
#define TIOCEXCL 21516
#define TIOCNXCL 21517
#define TIOCSCTTY 21518
#define TIOCGPGRP 21519
#define TIOCSPGRP 21520
#define TIOCOUTQ 21521
#define TIOCSTI 21522
#define TIOCGWINSZ 21523
#define TIOCSWINSZ 21524
#define TIOCMGET 21525
#define TIOCMBIS 21526
#define TIOCMBIC 21527
#define TIOCMSET 21528
#define TIOCGSOFTCAR 21529
#define TIOCSSOFTCAR 21530
#define FIONREAD 21531
#define TIOCINQ 21531
#define TIOCLINUX 21532
#define TIOCCONS 21533
#define TIOCGSERIAL 21534
#define TIOCSSERIAL 21535
#define TIOCPKT 21536
#define FIONBIO 21537
#define TIOCNOTTY 21538
#define TIOCSETD 21539
#define TIOCGETD 21540
#define TIOCSBRK 21543
#define TIOCCBRK 21544
#define TIOCGSID 21545
#define TIOCVHANGUP 21559
#define TIOCGPTPEER 21569
#define FIONCLEX 21584
#define FIOCLEX 21585
#define FIOASYNC 21586
#define TIOCSERCONFIG 21587
#define TIOCSERGWILD 21588
#define TIOCSERSWILD 21589
#define TIOCGLCKTRMIOS 21590
#define TIOCSLCKTRMIOS 21591
#define TIOCSERGSTRUCT 21592
#define TIOCSERGETLSR 21593
#define TIOCSERGETMULTI 21594
#define TIOCSERSETMULTI 21595
#define TIOCMIWAIT 21596
#define TIOCGICOUNT 21597
#define SIOCGIFNAME 35088
#define SIOCSIFLINK 35089
#define SIOCGIFCONF 35090
#define SIOCGIFFLAGS 35091
#define SIOCSIFFLAGS 35092
#define SIOCGIFADDR 35093
#define SIOCSIFADDR 35094
#define SIOCGIFDSTADDR 35095
#define SIOCSIFDSTADDR 35096
#define SIOCGIFBRDADDR 35097
#define SIOCSIFBRDADDR 35098
#define SIOCGIFNETMASK 35099
#define SIOCSIFNETMASK 35100
#define SIOCGIFMETRIC 35101
#define SIOCSIFMETRIC 35102
#define SIOCGIFMEM 35103
#define SIOCSIFMEM 35104
#define SIOCGIFMTU 35105
#define SIOCSIFMTU 35106
#define SIOCSIFNAME 35107
#define SIOCSIFHWADDR 35108
#define SIOCGIFENCAP 35109
#define SIOCSIFENCAP 35110
#define SIOCGIFHWADDR 35111
#define SIOCGIFSLAVE 35113
#define SIOCSIFSLAVE 35120
#define SIOCGIFINDEX 35123
#define SIOCSIFPFLAGS 35124
#define SIOCGIFPFLAGS 35125
#define SIOCSIFHWBROADCAST 35127
#define SIOCGIFCOUNT 35128
#define SIOCGIFBR 35136
#define SIOCSIFBR 35137
#define SIOCGIFTXQLEN 35138
#define SIOCSIFTXQLEN 35139
#define SIOCGIFMAP 35184
#define SIOCSIFMAP 35185
#define TIOCSPTLCK 1074025521
#define TIOCSIG 1074025526
#define TIOCGPTN 2147767344
#define TIOCGDEV 2147767346
#define TIOCGPKT 2147767352
#define TIOCGPTLCK 2147767353
#define TIOCGEXCL 2147767360
int ioctl(int file, unsigned long request, ...);

#define _IOC(direction, type, number, size) (((direction) << 30) | ((type) << 8) | (number) | ((size) << 16))
#define _IO(type, number) _IOC(0U, (type), (number), 0)
#define _IOW(type, number, argument) _IOC(1U, (type), (number), sizeof(argument))
#define _IOR(type, number, argument) _IOC(2U, (type), (number), sizeof(argument))
#define _IOWR(type, number, argument) _IOC(3U, (type), (number), sizeof(argument))

#endif
