/**
 * The steps of a counterexample as rows of a table: where, the statement, and what is worth telling about it. What
 * models do to their own variables is left out, and so is what a variable holds before anything is assigned to it.
 */

import type { TraceEvent, TraceStep, TraceValue } from '../trace/trace.ts';

export interface Row {
  /** The number of its step. */
  readonly step: number;
  readonly thread: number;
  readonly isSwitch: boolean;
  readonly place: string;
  readonly text: string;
  /** The calls that led to it, as one text, and how many. */
  readonly activation: string;
  readonly depth: number;
  /** What is assigned or read. */
  readonly values: readonly string[];
  readonly events: readonly string[];
  /** How many instructions before it are not told. */
  readonly gap: number;
  /** How many steps it stands for without showing them. */
  readonly hidden: number;
  /** A bracket or a declaration in which nothing happens: not worth a line. */
  readonly isEmpty: boolean;
  /**
   * Nothing is assigned, read from memory, locked or otherwise to be seen, or only threads are created that never run.
   */
  readonly isDull: boolean;
  /** It changes memory and variables only, so that as a part of a loop it may be left out. */
  readonly isPlain: boolean;
  readonly isViolation: boolean;
}

export interface RowOptions {
  /** File names need not be shown. */
  readonly isOneFile: boolean;
  readonly isIdle: (thread: number) => boolean;
}

/** Threads beyond this one are not indented further. */
const DEEPEST_THREAD = 8;

export function indentOf(thread: number): string {
  return '  '.repeat(Math.min(thread, DEEPEST_THREAD));
}

export function toRow(step: TraceStep, { isOneFile, isIdle }: RowOptions): Row {
  const { thread, place, statement, callStack, events } = step;
  const line = place === null ? '' : isOneFile ? String(place.line) : `${place.file}:${place.line}`;
  const own = step.values.filter(({ isInternal }) => !isInternal);
  const isViolation = events.some(({ kind }) => kind === 'violation');
  const values = describeValues(
    own.filter(({ isUninitialised }) => !isUninitialised),
    isViolation,
  );
  const told = events.flatMap((event) => describeEvent(event, values));
  const creations = events.filter((event) => event.kind === 'create');
  const createsIdle = creations.length === told.length && creations.every(({ child }) => isIdle(child));
  const isQuiet = values.length === 0 && told.length === 0;
  return {
    step: step.index,
    thread,
    isSwitch: step.isContextSwitch,
    place: line,
    text: `${indentOf(thread)}${statement}`,
    activation: [...callStack.map((call) => call.place?.line ?? 0), step.function].join(' '),
    depth: callStack.length,
    values,
    events: told,
    gap: step.hiddenBefore ?? 0,
    hidden: 0,
    isEmpty:
      isQuiet &&
      !step.hiddenBefore &&
      (/^[{}]?$/.test(statement) || own.some(({ isUninitialised }) => isUninitialised)),
    isDull:
      !step.isContextSwitch &&
      !step.hiddenBefore &&
      createsIdle &&
      (creations.length > 0 || (values.length === 0 && !synchronises(step))),
    isPlain: !step.isContextSwitch && !step.hiddenBefore && events.every(({ kind }) => PLAIN_EVENTS.has(kind)),
    isViolation,
  };
}

/** Locking and its like say something even when there are no values to show. */
function synchronises({ events }: TraceStep): boolean {
  return events.some((event) => event.kind === 'call' && SYNCHRONISATION.test(event.function));
}

const SYNCHRONISATION = /^(?:pthread|sem|mtx|cnd|thrd)_.*(?:lock|wait|post|signal|broadcast|join)$/;

const PLAIN_EVENTS: ReadonlySet<TraceEvent['kind']> = new Set([
  'call',
  'return',
  'branch',
  'allocate',
  'free',
  'result',
]);

/** What is assigned; where nothing is, what is read. Both where the property is violated. */
function describeValues(values: readonly TraceValue[], withReads: boolean): string[] {
  const changes = values.filter(({ kind }) => kind !== 'read');
  const written = new Set(changes.map(({ name }) => name));
  const reads = values.filter(({ kind, name }) => kind === 'read' && !written.has(name));
  const isShown = withReads || changes.length === 0 || changes.some(({ isPending }) => isPending);
  return [
    ...new Set([
      ...joinElements(changes).flatMap(describeChange),
      ...joinElements(isShown ? reads : reads.filter(({ unseen }) => unseen)).map(describeRead),
    ]),
  ];
}

