// C text for programs that really run: `noise()` delays a thread at random, by the seed in LAZULI_NOISE, and a run that
// waits for ever ends.

export interface Noise {
  /** One of so many calls lets others run, and one sleeps. */
  readonly chances: number;
  readonly longestUs: number;
  /** Of the whole run. */
  readonly limitMs: number;
}

/** Begins the program; what follows may `draw()` numbers. */
export function noiseHarness({ chances, longestUs, limitMs }: Noise): string {
  const [seconds, us] = [Math.floor(limitMs / 1000), (limitMs % 1000) * 1000];
  return `#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static unsigned seed;
static __thread unsigned state;
static unsigned draw(void) {
  if (state == 0) state = seed * 2654435761u + (unsigned)gettid() * 40503u + 1;
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}
void noise(void) {
  switch (draw() % ${chances}) {
    case 0: sched_yield(); break;
    case 1: usleep(20 + draw() % ${longestUs}); break;
  }
}
__attribute__((constructor)) static void begin(void) {
  struct itimerval limit = { { 0, 0 }, { ${seconds}, ${us} } };
  setitimer(ITIMER_REAL, &limit, 0);
  seed = atoi(getenv("LAZULI_NOISE"));
}
`;
}
