/* POSIX: message queues. */
#ifndef _MQUEUE_H
#define _MQUEUE_H

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>

typedef int mqd_t;

struct mq_attr {
  long mq_flags;
  long mq_maxmsg;
  long mq_msgsize;
  long mq_curmsgs;
  long __pad[4];
};

mqd_t mq_open(const char *name, int flags, ...);
int mq_close(mqd_t queue);
int mq_unlink(const char *name);
int mq_send(mqd_t queue, const char *data, size_t size, unsigned int priority);
ssize_t mq_receive(mqd_t queue, char *data, size_t size, unsigned int *priority);
int mq_timedsend(mqd_t queue, const char *data, size_t size, unsigned int priority, const struct timespec *deadline);
ssize_t mq_timedreceive(mqd_t queue, char *restrict data, size_t size, unsigned int *restrict priority,
                        const struct timespec *restrict deadline);
int mq_getattr(mqd_t queue, struct mq_attr *attributes);
int mq_setattr(mqd_t queue, const struct mq_attr *restrict attributes, struct mq_attr *restrict old);

#endif
