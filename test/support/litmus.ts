/**
 * Litmus tests: a handful of threads, each a few loads, stores, fences and read-modify-writes, and a question: can they
 * end so? In a small language of their own, with an operational oracle that shares nothing with the tool: it goes
 * through all states of threads, buffers and memory. `emitLitmus` makes the C program that asserts that they cannot.
 *
 * A thread is a text: `W x 1` stores, `R x a` loads into register a, `F` is a full fence, `F.rel` and `F.acq` are the
 * weaker ones, `A x 1 a` fetches and adds, `X x 1 a` exchanges. `W.rel`, `W.sc`, `W.rlx`, `R.acq` and so on are atomic
 * with that order. Places are `x`, `y`, … of two bytes; `x0` and `x1` are the bytes of `x`.
 */

import type { MemoryModel } from '../../src/program/memory-model.ts';

export interface Litmus {
  readonly threads: readonly string[];
  /** Values of registers (`a`) and, in the end, of places (`x`). */
  readonly outcome: Readonly<Record<string, number>>;
}

interface Operation {
  readonly kind: 'W' | 'R' | 'F' | 'A' | 'X';
  readonly order: string;
  readonly place: string;
  readonly value: number;
  readonly register: string;
}

function parseThread(text: string): Operation[] {
  return text
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .filter(([word]) => word !== '')
    .map(([word = '', place = '', third = '', fourth = '']) => {
      const [kind, order = ''] = word.split('.') as [Operation['kind'], string?];
      const register = kind === 'R' ? third : fourth;
      return { kind, order, place, value: kind === 'R' || kind === 'F' ? 0 : Number(third), register };
    });
}

/** The bytes of a place, lowest first. */
function bytesOf(place: string): string[] {
  return place.length > 1 ? [place] : [`${place}0`, `${place}1`];
}

// ---------------------------------------------------------------- the oracle

interface Pending {
  readonly bytes: readonly (readonly [name: string, value: number])[];
  /** Release fences before it. */
  readonly era: number;
  readonly isRelease: boolean;
}

interface ThreadState {
  readonly pc: number;
  readonly era: number;
  readonly buffer: readonly Pending[];
}

interface World {
  readonly threads: readonly ThreadState[];
  readonly memory: Readonly<Record<string, number>>;
  readonly registers: Readonly<Record<string, number>>;
}

/** The ways in which the threads can end: registers, and bytes of memory, as text. */
export function outcomesOf({ threads }: Litmus, model: MemoryModel): Record<string, number>[] {
  const programs = threads.map(parseThread);
  const start: World = { threads: programs.map(() => ({ pc: 0, era: 0, buffer: [] })), memory: {}, registers: {} };
  const seen = new Set<string>();
  const ends = new Map<string, Record<string, number>>();
  const work: World[] = [start];
  for (let world = work.pop(); world; world = work.pop()) {
    const print = JSON.stringify(world);
    if (seen.has(print)) continue;
    seen.add(print);
    const next = successors(world, programs, model);
    for (const one of next) work.push(one);
    if (next.length === 0) {
      const end = { ...world.memory, ...world.registers };
      ends.set(JSON.stringify(Object.entries(end).sort()), end);
    }
  }
  return [...ends.values()];
}

/** Whether the outcome of the test is possible. */
export function isAllowed(litmus: Litmus, model: MemoryModel): boolean {
  return outcomesOf(litmus, model).some((end) =>
    Object.entries(litmus.outcome).every(([name, value]) => finalValue(end, name) === value),
  );
}

/** Of a register or a place. */
export function finalValue(end: Readonly<Record<string, number>>, name: string): number {
  if (name in end) return end[name] as number;
  return bytesOf(name).reduce((sum, byte, i) => sum + ((end[byte] ?? 0) << (8 * i)), 0);
}

function successors(world: World, programs: readonly Operation[][], model: MemoryModel): World[] {
  return world.threads.flatMap((thread, t) => {
    const operation = programs[t]?.[thread.pc];
    const moved = operation ? execute(world, t, operation, model) : null;
    return [...(moved ? [moved] : []), ...arrivals(world, t, model)];
  });
}

/** Null while the thread has to wait for its stores to arrive. */
function execute(world: World, t: number, operation: Operation, model: MemoryModel): World | null {
  const thread = world.threads[t] as ThreadState;
  const { kind, order, place, value, register } = operation;
  const isFull = kind === 'A' || kind === 'X' || (kind === 'F' && order === '') || (kind === 'W' && order === 'sc');
  if (isFull && thread.buffer.length > 0) return null;
  const pc = thread.pc + 1;
  const withThread = (change: Partial<ThreadState>): World => ({
    ...world,
    threads: world.threads.map((each, i) => (i === t ? { ...thread, pc, ...change } : each)),
  });
  const old = finalValue(Object.fromEntries(bytesOf(place).map((byte) => [byte, look(world, thread, byte)])), place);
  switch (kind) {
    case 'R':
      return { ...withThread({}), registers: { ...world.registers, [register]: old } };
    case 'F':
      return withThread({ era: order === 'rel' || order === 'ar' ? thread.era + 1 : thread.era });
    case 'A':
    case 'X': {
      const bytes = Object.fromEntries(split(place, kind === 'A' ? old + value : value));
      const registers = { ...world.registers, [register]: old };
      return { ...withThread({}), memory: { ...world.memory, ...bytes }, registers };
    }
    case 'W': {
      const bytes = split(place, value);
      if (model === 'sc' || order === 'sc')
        return { ...withThread({}), memory: { ...world.memory, ...Object.fromEntries(bytes) } };
      const store: Pending = { bytes, era: thread.era, isRelease: order === 'rel' };
      return withThread({ buffer: [...thread.buffer, store] });
    }
  }
}

