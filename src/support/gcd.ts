/** The greatest common divisor of two numbers that are not negative; that of 0 and n is n. */
export function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
