/**
 * The atomic builtins, decoded once: `__sync_*` and `__atomic_*` of GNU C, `__c11_atomic_*` of clang. A row says how
 * the arguments of a name are typed and what it does; the type checker reads the one, lowering and the C-to-C
 * simplification the other. In the tree a builtin keeps its name and arguments, so that it can be printed.
 */

import type { DataModel } from './data-model.ts';
import { evaluateInteger } from './evaluate-constant.ts';
import { type MemoryOrder, orderOf } from './memory-order.ts';
import type { Builtin } from './primitives.ts';
import type { Expression } from './tree.ts';

/** What a weak compare-and-exchange draws: whether it fails without reason. */
export const CHANCE_FAILURE = 'a weak compare-and-exchange that fails';

/**
 * What an argument is: `object` the pointer that gives the type T; `value` a T; `amount` a T, or a number for pointers;
 * `place` a pointer to T; `order` a memory order; `flag` a `_Bool`; `any` a pointer to anything; `size` a size.
 */
export type AtomicRole = 'object' | 'value' | 'amount' | 'place' | 'order' | 'flag' | 'any' | 'size';

export type FetchOperation = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'nand';

/** A value, or a pointer to where it lies. */
export interface AtomicOperand {
  readonly expression: Expression;
  readonly isPointer: boolean;
}

interface AtomicBase {
  /** The pointer to what is accessed. */
  readonly object: Expression;
  readonly order: MemoryOrder;
}

export type AtomicAccess =
  /** `into`: a pointer to where the value goes; null when it is the builtin's own value. */
  | (AtomicBase & { readonly kind: 'load'; readonly into: Expression | null })
  | (AtomicBase & { readonly kind: 'store'; readonly value: AtomicOperand })
  /** Zero is stored: into the object, or into its first byte. */
  | (AtomicBase & { readonly kind: 'clear'; readonly isByte: boolean })
  | (AtomicBase & { readonly kind: 'test-and-set' })
  | (AtomicBase & { readonly kind: 'exchange'; readonly value: AtomicOperand; readonly into: Expression | null })
  /** `counts`: what the amount counts when a pointer is moved. */
  | (AtomicBase & {
      readonly kind: 'fetch';
      readonly operation: FetchOperation;
      readonly amount: Expression;
      readonly returnsNew: boolean;
      readonly counts: 'bytes' | 'elements';
    })
  /** `expected` is a pointer: on failure it gets the value found. A weak one may fail without reason. */
  | (AtomicBase & {
      readonly kind: 'compare-exchange';
      readonly expected: Expression;
      readonly desired: AtomicOperand;
      readonly isWeak: boolean;
      readonly onFailure: MemoryOrder;
    })
  | (AtomicBase & {
      readonly kind: 'compare-and-swap';
      readonly expected: Expression;
      readonly desired: Expression;
      readonly returns: 'old' | 'success';
    });

export type AtomicOperation =
  | AtomicAccess
  | { readonly kind: 'fence'; readonly order: MemoryOrder }
  /** Between a thread and its own signal handlers: nothing that other threads could see. */
  | { readonly kind: 'signal-fence' }
  | { readonly kind: 'lock-free' };

interface AtomicRow {
  readonly roles: readonly AtomicRole[];
  readonly result: 'value' | 'bool' | 'void';
  /** `__sync_*` builtins take and ignore further arguments. */
  readonly isOpen: boolean;
  /**
   * Arithmetic and `__sync_*` work on integers and pointers. The others take objects of any type, also those that gcc
   * has generic forms for: our stdatomic.h uses them for every type.
   */
  readonly takesAnyType: boolean;
  readonly decode: (args: AtomicArguments) => AtomicOperation;
}

/** The arguments of a builtin by their roles. */
interface AtomicArguments extends AtomicBase {
  /** The second order: that of a compare-and-exchange that fails. */
  readonly onFailure: MemoryOrder;
  readonly amount: Expression;
  readonly operands: readonly AtomicOperand[];
  readonly isWeak: boolean;
}

