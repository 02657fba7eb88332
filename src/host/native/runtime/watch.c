/* The watch over a program that is led by a plan: it notices when nobody gets on, and when the plan has been followed
   and the program neither fails nor ends; and what happens at the beginning and at the end of the program. */
#include "runtime.h"

#include <stdio.h>
#include <unistd.h>

#define TICKS_PER_SECOND 20
static const struct timespec tick = {0, 1000 * 1000 * 1000 / TICKS_PER_SECOND};

/* So long nobody gets on before an event counts as left out by the program; so many may be. */
#define STILL_TICKS 20
#define STILL_TICKS_OWN 3
#define MOST_MISSING 100

static int missing;

static void give_up(void) {
  const struct lazuli_event *event = &lazuli_events[first_left];
  tell("stuck before thread %d, line %d (%d of %d passed)", event->thread, event->line, passed, lazuli_event_count);
  _exit(86);
}

static void *watch(void *unused) {
  (void)unused;
  long seen = -1;
  int still = 0, after = 0, all = 0;
  for (;;) {
    __real_nanosleep(&tick, 0);
    lock_runtime();
    still = progress == seen ? still + 1 : 0;
    seen = progress;
    int is_done = is_finished();
    after = is_done ? after + 1 : 0;
    all = is_over && live_count > 0 && blocked_count >= live_count && still > 0 ? all + 1 : 0;
    if (is_done && after == 2 * TICKS_PER_SECOND) is_over = 1, wake_all();
    if (!is_done && still > (is_own_left() ? STILL_TICKS_OWN : STILL_TICKS) && missing < MOST_MISSING)
      missing++, still = 0, skip_first_left();
    unlock_runtime();
    if (all > TICKS_PER_SECOND / 2) {
      tell("deadlock");
      fprintf(stderr, "all %d threads wait\n", live_count);
      _exit(87);
    }
    if (!is_done && still > TICKS_PER_SECOND * lazuli_patience_seconds) give_up();
    if (after > TICKS_PER_SECOND * (lazuli_is_deadlock ? 5 : 2 * lazuli_patience_seconds)) {
      tell("runs on");
      _exit(88);
    }
  }
}

__attribute__((constructor)) static void begin(void) {
  pthread_t watcher;
  begin_turns();
  prepare_threads();
  __real_pthread_create(&watcher, 0, watch, 0);
  is_started = 1;
  if (lazuli_event_count == 0) finish();
}

/* The end of main is that of all, and comes when everybody has played his part, the one who breaks the property, too. */
__attribute__((destructor)) static void end(void) {
  lock_runtime();
  if (self >= 0) end_part();
  let_others();
  blocked_count++;
  int is_beside = lazuli_violator > 0 && self != lazuli_violator;
  for (int ticks = 0; !is_finished() || (is_beside && !is_over) || (lazuli_is_deadlock && ticks < 30); ticks++) {
    if (is_finished()) is_over = 1, wake_all();
    unlock_runtime();
    __real_nanosleep(&tick, 0);
    lock_runtime();
  }
  unlock_runtime();
  tell("exit");
}
