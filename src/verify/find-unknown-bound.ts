/**
 * What `--unwindset` names and the program does not have: a bound that is ignored in silence would look like one that
 * was kept.
 */

/** A message for the user about the first such name, or null. `known` are the names of loops and functions. */
export function findUnknownBound(names: Iterable<string>, known: Iterable<string>): string | null {
  const all = new Set(known);
  for (const name of names) {
    const what = name.includes('.') ? 'loop' : 'function';
    if (!all.has(name)) return `--unwindset names the ${what} ${name}, which the program does not have`;
  }
  return null;
}
