/* Message queues of System V. */
#ifndef _SYS_MSG_H
#define _SYS_MSG_H

#include <lazuli/time-structures.h>
#include <sys/ipc.h>

#define MSG_NOERROR 010000

struct msqid_ds;

int msgget(key_t key, int flags);
int msgsnd(int id, const void *message, size_t size, int flags);
ssize_t msgrcv(int id, void *message, size_t size, long type, int flags);
int msgctl(int id, int command, struct msqid_ds *buffer);

#endif
