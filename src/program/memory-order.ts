/**
 * How accesses to memory are ordered, in C11's words. Lowering keeps it in every load, store and fence, and so do the
 * steps of the symbolic executor; under sequential consistency nobody asks. `consume` counts as `acquire`, as in all
 * compilers.
 */

export type MemoryOrder = 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

export type AccessMode =
  /** Two of them in different threads race, unless something orders them. */
  | { readonly kind: 'plain' }
  /**
   * `isUpdate`: one half of a read-modify-write, whose load and store lie in one atomic section. Both have the order of
   * the whole: acquire concerns the load, release the store. A compare-and-exchange that fails is only the load, with
   * the order `onFailure`; for all else that is null.
   */
  | AtomicMode;

export interface AtomicMode {
  readonly kind: 'atomic';
  readonly order: MemoryOrder;
  readonly isUpdate: boolean;
  readonly onFailure: MemoryOrder | null;
}

export const PLAIN: AccessMode = { kind: 'plain' };

export function atomicMode(order: MemoryOrder): AccessMode {
  return { kind: 'atomic', order, isUpdate: false, onFailure: null };
}

export function updateMode(order: MemoryOrder, onFailure: MemoryOrder | null = null): AccessMode {
  return { kind: 'atomic', order, isUpdate: true, onFailure };
}

export function acquires(order: MemoryOrder): boolean {
  return order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
}

export function releases(order: MemoryOrder): boolean {
  return order === 'release' || order === 'acq_rel' || order === 'seq_cst';
}

/** The load of such an access acquires, whether what it belongs to succeeds or fails. */
export function alwaysAcquires({ order, onFailure }: AtomicMode): boolean {
  return acquires(order) && (onFailure === null || acquires(onFailure));
}

/** `__ATOMIC_RELAXED` is 0, and so on. */
const ORDERS: readonly MemoryOrder[] = ['relaxed', 'acquire', 'acquire', 'release', 'acq_rel', 'seq_cst'];

/** The order that a number of `__ATOMIC_*` says; one that is only known at run time is the strongest, as in gcc. */
export function orderOf(value: bigint | null): MemoryOrder {
  // Bits above are hints for lock elision.
  return (value === null ? undefined : ORDERS[Number(value & 0xffffn)]) ?? 'seq_cst';
}

export function numberOfOrder(order: MemoryOrder): number {
  return ORDERS.lastIndexOf(order);
}

/** `plain` is said by nothing. */
export function printMode(mode: AccessMode): string {
  if (mode.kind === 'plain') return '';
  const isOther = mode.onFailure !== null && mode.onFailure !== mode.order;
  return `${mode.isUpdate ? 'update' : 'atomic'} ${mode.order}${isOther ? `/${mode.onFailure}` : ''} `;
}
