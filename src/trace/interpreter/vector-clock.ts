/** Vector clocks: by thread, how much of it is known. What is missing is 0. A clock belongs to whoever made it. */

export type VectorClock = number[];

/** Everything that the other clock knows is known from now on. */
export function joinClock(clock: VectorClock, other: readonly number[] | undefined): void {
  if (!other) return;
  for (let thread = 0; thread < other.length; thread++) {
    const time = other[thread] ?? 0;
    if (time > (clock[thread] ?? 0)) clock[thread] = time;
  }
}

/** Whether what the thread did at that time is known. */
export function knows(clock: readonly number[], thread: number, time: number): boolean {
  return time <= (clock[thread] ?? 0);
}
