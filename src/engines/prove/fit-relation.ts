/**
 * A linear relation that holds among samples: the number that makes `scale * value == constant + sum of coefficients
 * times counters` in all of them, where there is one. It is a guess of what always holds (Ernst et al., "Dynamically
 * discovering likely program invariants", 2001). Whole numbers, by Gaussian elimination without fractions.
 */

export interface Sample {
  readonly value: bigint;
  readonly counters: readonly bigint[];
}

export interface LinearFit {
  readonly scale: bigint;
  readonly constant: bigint;
  /** By counter; some of them are not 0. */
  readonly coefficients: readonly bigint[];
}

/** Fewer say nothing. */
const LEAST_SAMPLES = 3;
/** No more than a program would compute with. */
const LARGEST = 1n << 31n;

export function fitRelation(samples: readonly Sample[]): LinearFit | null {
  const count = samples[0]?.counters.length ?? 0;
  if (samples.length < LEAST_SAMPLES) return null;
  // A column for the constant, those of the counters, and that of the value.
  const pivots: { readonly row: bigint[]; readonly column: number }[] = [];
  for (const { counters, value } of samples) {
    const row = pivots.reduce((rest, pivot) => without(rest, pivot.row, pivot.column), [1n, ...counters, value]);
    const column = row.findIndex((each) => each !== 0n);
    if (column === -1) continue;
    if (column === count + 1) return null;
    for (const pivot of pivots) pivot.row.splice(0, pivot.row.length, ...without(pivot.row, row, column));
    pivots.push({ row, column });
  }
  const scale = pivots.reduce((all, { row, column }) => lcm(all, row[column] as bigint), 1n);
  const solved = Array.from({ length: count + 1 }, () => 0n);
  for (const { row, column } of pivots) solved[column] = ((row[count + 1] as bigint) * scale) / (row[column] as bigint);
  const [constant, ...coefficients] = solved as [bigint, ...bigint[]];
  const isPlain = [scale, ...solved].every((each) => abs(each) < LARGEST);
  return isPlain && coefficients.some((each) => each !== 0n) ? { scale, constant, coefficients } : null;
}

/** The row with 0 in a column of a pivot, in lowest terms. */
function without(row: readonly bigint[], pivot: readonly bigint[], column: number): bigint[] {
  const [a, b] = [pivot[column] as bigint, row[column] as bigint];
  if (b === 0n) return [...row];
  const combined = row.map((each, i) => each * a - (pivot[i] as bigint) * b);
  const common = combined.reduce((all, each) => gcd(all, each), 0n);
  return common === 0n ? combined : combined.map((each) => each / common);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? abs(a) : gcd(b, a % b);
}

function lcm(a: bigint, b: bigint): bigint {
  return abs(a * b) / gcd(a, b);
}
