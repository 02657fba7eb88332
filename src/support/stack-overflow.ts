/** The stack of V8 has overflowed: what was worked on is nested more deeply than anybody foresaw. */
export function isStackOverflow(fault: unknown): boolean {
  return fault instanceof RangeError && /call stack/i.test(fault.message);
}
