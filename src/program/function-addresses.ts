/** The addresses of functions, below all data: the same for every engine and for the interpreter. */

const FIRST = 0x1000;
const SPACING = 16;

export function functionAddress(id: number): number {
  return FIRST + SPACING * id;
}

/** The function at an address, of so many; -1 where there is none. */
export function functionAt(address: bigint | number, count: number): number {
  const id = (Number(address) - FIRST) / SPACING;
  return Number.isInteger(id) && id >= 0 && id < count ? id : -1;
}