type Decode = AtomicRow['decode'];
type Rows = readonly (readonly [name: string, row: AtomicRow])[];

function row(signature: string, decode: Decode, takesAnyType = false): AtomicRow {
  const [result, ...roles] = signature.split(' ') as [AtomicRow['result'], ...AtomicRole[]];
  return { roles, result, isOpen: false, takesAnyType, decode };
}

const load: Decode = ({ object, order, operands }) => ({ kind: 'load', object, order, into: placeAt(operands, 0) });
const store: Decode = ({ object, order, operands }) => ({ kind: 'store', object, order, value: at(operands, 0) });
const exchange: Decode = ({ object, order, operands }) => {
  return { kind: 'exchange', object, order, value: at(operands, 0), into: placeAt(operands, 1) };
};
const clear: Decode = ({ object, order }) => ({ kind: 'clear', object, order, isByte: true });
const release: Decode = ({ object }) => ({ kind: 'clear', object, order: 'release', isByte: false });
const testAndSet: Decode = ({ object, order }) => ({ kind: 'test-and-set', object, order });
const fence: Decode = ({ order }) => ({ kind: 'fence', order });
const signalFence: Decode = () => ({ kind: 'signal-fence' });
const lockFree: Decode = () => ({ kind: 'lock-free' });

/** Without an argument, a flag of the call says whether it is weak. */
function compareExchange(isWeak?: boolean): Decode {
  return ({ object, order, onFailure, operands, isWeak: flag }) => {
    const [expected, desired] = [at(operands, 0).expression, at(operands, 1)];
    return { kind: 'compare-exchange', object, order, onFailure, expected, desired, isWeak: isWeak ?? flag };
  };
}

function compareAndSwap(returns: 'old' | 'success'): Decode {
  return ({ object, order, operands }) => {
    const [expected, desired] = [at(operands, 0).expression, at(operands, 1).expression];
    return { kind: 'compare-and-swap', object, order, expected, desired, returns };
  };
}

function fetches(pattern: string, signature: string, returnsNew: boolean, counts: 'bytes' | 'elements'): Rows {
  return (['add', 'sub', 'or', 'and', 'xor', 'nand'] as const).map((operation) => {
    const decode: Decode = ({ object, order, amount }) => {
      return { kind: 'fetch', object, order, operation, amount, returnsNew, counts };
    };
    return [pattern.replace('OP', operation), row(signature, decode)];
  });
}

const GNU: Rows = [
  ...fetches('__atomic_fetch_OP', 'value object amount order', false, 'bytes'),
  ...fetches('__atomic_OP_fetch', 'value object amount order', true, 'bytes'),
  ['__atomic_load_n', row('value object order', load, true)],
  ['__atomic_load', row('void object place order', load, true)],
  ['__atomic_store_n', row('void object value order', store, true)],
  ['__atomic_store', row('void object place order', store, true)],
  ['__atomic_exchange_n', row('value object value order', exchange, true)],
  ['__atomic_exchange', row('void object place place order', exchange, true)],
  ['__atomic_compare_exchange_n', row('bool object place value flag order order', compareExchange(), true)],
  ['__atomic_compare_exchange', row('bool object place place flag order order', compareExchange(), true)],
  ['__atomic_test_and_set', row('bool any order', testAndSet)],
  ['__atomic_clear', row('void any order', clear)],
  ['__atomic_thread_fence', row('void order', fence)],
  ['__atomic_signal_fence', row('void order', signalFence)],
  ['__atomic_always_lock_free', row('bool size any', lockFree)],
  ['__atomic_is_lock_free', row('bool size any', lockFree)],
];

