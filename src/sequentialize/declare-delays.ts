/**
 * The abstraction of shared memory under TSO and PSO that delayed stores (delay-stores.ts) are written in.
 *
 * Time is counted in turns: each call of a thread's function is one, `now`. A store guesses at the beginning of which
 * turn it reaches memory (`arrives`; 0 for one that is not made): in this turn, where it stands, or in a later one, of
 * whichever thread. At the beginning of a turn first the stores of thread 0 arrive, in order, then those of thread 1,
 * and so on. TSO: in the order in which they are made. PSO: in that order for the same
 * bytes (`after`), behind release fences (`first`), and release stores after all older ones (`released`).
 */

import { assign, block, builtin, ifStatement, integer, variable } from '../program/build-tree.ts';
import type { FreshSymbols } from '../program/fresh-symbols.ts';
import type { FunctionSymbol, TopLevelItem } from '../program/tree.ts';
import { intType } from '../program/type-operations.ts';
import { NOWHERE } from '../support/source.ts';
import type { BackendSpelling } from './backend-spelling.ts';
import type { DelayedStore } from './delay-stores.ts';
import { bitsFor } from './schema.ts';

export interface DelayedStores {
  readonly memoryModel: 'tso' | 'pso';
  /** By thread. */
  readonly stores: readonly (readonly DelayedStore[])[];
  /** The macros that occur. */
  readonly used: ReadonlySet<string>;
  /** How many turns there are. */
  readonly turns: number;
}

/** The width of a variable that holds a turn, or that there is none any more. */
export function turnBits({ turns }: DelayedStores): number {
  return bitsFor(turns + 1);
}

export function declareDelays(delays: DelayedStores, spelling: BackendSpelling): readonly string[] {
  const { memoryModel, stores } = delays;
  const type = spelling.controlType(turnBits(delays));
  const own = stores.flatMap((list, thread) => (list.length > 0 ? [thread] : []));
  if (own.length === 0) return ['#define __lazuli_turn(N) (void)0'];
  const declare = (name: string, numbers: readonly (number | string)[]) =>
    `static ${type} ${numbers.map((number) => `__lazuli_${name}_${number}`).join(', ')};`;
  const arrivals = own.map((thread) => {
    const numbers = (stores[thread] ?? []).map(({ number }) => `${thread}_${number}`);
    return declare('arrives', numbers);
  });
  return [
    `/* Memory under ${memoryModel.toUpperCase()}: store K of thread T reaches it at the beginning of a turn, arrives. */`,
    `static ${type} __lazuli_now;`,
    ...arrivals,
    declare('last', own),
    ...(memoryModel === 'pso' ? [declare('first', own)] : []),
    ...delayMacro(delays, spelling),
    ...usedMacros(delays, spelling),
    '#define __lazuli_arriving(T, K) (__lazuli_arrives_##T##_##K == __lazuli_now)',
    'static void __lazuli_arrive(void);',
    '#define __lazuli_turn(N) __lazuli_now = N; __lazuli_arrive()',
  ];
}

/** Guesses when a store arrives. */
function delayMacro({ memoryModel, turns }: DelayedStores, { assume, nondet }: BackendSpelling): readonly string[] {
  const isPso = memoryModel === 'pso';
  return macro('__lazuli_delay(T, K)', [
    `__lazuli_arrives_##T##_##K = ${nondet('unsigned int')}();`,
    `${assume}(__lazuli_arrives_##T##_##K >= __lazuli_now && __lazuli_arrives_##T##_##K <= ${turns + 1}`,
    `  && __lazuli_arrives_##T##_##K >= __lazuli_${isPso ? 'first' : 'last'}_##T);`,
    `${isPso ? 'if (__lazuli_arrives_##T##_##K > __lazuli_last_##T) ' : ''}__lazuli_last_##T = __lazuli_arrives_##T##_##K;`,
  ]);
}

