/**
 * Loops that threads may spin in for ever, by a look at Code: a loop is none if every way round it makes some progress,
 * so that no turn leaves everything as it was. Progress is a variable that only grows or only shrinks (of those that
 * threads share: whoever writes it, and by no pointer), a wait that is over, an allocation, a new thread, or an input,
 * which may be another one the next time. All else is taken to change nothing, also to take a lock and to give it back:
 * a thread may poll under it.
 */

import { baseObject } from '../../program/base-object.ts';
import type { Code, CodeFunction, FunctionId, Instruction, Value } from '../../program/code.ts';
import { drawAt } from '../../program/draws.ts';
import { type LoopRange, loopRanges } from '../../program/instance-key.ts';
import { operandsOf, partsOf } from '../../program/operands.ts';
import type { Loc } from '../../support/source.ts';

/** Instructions of a loop, or of a whole function, whose own variables are others the next time. */
interface Range extends Pick<LoopRange, 'head' | 'closing'> {
  readonly isFunction: boolean;
}

/** They change something whenever they return, unless the mutex of the first tells of errors. */
const WAITS: ReadonlySet<string> = new Set(['pthread_cond_wait', 'pthread_barrier_wait']);
const KINDS_OF_LOCKS: ReadonlySet<string> = new Set(['pthread_mutexattr_settype', 'pthread_mutexattr_setrobust']);

export interface Spins {
  /** Where a thread with this first function may spin; null where it certainly does not. */
  readonly in: (start: FunctionId) => Loc | null;
  /** Where anybody may. */
  readonly anywhere: Loc | null;
}

export function findSpins(code: Code): Spins {
  const search = new SpinSearch(code);
  const calls = callsOf(code);
  const first = (functions: Iterable<FunctionId>): Loc | null => {
    for (const id of functions) {
      const loc = search.of(code.functions[id] as CodeFunction);
      if (loc !== null) return loc;
    }
    return null;
  };
  return {
    in: (start) => first(reachable(calls, start)),
    anywhere: first(code.functions.map(({ id }) => id)),
  };
}

/** Whom each function may call; whoever calls through a pointer may call anybody. */
function callsOf({ functions }: Code): readonly (readonly FunctionId[])[] {
  const all = functions.map(({ id }) => id);
  return functions.map(({ instructions }) => {
    const callees = instructions.flatMap((each) => (each.kind === 'call' ? [each.callee] : []));
    const known = callees.filter((callee): callee is FunctionId => typeof callee === 'number');
    return known.length < callees.length ? all : known;
  });
}

function reachable(calls: readonly (readonly FunctionId[])[], start: FunctionId): Set<FunctionId> {
  const found = new Set<FunctionId>();
  const work = [start];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    for (const callee of calls[at] ?? []) work.push(callee);
  }
  return found;
}

class SpinSearch {
  readonly #code: Code;
  readonly #knowsErrors: boolean;
  readonly #found = new Map<FunctionId, Loc | null>();
  readonly #returns = new Map<FunctionId, boolean>();
  /** Shared objects that only grow or only shrink. */
  readonly #oneWay: ReadonlySet<number>;

  constructor(code: Code) {
    this.#code = code;
    this.#oneWay = findOneWay(code);
    this.#knowsErrors = code.functions.some(({ name, isModel }) => isModel && KINDS_OF_LOCKS.has(name));
  }

  of(each: CodeFunction): Loc | null {
    const known = this.#found.get(each.id);
    if (known !== undefined) return known;
    const open = loopRanges(each).find((range) => this.#mayIdle(each, range));
    const loc = open ? (this.#code.loops[open.loop]?.loc ?? null) : null;
    this.#found.set(each.id, loc);
    return loc;
  }

  /** Whether some way from the head to the closing jump makes no progress. */
  #mayIdle(each: CodeFunction, range: LoopRange): boolean {
    return this.#mayPass(each, { ...range, isFunction: false }, (_, pc) => pc === range.closing);
  }

  /** Whether some way through the function makes no progress. */
  #mayReturn(id: FunctionId): boolean {
    const known = this.#returns.get(id);
    if (known !== undefined) return known;
    this.#returns.set(id, true);
    const each = this.#code.functions[id] as CodeFunction;
    const all = { head: 0, closing: each.instructions.length - 1, isFunction: true };
    const mayReturn = this.#mayPass(each, all, ({ kind }) => kind === 'return');
    this.#returns.set(id, mayReturn);
    return mayReturn;
  }

  #mayPass(each: CodeFunction, range: Range, isEnd: (instruction: Instruction, pc: number) => boolean): boolean {
    const { head, closing } = range;
    const seen = new Set<number>();
    const work = [head];
    for (let pc = work.pop(); pc !== undefined; pc = work.pop()) {
      if (pc < head || pc > closing || seen.has(pc)) continue;
      seen.add(pc);
      const instruction = each.instructions[pc] as Instruction;
      if (this.#isProgress(each, range, instruction, pc)) continue;
      if (isEnd(instruction, pc)) return true;
      if (instruction.kind === 'jump' || instruction.kind === 'branch') work.push(instruction.target);
      const goesOn = instruction.kind !== 'jump' && instruction.kind !== 'return';
      if (goesOn && instruction.kind !== 'end-thread' && instruction.kind !== 'halt') work.push(pc + 1);
    }
    return false;
  }

