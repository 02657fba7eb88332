/**
 * The time, in milliseconds from some moment on. The global `performance` tells the same, but Node loads ten modules
 * for it, which a short run can do without.
 */

export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
