// Small multi-threaded programs for tests of the road to a backend.

import { readFileSync } from 'node:fs';

/** Two threads increment without a lock; an update can be lost. */
export const lostUpdate = `#include <assert.h>
#include <pthread.h>

int counter;

void *add(void *argument) {
  int seen = counter;
  counter = seen + 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
`;

/** The same with a lock: correct. */
export const locked = lostUpdate
  .replace('int counter;', 'int counter;\npthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;')
  .replace('  int seen', '  pthread_mutex_lock(&lock);\n  int seen')
  .replace('  return 0;', '  pthread_mutex_unlock(&lock);\n  return 0;');

/** Fails for one input only, in one order of the threads only. */
export const secretInput = `extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#include <assert.h>
#include <pthread.h>

int box, offset = 3;

void *put(void *argument) {
  box = __VERIFIER_nondet_int() + offset;
  return 0;
}

void *move(void *argument) {
  unsigned char by = __VERIFIER_nondet_uchar();
  offset = by;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, put, 0);
  pthread_create(&second, 0, move, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(box != -12345 || offset != 200);
  return 0;
}
`;

/** Heap, structures, loops, function pointers, conditions, short-circuit operators, several widths. */
export const manyFeatures = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node { long key; struct node *next; unsigned char tag[3]; };
typedef int (*combine)(int, int);

struct node *head;
short total;
_Bool ready;
double weight = 1.5;
pthread_mutex_t lock;
pthread_cond_t filled;

static int plus(int a, int b) { return a + b; }
static int times(int a, int b) { return a * b; }
static combine table[2] = { plus, times };

void *produce(void *argument) {
  for (int i = 0; i < 2; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    memset(fresh, 0, sizeof *fresh);
    fresh->key = (long)argument + i;
    pthread_mutex_lock(&lock);
    fresh->next = head;
    head = fresh;
    total += (short)table[i](2, 3);
    ready = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

void *consume(void *argument) {
  pthread_mutex_lock(&lock);
  while (!ready && !head) pthread_cond_wait(&filled, &lock);
  struct node *taken = head;
  head = taken->next;
  weight = weight * 2 > 2.0 ? weight / 2 : weight;
  pthread_mutex_unlock(&lock);
  assert(taken->key >= 7 || taken->tag[1] == 0);
  free(taken);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutex_init(&lock, 0);
  pthread_cond_init(&filled, 0);
  pthread_create(&threads[0], 0, produce, (void *)7);
  pthread_create(&threads[1], 0, consume, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(total <= 11);
  return 0;
}
`;

/**
 * Functions of several types whose addresses meet: start routines, a destructor, an initializer. And attributes of a
 * thread.
 */
export const handlers = `
#include <pthread.h>
#include <threads.h>
#include <assert.h>
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int started, ended;
static void start(void) { started++; }
static void end(void *value) { ended += *(int *)value; }
static int work(void *unused) {
  (void)unused;
  call_once(&once, start);
  tss_set(key, &started);
  thrd_exit(3);
}
static void *idle(void *argument) { return argument; }
int main(void) {
  thrd_t thread;
  pthread_t other;
  pthread_attr_t attributes;
  int result;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&other, &attributes, idle, 0);
  tss_create(&key, end);
  thrd_create(&thread, work, 0);
  thrd_join(thread, &result);
  assert(result == 3 && started == 1 && ended == 1);
  return 0;
}
`;

/** Memory that grows, arrays of variable length, cleanups, lists of arguments in records, jumps back into blocks. */
export const lessCommon = readFileSync(new URL('../programs/safe/less-common.c', import.meta.url), 'utf8');
