/**
 * Loops that threads may spin in: `while (flag) ;`, also with a yield, a failed compare-and-exchange or a failed
 * trylock. A turn of a loop that leaves everything as it was can be left out of an execution: what is reached without
 * it is the same. Executors and provers therefore take such a turn only if it leads out of the loop or to a violation,
 * and end the path where it closes the circle (execute/idle-turns.ts).
 *
 * What is decided here, on Code, is which loops may have such turns and where two turns are best compared: at a *point*
 * that every turn passes and at which as few registers as possible that the loop sets are still needed. Between two
 * visits of the point no locals may come to life or end but those of the turn itself: loops that create threads, end
 * them or call through pointers are left alone. A turn that allocates is not idle, which executors see to.
 *
 * A thread that only ever goes round such a loop waits, if the loop looks at memory that others may write; `for (;;) ;`
 * waits for nothing. Where signals have handlers, which are never called here, nobody is said to wait in a loop.
 */

import { baseObject } from './base-object.ts';
import type {
  Code,
  CodeFunction,
  CodeObject,
  FunctionId,
  Instruction,
  LoopId,
  ObjectId,
  RegisterId,
  Value,
} from './code.ts';
import { type LoopRange, loopRanges } from './instance-key.ts';
import { Liveness } from './liveness.ts';
import { operandsOf, partsOf } from './operands.ts';

export interface SpinLoop {
  readonly loop: LoopId;
  readonly head: number;
  readonly closing: number;
  /** Where turns are compared: the head, or where the loop is entered. */
  readonly point: number;
  /** Those set in the loop whose values at the point matter. */
  readonly carried: readonly RegisterId[];
  /** Locals that every turn overwrites before it reads them: what they hold at the point does not matter. */
  readonly overwritten: readonly ObjectId[];
  /** A turn may write memory. If none does and nothing is carried, every turn is idle. */
  readonly writes: boolean;
  /** A turn may come to an assertion. */
  readonly asserts: boolean;
  /** A turn may look at memory that others write. */
  readonly looks: boolean;
}

/** Every turn leaves everything as it was. */
export function isAlwaysIdle({ carried, writes }: SpinLoop): boolean {
  return carried.length === 0 && !writes;
}

/** What a piece of code may do besides setting registers. */
interface Effects {
  readonly writes: boolean;
  readonly asserts: boolean;
  readonly looks: boolean;
}

const NO_EFFECTS: Effects = { writes: false, asserts: false, looks: false };

/** What a signal's handler may change, and what only asks whether somebody has ended the thread. */
const HANDLERS: ReadonlySet<string> = new Set(['signal', 'sigaction']);
const CANCELLATION = '__lazuli_is_cancelled';

const cache = new WeakMap<Code, SpinLoops>();

/** Found once for all who ask. */
export function spinLoopsOf(code: Code): SpinLoops {
  const known = cache.get(code) ?? new SpinLoops(code);
  cache.set(code, known);
  return known;
}

export class SpinLoops {
  readonly #code: Code;
  readonly #found = new Map<FunctionId, ReadonlyMap<number, SpinLoop>>();
  /** Null for functions that do what no turn may; `open` while they are looked at. */
  readonly #effects = new Map<FunctionId, Effects | null | 'open'>();
  readonly #hasHandlers: boolean;
  /** Objects of a thread's own whose addresses go somewhere: others may write there. */
  readonly #escaping: ReadonlySet<ObjectId>;

  constructor(code: Code) {
    this.#code = code;
    this.#escaping = findEscaping(code);
    this.#hasHandlers = code.functions.some(({ name, isModel }) => isModel && HANDLERS.has(name));
  }

  /** The loops of the function in which threads may spin, by their points. Of several at one point, the outermost. */
  of(each: CodeFunction): ReadonlyMap<number, SpinLoop> {
    const known = this.#found.get(each.id);
    if (known) return known;
    const loops = new Map<number, SpinLoop>();
    const ranges = loopRanges(each);
    const candidates = ranges.flatMap((range) => {
      const effects = this.#effectsOf(each.instructions.slice(range.head, range.closing + 1));
      return effects ? [{ range, effects }] : [];
    });
    const live = candidates.length > 0 ? new Liveness(each) : null;
    for (const { range, effects } of candidates) {
      const chosen = choosePoint(each, range, live as Liveness);
      const overwritten = this.#overwrittenFrom(each, chosen.point);
      loops.set(chosen.point, { ...chosen, ...effects, overwritten });
    }
    this.#found.set(each.id, loops);
    return loops;
  }

