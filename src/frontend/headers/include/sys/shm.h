/* Shared memory of System V. */
#ifndef _SYS_SHM_H
#define _SYS_SHM_H

#include <lazuli/time-structures.h>
#include <sys/ipc.h>

typedef unsigned long shmatt_t;

struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
  time_t shm_atime;
  time_t shm_dtime;
  time_t shm_ctime;
  pid_t shm_cpid;
  pid_t shm_lpid;
  shmatt_t shm_nattch;
};

#define SHM_LOCK 11
#define SHM_UNLOCK 12
#define SHM_W 128
#define SHM_R 0x100
#define SHM_HUGETLB 0x800
#define SHM_NORESERVE 0x1000
#define SHM_RDONLY 0x1000
#define SHM_RND 0x2000
#define SHM_REMAP 0x4000
#define SHM_EXEC 0x8000
int shmget(key_t key, size_t size, int flags);
void *shmat(int id, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int id, int command, struct shmid_ds *buffer);

#endif