  #isProgress(each: CodeFunction, range: Range, instruction: Instruction, pc: number): boolean {
    switch (instruction.kind) {
      case 'spawn':
        return true;
      case 'allocate':
        return !(range.isFunction && instruction.isLocal);
      case 'nondet':
        return drawAt(each, pc) === 'input';
      case 'set':
        return !range.isFunction && counts(each, range, instruction.register);
      case 'store': {
        // Nobody sees how the thread's own variables change, through a pointer or not, if they are as before in the
        // end.
        const isSeen = this.#oneWay.has(baseObject(instruction.address));
        return isSeen && addedToOld(each, range, instruction, pc) !== 0;
      }
      case 'call': {
        const { callee } = instruction;
        if (typeof callee !== 'number') return false;
        const { name } = this.#code.functions[callee] as CodeFunction;
        return (WAITS.has(name) && !this.#knowsErrors) || !this.#mayReturn(callee);
      }
      default:
        return false;
    }
  }
}

/** The sign of a constant that is added to something else; 0 when it is no such sum. */
function stepOf(value: Value, isOld: (value: Value) => boolean): number {
  if (value.kind === 'convert') return stepOf(value.operand, isOld);
  if (value.kind !== 'binary' || (value.operation !== 'add' && value.operation !== 'sub')) return 0;
  const { left, right, operation } = value;
  const old = left.kind === 'convert' ? left.operand : left;
  if (!isOld(old) || right.kind !== 'constant' || right.value === 0n) return 0;
  const sign = right.value > 0n ? 1 : -1;
  return operation === 'add' ? sign : -sign;
}

/** Whatever in the loop sets the register makes it larger, or whatever does makes it smaller; `i++` by a copy of it. */
function counts({ instructions }: CodeFunction, { head, closing }: Range, register: number): boolean {
  const isRegister = (value: Value, wanted: number) => value.kind === 'register' && value.register === wanted;
  const steps = new Set<number>();
  for (let pc = head; pc <= closing; pc++) {
    const each = instructions[pc] as Instruction;
    if (!('register' in each) || each.register !== register) continue;
    const isEntered = instructions.some((other) => 'target' in other && other.target === pc);
    const last = pc > head && !isEntered ? instructions[pc - 1] : undefined;
    const copy = last?.kind === 'set' && isRegister(last.value, register) ? last.register : register;
    const isOld = (value: Value) => isRegister(value, register) || isRegister(value, copy);
    steps.add(each.kind === 'set' ? stepOf(each.value, isOld) : 0);
  }
  return steps.size === 1 && !steps.has(0);
}

/** Static objects whose addresses go nowhere but into accesses, and to which all stores add with the same sign. */
function findOneWay({ functions, objects }: Code): ReadonlySet<number> {
  const signs = new Map<number, Set<number>>();
  for (const { id, duration } of objects) if (duration === 'static') signs.set(id, new Set());
  const giveAway = (value: Value): void => {
    if (value.kind === 'object-address') signs.delete(value.object);
    for (const part of partsOf(value)) giveAway(part);
  };
  for (const { initial } of objects) for (const { value } of initial) giveAway(value);
  for (const each of functions) {
    for (const [pc, instruction] of each.instructions.entries()) {
      if (instruction.kind === 'store') {
        signs.get(baseObject(instruction.address))?.add(addedToOld(each, { head: 0 }, instruction, pc));
        giveAway(instruction.value);
      } else if (instruction.kind !== 'load') for (const operand of operandsOf(instruction)) giveAway(operand);
    }
  }
  return new Set([...signs].flatMap(([id, found]) => (found.size === 1 && !found.has(0) ? [id] : [])));
}

/** The sign of what is added, if what is stored was read from the same place shortly before; or else 0. */
function addedToOld(
  { instructions }: CodeFunction,
  { head }: Pick<Range, 'head'>,
  { address, value }: Extract<Instruction, { kind: 'store' }>,
  pc: number,
): number {
  const place = spell(address);
  let stored = value;
  for (let at = pc - 1; at >= head; at--) {
    const each = instructions[at] as Instruction;
    if (each.kind === 'load' && spell(each.address) === place) {
      const { register } = each;
      return stepOf(stored, (old) => old.kind === 'register' && old.register === register);
    }
    if (each.kind !== 'set' && each.kind !== 'atomic-begin') return 0;
    if (each.kind !== 'set') continue;
    if (place.includes(`"register":${each.register}`)) return 0;
    if (stored.kind === 'register' && stored.register === each.register) stored = each.value;
  }
  return 0;
}

function spell(value: Value): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part));
}
