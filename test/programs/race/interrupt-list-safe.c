// lazuli: expect safe; unwind 3; rounds 2
// A list around its head that a spin lock guards, and the counter beside it.
#include <pthread.h>
#include <stdlib.h>
struct list_head { struct list_head *next, *prev; };
#define INIT_LIST_HEAD(p) do { (p)->next = (p); (p)->prev = (p); } while (0)
#define list_entry(ptr, type, member) ({ \
  const typeof(((type *)0)->member) *__mptr = (ptr); \
  (type *)((char *)__mptr - __builtin_offsetof(type, member)); })
#define list_for_each_entry(pos, head, member) \
  for (pos = list_entry((head)->next, typeof(*pos), member); &pos->member != (head); \
       pos = list_entry(pos->member.next, typeof(*pos), member))
static inline void __list_add(struct list_head *n, struct list_head *prev, struct list_head *next) {
  next->prev = n;
  n->next = next;
  n->prev = prev;
  prev->next = n;
}
static inline void list_add_tail(struct list_head *n, struct list_head *head) { __list_add(n, head->prev, head); }
struct request { int id; struct list_head queue; };
struct dev { pthread_spinlock_t lock; struct list_head requests; unsigned pending; int (*irq)(struct dev *); };
static struct dev d;
static int irq_handler(struct dev *dev) {
  struct request *r; int n = 0;
  pthread_spin_lock(&dev->lock);
  list_for_each_entry(r, &dev->requests, queue) n += r->id;
  dev->pending = 0;
  pthread_spin_unlock(&dev->lock);
  return n;
}
static void submit(struct dev *dev, int id) {
  struct request *r = malloc(sizeof *r);
  if (!r) return;
  r->id = id;
  pthread_spin_lock(&dev->lock);
  list_add_tail(&r->queue, &dev->requests);
  dev->pending++;
  pthread_spin_unlock(&dev->lock);
}
static void *irq_thread(void *a) { struct dev *dev = a; dev->irq(dev); return 0; }
static void *submit_thread(void *a) { submit(a, 1); submit(a, 2); return 0; }
int main(void) {
  pthread_t t1, t2;
  pthread_spin_init(&d.lock, 0);
  INIT_LIST_HEAD(&d.requests);
  d.irq = irq_handler;
  pthread_create(&t1, 0, irq_thread, &d);
  pthread_create(&t2, 0, submit_thread, &d);
  pthread_join(t1, 0); pthread_join(t2, 0);
  return 0;
}