/** What stands in the threads, as far as it does. */
function usedMacros({ used }: DelayedStores, { assume }: BackendSpelling): readonly string[] {
  const [store, older] = ['__lazuli_arrives_##T##_##K', '__lazuli_arrives_##T##_##J'];
  const reads = used.has('read') || used.has('read_at') || used.has('show');
  const rows: readonly (readonly [isUsed: boolean, head: string, ...lines: readonly string[]])[] = [
    [
      true,
      '__lazuli_write(T, K, PLACE, VALUE)',
      '__lazuli_value_##T##_##K = VALUE;',
      '__lazuli_delay(T, K)',
      `if (${store} == __lazuli_now) PLACE = __lazuli_value_##T##_##K`,
    ],
    [
      used.has('write_at'),
      '__lazuli_write_at(T, K, WHERE, VALUE)',
      '__lazuli_where_##T##_##K = WHERE;',
      '__lazuli_write(T, K, *__lazuli_where_##T##_##K, VALUE)',
    ],
    [reads, '__lazuli_pends(T, K)', `(${store} > __lazuli_now)`],
    [used.has('read'), '__lazuli_read(T, K, ELSE)', '(__lazuli_pends(T, K) ? __lazuli_value_##T##_##K : (ELSE))'],
    [
      used.has('read_at'),
      '__lazuli_read_at(T, K, STORED, WHERE, ELSE)',
      '(__lazuli_pends(T, K) && STORED == WHERE ? __lazuli_value_##T##_##K : (ELSE))',
    ],
    [
      used.has('show'),
      '__lazuli_show(T, K, PLACE, KEPT)',
      'if (__lazuli_pends(T, K)) { KEPT = PLACE; PLACE = __lazuli_value_##T##_##K; }',
    ],
    [used.has('show'), '__lazuli_hide(T, K, PLACE, KEPT)', 'if (__lazuli_pends(T, K)) PLACE = KEPT'],
    [used.has('full_fence'), '__lazuli_full_fence(T)', `${assume}(__lazuli_last_##T <= __lazuli_now)`],
    [used.has('order'), '__lazuli_order(T)', '__lazuli_first_##T = __lazuli_last_##T'],
    [used.has('released'), '__lazuli_released(T, K)', `${assume}(${store} == __lazuli_last_##T)`],
    [used.has('after'), '__lazuli_after(T, K, J)', `${assume}(${store} >= ${older})`],
    [used.has('after_near'), '__lazuli_begin(WHERE)', '((__SIZE_TYPE__)(WHERE))'],
    [used.has('after_near'), '__lazuli_end(WHERE)', '(__lazuli_begin(WHERE) + sizeof *(WHERE))'],
    [
      used.has('after_near'),
      '__lazuli_after_near(T, K, J, STORED, WHERE)',
      `${assume}(${store} >= ${older} || __lazuli_begin(STORED) >= __lazuli_end(WHERE)`,
      '  || __lazuli_begin(WHERE) >= __lazuli_end(STORED))',
    ],
  ];
  return rows.flatMap(([isUsed, head, ...lines]) => (isUsed ? macro(head, lines) : []));
}

function macro(head: string, lines: readonly string[]): readonly string[] {
  const [only] = lines;
  if (lines.length === 1) return [`#define ${head} ${only}`];
  return [`#define ${head} \\`, ...lines.map((line, i) => `  ${line}${i < lines.length - 1 ? ' \\' : ''}`)];
}

/** What the driver calls at the beginning of each turn. `like` is the symbol of a function without parameters. */
export function arriveFunction({ stores }: DelayedStores, like: FunctionSymbol, fresh: FreshSymbols): TopLevelItem[] {
  const all = stores.flat();
  if (all.length === 0) return [];
  const statements = all.map(({ thread, number, value, place }) => {
    const numbers = [integer(thread, NOWHERE), integer(number, NOWHERE)];
    const isNow = builtin('__lazuli_arriving', numbers, NOWHERE, intType);
    return ifStatement(isNow, [assign(place, variable(value, NOWHERE), NOWHERE)], null, NOWHERE);
  });
  const symbol: FunctionSymbol = { ...like, id: fresh.id(), name: '__lazuli_arrive' };
  const definition = { symbol, parameters: [], body: block(statements, NOWHERE), loc: NOWHERE };
  return [{ kind: 'function', definition, loc: NOWHERE }];
}
