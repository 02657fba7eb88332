/* Semaphores of System V. */
#ifndef _SYS_SEM_H
#define _SYS_SEM_H

#include <lazuli/time-structures.h>
#include <sys/ipc.h>

struct sembuf {
  unsigned short sem_num;
  short sem_op;
  short sem_flg;
};

#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define GETNCNT 14
#define GETZCNT 15
#define SETVAL 16
#define SETALL 17
#define SEM_UNDO 0x1000
int semget(key_t key, int count, int flags);
int semop(int id, struct sembuf *operations, size_t count);
int semctl(int id, int number, int command, ...);

#endif
