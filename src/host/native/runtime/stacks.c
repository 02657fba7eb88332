/* The stacks of the threads: which memory is a thread's own, and which has left its stack. AddressSanitizer knows of
   locals only where it compiles the program itself, which it cannot do beside the hooks; but what lies below the frame
   that a thread is in, or in the stack of one that has ended, is no object any more. Blocks that end inside of their
   function are not seen to end. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

struct stack { char *low, *high, *frame; int is_ended; };
static struct stack stacks[MOST_THREADS];

void begin_stack(int id) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  char *here = __builtin_frame_address(0);
  struct stack stack = {low, (char *)low + size, here, 0};
  /* The main thread's stack grows: only what is near is surely its own. */
  if (id == 0) stack.low = here - 8 * 1024 * 1024 + STACK_SLACK;
  lock_runtime();
  /* Memory of a stack that is no more may serve again. */
  for (int at = 0; at < MOST_THREADS; at++)
    if (stacks[at].is_ended && stacks[at].low < stack.high && stack.low < stacks[at].high)
      stacks[at] = (struct stack){0, 0, 0, 0};
  stacks[id] = stack;
  unlock_runtime();
}

void end_stack(void) { stacks[self].is_ended = 1; }

/* The frame is that of the hook: above it are its return address and, further up, what is alive. */
void note_frame(void *frame) {
  if (self >= 0) stacks[self].frame = (char *)frame + 2 * sizeof(void *);
}

static int is_in(const struct stack *stack, void *address) {
  return (char *)address >= stack->low && (char *)address < stack->high;
}

int is_own(void *address) { return self >= 0 && is_in(&stacks[self], address); }

void require_alive(void *address, void *frame, const struct site *site) {
  note_frame(frame);
  if (!lazuli_watches_locals) return;
  for (int at = 0; at < thread_count; at++) {
    if (!is_in(&stacks[at], address)) continue;
    if (!stacks[at].is_ended && (char *)address >= stacks[at].frame) continue;
    int line = site ? site->line : 0;
    tell("dead local, line %d", line);
    fprintf(stderr, "line %d: the memory belonged to the stack of thread %d, and does no more\n", line, at);
    abort();
  }
}
