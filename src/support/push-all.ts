/**
 * `push(...items)` passes every item on the stack, which overflows at some hundred thousand of them: how many there are
 * is up to the user's program. A rule of the repository (test/repository/style.test.ts) asks for this function instead.
 */

export function pushAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The largest of the numbers, or `least` when none is larger. */
export function largestOf(numbers: Iterable<number>, least = 0): number {
  let largest = least;
  for (const number of numbers) if (number > largest) largest = number;
  return largest;
}
