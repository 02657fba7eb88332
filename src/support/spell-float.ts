/**
 * A floating-point number as a person would write it: the shortest decimal that stands for it in its own width. What
 * is 0.1f in the source is 0.1, not the 0.10000000149011612 that it is as a double.
 */

const DIGITS_OF_FLOAT = [6, 7, 8, 9] as const;

export function spellFloat(value: number, bits: number): string {
  if (Object.is(value, -0)) return '-0';
  if (bits !== 32 || !Number.isFinite(value)) return String(value);
  const digits = DIGITS_OF_FLOAT.find((each) => Math.fround(Number(value.toPrecision(each))) === value);
  return String(digits === undefined ? value : Number(value.toPrecision(digits)));
}