function split(place: string, value: number): (readonly [string, number])[] {
  return bytesOf(place).map((byte, i) => [byte, (value >> (8 * i)) & 0xff]);
}

function look({ memory }: World, { buffer }: ThreadState, byte: string): number {
  for (const { bytes } of buffer.toReversed()) {
    const found = bytes.find(([name]) => name === byte);
    if (found) return found[1];
  }
  return memory[byte] ?? 0;
}

function arrivals(world: World, t: number, model: MemoryModel): World[] {
  const thread = world.threads[t] as ThreadState;
  return thread.buffer.flatMap((store, at) => {
    const older = thread.buffer.slice(0, at);
    const isNext =
      at === 0 ||
      (model === 'pso' &&
        !store.isRelease &&
        older.every(({ era }) => era === store.era) &&
        older.every(({ bytes }) => !bytes.some(([name]) => store.bytes.some(([own]) => own === name))));
    if (!isNext) return [];
    const buffer = thread.buffer.filter((_, i) => i !== at);
    const threads = world.threads.map((each, i) => (i === t ? { ...thread, buffer } : each));
    return [{ ...world, threads, memory: { ...world.memory, ...Object.fromEntries(store.bytes) } }];
  });
}

// ---------------------------------------------------------------- as C

const ORDERS: Readonly<Record<string, string>> = {
  rlx: '__ATOMIC_RELAXED',
  acq: '__ATOMIC_ACQUIRE',
  rel: '__ATOMIC_RELEASE',
  ar: '__ATOMIC_ACQ_REL',
  sc: '__ATOMIC_SEQ_CST',
  '': '__ATOMIC_SEQ_CST',
};

/**
 * A C program that asserts that the outcome is impossible. Registers are returned by their threads, together in one
 * word, so that no other stores are made than those of the test.
 */
export function emitLitmus({ threads, outcome }: Litmus): string {
  const programs = threads.map(parseThread);
  const all = programs.flat();
  const places = [...new Set(all.filter(({ place }) => place).map(({ place }) => place[0] as string))].sort();
  const isMixed = all.some(({ place }) => place.length > 1);
  const asked = Object.keys(outcome);
  const spell = (name: string) => {
    if (!isMixed) return name;
    return name.length > 1 ? `${name[0]}.bytes[${name[1]}]` : `${name}.whole`;
  };
  const values = new Map<string, string>(places.map((place) => [place, spell(place)]));
  const lines = ['#include <assert.h>', '#include <pthread.h>', ''];
  for (const place of places)
    lines.push(isMixed ? `union { unsigned short whole; unsigned char bytes[2]; } ${place};` : `int ${place};`);
  for (const [t, program] of programs.entries()) {
    const read = program.flatMap(({ register }, i) => (asked.includes(register) ? [{ register, i }] : []));
    const bits = Math.min(16, Math.floor(31 / Math.max(read.length, 1)));
    const results = read.map(({ register, i }, k) => {
      values.set(register, `((long)result${t} >> ${bits * k} & ${2 ** bits - 1})`);
      return k === 0 ? `v${i}` : `v${i} << ${bits * k}`;
    });
    lines.push('', `void *thread${t}(void *unused) {`, ...program.map((one, i) => `  ${emitOperation(one, i, spell)}`));
    lines.push(results.length === 0 ? '  return 0;' : `  return (void *)(${results.join(' | ')});`, '}');
  }
  const indices = programs.map((_, t) => t);
  lines.push('', 'int main(void) {', `  pthread_t ${indices.map((t) => `id${t}`).join(', ')};`);
  lines.push(`  void ${indices.map((t) => `*result${t}`).join(', ')};`);
  for (const t of indices) lines.push(`  pthread_create(&id${t}, 0, thread${t}, 0);`);
  for (const t of indices) lines.push(`  pthread_join(id${t}, &result${t});`);
  const condition = ['1', ...Object.entries(outcome).map(([name, value]) => `${values.get(name)} == ${value}`)];
  lines.push(`  assert(!(${condition.join(' && ')}));`, '  return 0;', '}', '');
  return lines.join('\n');
}

function emitOperation(operation: Operation, at: number, spell: (name: string) => string): string {
  const { kind, order, place, value } = operation;
  const to = spell(place);
  const word = ORDERS[order];
  switch (kind) {
    case 'W':
      return order === '' ? `${to} = ${value};` : `__atomic_store_n(&${to}, ${value}, ${word});`;
    case 'R':
      return order === '' ? `long v${at} = ${to};` : `long v${at} = __atomic_load_n(&${to}, ${word});`;
    case 'F':
      return order === '' ? '__sync_synchronize();' : `__atomic_thread_fence(${word});`;
    case 'A':
      return `long v${at} = __atomic_fetch_add(&${to}, ${value}, ${word});`;
    case 'X':
      return `long v${at} = __atomic_exchange_n(&${to}, ${value}, ${word});`;
  }
}
