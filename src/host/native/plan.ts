/**
 * The order of a counterexample as the runtime of a native replay enforces it: one event for each access to memory that
 * the compiled program announces, and for each call of a thread routine at the point where the routine takes effect. A
 * thread passes an event when all events before it have been passed; between its events it runs alone.
 *
 * Where a routine takes effect: with the last thing that it writes; whoever waits for a condition gives the mutex back
 * with the first and has it again with the last. A routine that waits for ever has no event: the real one will, too.
 */

import type { Trace, TraceStep } from '../../trace/trace.ts';

export interface PlanEvent {
  readonly thread: number;
  readonly file: string;
  readonly line: number;
  /** `call`: of a thread routine; `wake`: it goes on after waiting for a condition. */
  readonly kind: 'read' | 'write' | 'own' | 'call' | 'wake';
  /** The static variable that is read or written; empty for other memory. */
  readonly object: string;
}

export interface Plan {
  readonly events: readonly PlanEvent[];
  /** Per thread, what its inputs give, in order. */
  readonly inputs: ReadonlyMap<number, readonly PlanInput[]>;
  /** Which allocations fail: the thread, and how many allocations of its come before. */
  readonly failingAllocations: readonly { readonly thread: number; readonly index: number }[];
}

export interface PlanInput {
  /** A number as C writes it. */
  readonly value: string;
  readonly isFloat: boolean;
}

type When = 'create' | 'first' | 'last' | 'wait';

/** The routines that the runtime wraps, and when they take effect. */
export const ROUTINES: ReadonlyMap<string, When> = new Map<string, When>([
  ['pthread_create', 'create'],
  ['thrd_create', 'create'],
  ['pthread_join', 'last'],
  ['thrd_join', 'last'],
  ['pthread_barrier_wait', 'first'],
  ['pthread_cond_wait', 'wait'],
  ['pthread_cond_timedwait', 'wait'],
  ['cnd_wait', 'wait'],
  ...[
    ...['lock', 'trylock', 'timedlock', 'unlock'].flatMap((name) => [`pthread_mutex_${name}`, `mtx_${name}`]),
    ...['rdlock', 'wrlock', 'tryrdlock', 'trywrlock', 'unlock'].map((name) => `pthread_rwlock_${name}`),
    ...['lock', 'trylock', 'unlock'].map((name) => `pthread_spin_${name}`),
    ...['wait', 'trywait', 'post'].map((name) => `sem_${name}`),
  ].map((name): [string, When] => [name, 'last']),
]);

/** Something that happened, at its position in the run; `kind` is decided when the call it belongs to is known. */
interface Slot {
  readonly step: TraceStep;
  kind: PlanEvent['kind'] | null;
  readonly object: string;
  /** The same slot is the end of a wait as well. */
  alsoWakes: boolean;
}

interface OpenCall {
  readonly when: When | null;
  readonly slots: Slot[];
  readonly start: Slot;
}

export function makePlan({ steps }: Trace): Plan {
  const slots: Slot[] = [];
  const open = new Map<number, OpenCall>();
  for (const step of steps) {
    for (const access of step.accesses ?? []) {
      const [word = '', object = ''] = access.split(' ');
      const slot: Slot = { step, kind: null, object, alsoWakes: false };
      slots.push(slot);
      // Steps that show nothing are not in the report: with what the thread does next, the call before has ended.
      if (word !== 'effect' && word !== 'create') {
        settle(open.get(step.thread));
        open.delete(step.thread);
      }
      if (word === 'read' || word === 'write' || word === 'own') slot.kind = word;
      else if (access === 'effect') open.get(step.thread)?.slots.push(slot);
      else if (access === 'create') settleCreation(open.get(step.thread), slot);
      else if (access !== 'end' && access !== 'exit')
        open.set(step.thread, { when: ROUTINES.get(object) ?? null, slots: [], start: slot });
    }
  }
  for (const call of open.values()) settleUnended(call);
  return { events: slots.flatMap(toEvents), inputs: collectInputs(steps), failingAllocations: findFailing(steps) };
}

function settleCreation(call: OpenCall | undefined, slot: Slot): void {
  if (call?.when === 'create') slot.kind = 'call';
}

function settle(call: OpenCall | undefined): void {
  if (!call?.when || call.when === 'create') return;
  const first = call.slots[0] ?? call.start;
  const last = call.slots.at(-1) ?? call.start;
  if (call.when === 'first') first.kind = 'call';
  else if (call.when === 'last') last.kind = 'call';
  else if (first === last) Object.assign(first, { kind: 'call', alsoWakes: true });
  else {
    first.kind = 'call';
    last.kind = 'wake';
  }
}