const C11: Rows = [
  ...fetches('__c11_atomic_fetch_OP', 'value object amount order', false, 'elements'),
  ['__c11_atomic_load', row('value object order', load, true)],
  ['__c11_atomic_store', row('void object value order', store, true)],
  ['__c11_atomic_init', row('void object value', (args) => store({ ...args, order: 'relaxed' }), true)],
  ['__c11_atomic_exchange', row('value object value order', exchange, true)],
  ['__c11_atomic_compare_exchange_strong', row('bool object place value order order', compareExchange(false), true)],
  ['__c11_atomic_compare_exchange_weak', row('bool object place value order order', compareExchange(true), true)],
  ['__c11_atomic_thread_fence', row('void order', fence)],
  ['__c11_atomic_signal_fence', row('void order', signalFence)],
  ['__c11_atomic_is_lock_free', row('bool size', lockFree)],
];

/** All are full barriers, but for the two that are made for spin locks. */
const SYNC: Rows = [
  ...fetches('__sync_fetch_and_OP', 'value object amount', false, 'bytes'),
  ...fetches('__sync_OP_and_fetch', 'value object amount', true, 'bytes'),
  ['__sync_bool_compare_and_swap', row('bool object value value', compareAndSwap('success'))],
  ['__sync_val_compare_and_swap', row('value object value value', compareAndSwap('old'))],
  ['__sync_lock_test_and_set', row('value object value', (args) => exchange({ ...args, order: 'acquire' }))],
  ['__sync_lock_release', row('void object', release)],
  ['__sync_synchronize', row('void', fence)],
];

const ROWS: ReadonlyMap<string, AtomicRow> = new Map([
  ...GNU,
  ...C11,
  ...SYNC.map(([name, each]) => [name, { ...each, isOpen: true }] as const),
]);

export function atomicRow(name: string): AtomicRow | null {
  return ROWS.get(name) ?? null;
}

export interface DecodedAtomic {
  readonly operation: AtomicOperation;
  /** Arguments whose value the operation does not use: they are evaluated before it. */
  readonly others: readonly Expression[];
}

/** What an atomic builtin does; null when the name is none. */
export function decodeAtomic({ name, args }: Builtin, model: DataModel): DecodedAtomic | null {
  const found = atomicRow(name);
  if (found === null) return null;
  const first = (role: AtomicRole) => args[found.roles.indexOf(role)];
  const order = (index: number) => {
    const said = args[found.roles.indexOf('order', index)];
    return said === undefined ? 'seq_cst' : orderOf(evaluateInteger(said, model));
  };
  const flag = first('flag');
  const operation = found.decode({
    object: (first('object') ?? first('any')) as Expression,
    amount: first('amount') as Expression,
    operands: args.flatMap((expression, i): AtomicOperand[] => {
      const role = found.roles[i];
      return role === 'value' || role === 'place' ? [{ expression, isPointer: role === 'place' }] : [];
    }),
    order: order(0),
    onFailure: order(found.roles.indexOf('order') + 1),
    isWeak: flag !== undefined && evaluateInteger(flag, model) !== 0n,
  });
  const isUsed = (role: AtomicRole | undefined) => 'object' in operation && role !== undefined && USED.has(role);
  return { operation, others: args.filter((_, i) => !isUsed(found.roles[i])) };
}

/** The roles whose values an access uses. */
const USED: ReadonlySet<AtomicRole> = new Set<AtomicRole>(['object', 'value', 'amount', 'place', 'any']);

/** The pointer itself, behind a conversion to `volatile void *` that a prototype asked for and that hides the type. */
export function withoutHiddenType(pointer: Expression): Expression {
  let at = pointer;
  while (at.kind === 'cast' && at.implicit && at.castKind === 'pointer') at = at.operand;
  return at;
}

function at(operands: readonly AtomicOperand[], index: number): AtomicOperand {
  return operands[index] as AtomicOperand;
}

function placeAt(operands: readonly AtomicOperand[], index: number): Expression | null {
  return operands[index]?.expression ?? null;
}