  /** By the instructions that follow one another from there on. */
  #overwrittenFrom(each: CodeFunction, point: number): ObjectId[] {
    const read = new Set<ObjectId>();
    const written = new Set<ObjectId>();
    for (const instruction of each.instructions.slice(point)) {
      if (instruction.kind === 'set') continue;
      if (instruction.kind !== 'load' && instruction.kind !== 'store') break;
      const { address, type, kind } = instruction;
      if (address.kind !== 'object-address') break;
      const { id, size, duration } = this.#code.objects[address.object] as CodeObject;
      if (kind === 'load') read.add(id);
      else if (duration === 'automatic' && type.bits === 8 * size && !read.has(id)) written.add(id);
    }
    return [...written];
  }

  #effectsOf(instructions: readonly Instruction[]): Effects | null {
    let { writes, asserts, looks } = NO_EFFECTS;
    for (const instruction of instructions) {
      const own = this.#effectsOfOne(instruction);
      if (!own) return null;
      writes ||= own.writes;
      asserts ||= own.asserts;
      looks ||= own.looks;
    }
    return { writes, asserts, looks };
  }

  #effectsOfOne(instruction: Instruction): Effects | null {
    switch (instruction.kind) {
      case 'store':
      case 'allocate':
        return { ...NO_EFFECTS, writes: true };
      case 'load':
        return { ...NO_EFFECTS, looks: !this.#hasHandlers && this.#isForeign(instruction.address) };
      case 'assert':
        return { ...NO_EFFECTS, asserts: true };
      case 'call':
        return typeof instruction.callee === 'number' ? this.#effectsOfFunction(instruction.callee) : null;
      case 'free':
        return { ...NO_EFFECTS, writes: true, asserts: true };
      case 'spawn':
        return null;
      default:
        return NO_EFFECTS;
    }
  }

  #effectsOfFunction(id: FunctionId): Effects | null {
    const known = this.#effects.get(id);
    if (known === 'open') return null;
    if (known !== undefined) return known;
    this.#effects.set(id, 'open');
    const each = this.#code.functions[id] as CodeFunction;
    const found = this.#effectsOf(each.instructions);
    const effects = found && { ...found, looks: found.looks && each.name !== CANCELLATION };
    this.#effects.set(id, effects);
    return effects;
  }

  /** Whether others may write there, as far as the address tells. */
  #isForeign(address: Value): boolean {
    const object = this.#code.objects[baseObject(address)];
    if (!object) return true;
    return object.duration === 'static' ? !object.isConstant : this.#escaping.has(object.id);
  }
}

/** Those whose address is more than where a load or a store goes. */
function findEscaping({ functions }: Code): ReadonlySet<ObjectId> {
  const found = new Set<ObjectId>();
  const note = (value: Value): void => {
    if (value.kind === 'object-address') found.add(value.object);
    for (const part of partsOf(value)) note(part);
  };
  for (const instruction of functions.flatMap(({ instructions }) => instructions)) {
    const isAccess = instruction.kind === 'load' || instruction.kind === 'store';
    const place = isAccess && baseObject(instruction.address) >= 0 ? instruction.address : null;
    for (const value of operandsOf(instruction)) if (value !== place) note(value);
  }
  return found;
}

/** Loops are entered at their head or at their condition, by the jump before the head. */
function choosePoint(
  each: CodeFunction,
  range: LoopRange,
  live: Liveness,
): Pick<SpinLoop, 'loop' | 'head' | 'closing' | 'point' | 'carried'> {
  const { loop, head, closing } = range;
  const entry = each.instructions[head - 1];
  const isIn = (pc: number) => pc > head && pc <= closing;
  const points = entry?.kind === 'jump' && isIn(entry.target) ? [entry.target, head] : [head];
  const set = new Set<RegisterId>();
  for (const instruction of each.instructions.slice(head, closing + 1)) {
    if ('register' in instruction && instruction.register !== null) set.add(instruction.register);
  }
  const [best] = points
    .map((point) => ({ point, carried: [...set].filter((register) => live.isLive(point, register)) }))
    .sort((a, b) => a.carried.length - b.carried.length);
  const { point, carried } = best as { point: number; carried: RegisterId[] };
  return { loop, head, closing, point, carried };
}