/** What has had its effect before the run ends, or before it waits for ever, counts. */
function settleUnended({ when, slots }: OpenCall): void {
  const slot = when === 'wait' || when === 'first' ? slots[0] : when === 'last' ? slots.at(-1) : undefined;
  if (slot) slot.kind = 'call';
}

function toEvents({ step, kind, object, alsoWakes }: Slot): PlanEvent[] {
  if (kind === null) return [];
  const { thread, place } = step;
  const event = { thread, file: place?.file ?? '', line: place?.line ?? 0, object };
  return alsoWakes
    ? [
        { ...event, kind },
        { ...event, kind: 'wake' },
      ]
    : [{ ...event, kind }];
}

const NUMBER = /^-?\d+$/;
const FLOAT = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/;

function collectInputs(steps: readonly TraceStep[]): Map<number, PlanInput[]> {
  const inputs = new Map<number, PlanInput[]>();
  for (const { thread, values } of steps) {
    for (const { kind, name, value, isInternal, isUninitialised } of values) {
      if (kind !== 'input' || isInternal || isUninitialised || name.includes(' ')) continue;
      const own = inputs.get(thread) ?? [];
      inputs.set(thread, own);
      own.push({ value: toNumber(value), isFloat: !NUMBER.test(value) && FLOAT.test(value) });
    }
  }
  return inputs;
}

const ALLOCATOR = /^(?:malloc|calloc|realloc)$/;
const IGNORED = /^(?:[mc]alloc|realloc|free|.*printf|f?put.*|perror|fflush|f?close)$/;

function findFailing(steps: readonly TraceStep[]): Plan['failingAllocations'] {
  const counts = new Map<number, number>();
  return steps.flatMap(({ thread, events, values }) => {
    const calls = events.filter((event) => event.kind === 'call' && ALLOCATOR.test(event.function)).length;
    const index = counts.get(thread) ?? 0;
    counts.set(thread, index + calls);
    const fails = values.filter(({ kind, name }) => kind === 'input' && name === '__lazuli_nondet_bool');
    return calls === 0 ? [] : fails.flatMap(({ value }, k) => (value === '1' ? [{ thread, index: index + k }] : []));
  });
}

/**
 * Routines of the library that answered in the report as they liked: a real run has answers of its own. Failing
 * allocations are not among them (the plan has them), nor is what only prints and closes.
 */
export function findFreeAnswers({ steps }: Trace): string[] {
  const named = steps.flatMap(({ events, values }) => {
    const isFree = values.some(
      ({ kind, isInternal, isUninitialised }) => kind === 'input' && isInternal && !isUninitialised,
    );
    const calls = events.flatMap((event) => (event.kind === 'call' ? [event.function] : []));
    return isFree ? calls.filter((name) => !IGNORED.test(name) && !ROUTINES.has(name)).slice(-1) : [];
  });
  return [...new Set(named)];
}

/** Addresses and the like have no number that a real run would know. */
function toNumber(value: string): string {
  if (NUMBER.test(value) || FLOAT.test(value)) return value;
  if (value === 'true') return '1';
  const character = /^(-?\d+) /.exec(value);
  return character?.[1] ?? '0';
}

const SIGNALS = /^(?:raise|kill|killpg|pthread_kill|alarm|sigsuspend|sigwait|sigwaitinfo|sigtimedwait|sigqueue)$/;

/** Why the counterexample cannot be followed natively at all; null where nothing is known against it. */
export function findObstacle({ steps, threads, hiddenInstructions }: Trace): string | null {
  if (hiddenInstructions) return 'the report tells only the beginning and the end of a very long run';
  const isDelayed = ({ events, values }: Trace['steps'][number]) =>
    events.some(({ kind }) => kind === 'commit') || values.some(({ isPending }) => isPending);
  if (steps.some(isDelayed)) return 'stores that arrive late cannot be enforced on a real processor';
  const label = threads.find(({ start }) => start.startsWith('__CPROVER_ASYNC_'));
  if (label) return `its threads are started by labels of CBMC (${label.start}), of which gcc knows nothing`;
  const signal = steps.find(({ events }) =>
    events.some((event) => event.kind === 'call' && SIGNALS.test(event.function)),
  );
  if (signal) return `signals come when they like (line ${signal.place?.line ?? 'unknown'})`;
  if (steps.every(({ accesses }) => accesses === undefined)) return 'the report is of a version without accesses';
  return null;
}
