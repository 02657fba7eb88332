/**
 * A number for people, as `1,234,567`. Node's own way to write one loads the data of a language first, which takes
 * longer than many a run.
 */
export function groupDigits(value: number | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