/** From so many elements of an array on, one after the other and with one value, they are told together. */
const CROWD_OF_ELEMENTS = 4;

/** `a[0] = 0, a[1] = 0, …` is told as `a[0..9] = 0`. */
function joinElements(values: readonly TraceValue[]): TraceValue[] {
  const joined: TraceValue[] = [];
  for (let at = 0; at < values.length; ) {
    const first = values[at] as TraceValue;
    const element = ELEMENT.exec(first.name);
    let end = at + 1;
    if (element) while (isNext(values[end], first, element, end - at)) end++;
    const [, before, index, after] = element ?? [];
    const last = Number(index) + end - at - 1;
    if (end - at < CROWD_OF_ELEMENTS) joined.push(first);
    else joined.push({ ...first, name: `${before}[${index}..${last}]${after}` });
    at = end - at < CROWD_OF_ELEMENTS ? at + 1 : end;
  }
  return joined;
}

const ELEMENT = /^(.*)\[(\d+)\](.*?)$/;

function isNext(value: TraceValue | undefined, first: TraceValue, element: RegExpExecArray, distance: number): boolean {
  if (value?.kind !== first.kind || value.value !== first.value) return false;
  const [, before, index, after] = element;
  return value.name === `${before}[${Number(index) + distance}]${after}`;
}

function describeRead({ name, value, unseen }: TraceValue): string {
  return unseen
    ? `${name} is still ${value}, although T${unseen.thread} has stored ${unseen.value}`
    : `${name} is ${value}`;
}

function describeChange(change: TraceValue, at: number, changes: readonly TraceValue[]): string[] {
  const { kind, name, value, isPending } = change;
  if (kind !== 'input') return [`${name} = ${value}${isPending ? ' (buffered)' : ''}`];
  // Where the input is assigned at once, one of the two is enough.
  const next = changes[at + 1];
  if (next?.kind === 'write' && next.value === value) return [];
  if (/^\w+$/.test(name)) return [`${name}() is ${value}`];
  // A thing that may happen or not, such as "a weak compare-and-exchange that fails"; or "a missing result", which says
  // nothing.
  if (name.includes(' ')) return value === '0' || name.startsWith('a missing') ? [] : [name];
  return [`${name} = ${value}`];
}

/** Calls, returns and branches show in the lines that follow; `values` are what the step shows already. */
function describeEvent(event: TraceEvent, values: readonly string[]): string[] {
  switch (event.kind) {
    case 'create':
      return [`creates thread ${event.child}`];
    case 'exit':
      return ['the thread ends'];
    case 'blocked':
      return ['waits'];
    case 'violation':
      return ['✗ violated'];
    case 'allocate': {
      const isNamed = values.some((text) => text.endsWith(` = &${event.object}`));
      const bytes = `${event.bytes} ${event.bytes === 1 ? 'byte' : 'bytes'}`;
      return [`allocates ${bytes}${isNamed ? '' : ` as ${event.object}`}`];
    }
    case 'free':
      return [`frees ${event.object}`];
    case 'leak':
      return [`${event.object} is not freed`];
    case 'commit':
      return [`${event.name} = ${event.value} reaches memory`];
    case 'result':
      return [`${event.function} returns ${nameResult(event.function, event.value)}`];
    case 'call':
    case 'return':
    case 'branch':
      return [];
  }
}

/** What POSIX thread routines return in the ordinary course of things. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['1', 'EPERM'],
  ['3', 'ESRCH'],
  ['4', 'EINTR'],
  ['11', 'EAGAIN'],
  ['12', 'ENOMEM'],
  ['16', 'EBUSY'],
  ['22', 'EINVAL'],
  ['34', 'ERANGE'],
  ['35', 'EDEADLK'],
  ['75', 'EOVERFLOW'],
  ['95', 'ENOTSUP'],
  ['110', 'ETIMEDOUT'],
  ['130', 'EOWNERDEAD'],
  ['131', 'ENOTRECOVERABLE'],
]);

/** What those of C11 return. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['1', 'thrd_busy'],
  ['2', 'thrd_error'],
  ['3', 'thrd_nomem'],
  ['4', 'thrd_timedout'],
]);

function nameResult(routine: string, value: string): string {
  if (/_equal$/.test(routine)) return 'true';
  if (routine === 'pthread_barrier_wait' && value === '-1') return 'PTHREAD_BARRIER_SERIAL_THREAD';
  const names = routine.startsWith('pthread_') ? ERRORS : /^(?:mtx|cnd|thrd)_/.test(routine) ? STATES : null;
  return names?.get(value) ?? value;
}
