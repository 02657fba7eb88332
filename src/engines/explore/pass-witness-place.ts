/**
 * When a run passes a place of a witness: it is there, with the right thread, and what the witness says holds. Of a
 * statement that is its first event, before which its conditions hold; of a call the call itself; of a return the value
 * that comes back; of a branch the way that it goes, found by where in the text the run goes on.
 *
 * Conditions are comparisons of variables with integers, all of which hold: registers are looked up, and of memory what
 * was written last under a name, so that arrays and members are not looked at: a comparison of theirs counts as held.
 * Columns are compared where instructions have them: what stands before the column in its line is not yet the place.
 */

import type { Code, Instruction } from '../../program/code.ts';
import type { Loc } from '../../support/source.ts';
import type { Machine } from '../../trace/interpreter/machine.ts';
import type { Frame, MachineEvent, Scalar } from '../../trace/interpreter/state.ts';
import type { WitnessCondition, WitnessPlace } from '../check-options.ts';
import { type BranchingStatement, findBranching, findCase, type Span } from './witness-branches.ts';

/** What a recorder sees. */
export interface Seen {
  readonly machine: Machine;
  readonly event: MachineEvent;
  readonly frame: Frame;
  readonly instruction: Instruction;
}

/** `otherwise`: at the place, but what the witness says does not hold; `no branching`: nothing there branches. */
export type Passage = 'passed' | 'elsewhere' | 'otherwise' | 'no branching';

/** Whether a place is that of a witness, but for what holds there. */
export function isOf({ thread, file, line }: WitnessPlace, id: number, where: string, at: number): boolean {
  const isThere = (line === at || line === 0) && (file === null || where.split('/').at(-1) === file);
  return isThere && (thread === null || thread === id);
}

/** Instructions of which a recorder sees nothing. */
const SILENT: ReadonlySet<Instruction['kind']> = new Set(['jump', 'enter-object', 'leave-object', 'halt']);

/**
 * A witness without the places that no run can be seen to pass: of declarations, braces and the like, where nothing is
 * executed. The last place stays, and so does what has conditions.
 */
export function keepVisible(path: readonly WitnessPlace[], { functions, sources }: Code): readonly WitnessPlace[] {
  const lines = new Set<string>();
  for (const { isModel, instructions } of functions) {
    if (isModel) continue;
    for (const { kind, loc } of instructions) {
      const place = SILENT.has(kind) ? null : sources.place(loc);
      if (place) lines.add(`${place.file.split('/').at(-1)}:${place.line}`).add(`:${place.line}`);
    }
  }
  const isVisible = ({ kind, file, line, conditions }: WitnessPlace) =>
    kind !== 'statement' || conditions.length > 0 || lines.has(`${file ?? ''}:${line}`);
  return path.filter((place, at) => at === path.length - 1 || isVisible(place));
}

/** Events that entering a function shows, also where it is no function of the program's. */
const ENTERING: ReadonlySet<MachineEvent['kind']> = new Set([
  ...(['call', 'spawn', 'assume', 'assert', 'atomic-begin', 'atomic-end', 'fence'] as const),
  ...(['allocate', 'free', 'exit', 'violation'] as const),
]);

export class WitnessPlaces {
  readonly #code: Code;
  /** Of the current run: what was last written under a name; locals with their thread. */
  #written = new Map<string, Scalar>();
  /** Registers as they were before the event that is looked at. */
  #registers = new WeakMap<Frame, Map<number, Scalar>>();
  readonly #branchings = new Map<WitnessPlace, BranchingStatement | null>();

  constructor(code: Code) {
    this.#code = code;
  }

  begin(): void {
    this.#written = new Map();
    this.#registers = new WeakMap();
    for (const { name, duration, initial } of this.#code.objects) {
      if (duration !== 'static') continue;
      const first = initial.find(({ offset }) => offset === 0)?.value;
      if (first === undefined) this.#written.set(name, 0);
      else if (first.kind === 'constant') this.#written.set(name, first.value);
    }
  }

  /** After all questions about an event: what it changes. */
  learn({ machine, event, frame }: Seen): void {
    if (event.kind === 'set') {
      const known = this.#registers.get(frame) ?? new Map<number, Scalar>();
      this.#registers.set(frame, known.set(event.register, event.value));
    }
    if (event.kind !== 'write') return;
    const region = machine.memory.find(event.address);
    if (!region || region.object < 0 || region.base !== event.address) return;
    const name = this.#code.objects[region.object]?.name ?? '';
    this.#written.set(region.kind === 'static' ? name : `${region.thread}:${name}`, event.value);
  }

  pass(place: WitnessPlace, seen: Seen): Passage {
    const { event, frame, instruction } = seen;
    if (place.kind === 'return') return this.#passReturn(place, seen);
    if (place.function !== undefined && isIn(frame, place)) return place.isNever ? 'otherwise' : 'passed';
    if (frame.function.source.isModel) return 'elsewhere';
    if (place.kind === 'branching') return this.#passBranching(place, seen);
    if (!this.#isAt(place, frame, instruction.loc)) return 'elsewhere';
    if (place.isNever) return 'otherwise';
    if (place.kind === 'enter' && !ENTERING.has(event.kind) && !(event.kind === 'set' && event.isInput))
      return 'elsewhere';
    return place.conditions.every((condition) => this.#holds(condition, seen, null)) ? 'passed' : 'otherwise';
  }

  #isAt(place: WitnessPlace, { thread }: Frame, loc: Loc): boolean {
    const found = this.#code.sources.place(loc);
    if (!found || !isOf(place, thread.id, found.file, found.line)) return false;
    const isCompared = place.kind === 'statement' && place.column !== null;
    return !isCompared || found.column >= (place.column as number);
  }

  #passReturn(place: WitnessPlace, seen: Seen): Passage {
    const { event, frame, instruction } = seen;
    // An input comes back at once; other functions return to where they were called.
    const isInput = event.kind === 'set' && event.isInput && !frame.function.source.isModel;
    if (event.kind !== 'return' && !isInput) return 'elsewhere';
    const caller = event.kind === 'return' ? frame.parent : frame;
    if (!caller || caller.function.source.isModel) return 'elsewhere';
    const loc = isInput ? instruction.loc : caller.function.source.instructions[frame.callPc]?.loc;
    if (loc === undefined || !this.#isAt(place, caller, loc)) return 'elsewhere';
    const result = event.value;
    const held = place.conditions.every((condition) => this.#holds(condition, { ...seen, frame: caller }, result));
    return held && !place.isNever ? 'passed' : 'otherwise';
  }

  // ---------------------------------------------------------------- values

  #holds({ name, relation, value }: WitnessCondition, seen: Seen, result: Scalar | null): boolean {
    const found = name === '\\result' ? result : this.#valueOf(name, seen);
    if (found === null || found === undefined) return true;
    return compare(found, relation, BigInt(value));
  }

  #valueOf(name: string, { event, frame }: Seen): Scalar | null {
    const { registers } = frame.function.source;
    const own = registers.flatMap(({ variable }, at) => (variable?.name === name ? [at] : []));
    const [register] = own;
    if (own.length > 1) return null;
    if (register === undefined)
      return this.#written.get(`${frame.thread.id}:${name}`) ?? this.#written.get(name) ?? null;
    const isSet = event.kind === 'set' && event.register === register;
    return (isSet ? this.#registers.get(frame)?.get(register) : frame.registers[register]) ?? null;
  }

  // ---------------------------------------------------------------- branches

  #passBranching(place: WitnessPlace, { event, frame, instruction }: Seen): Passage {
    const { sources } = this.#code;
    const offsetOf = (loc: Loc) => sources.offsetOf(sources.expansionOf(loc));
    const file = sources.fileOf(instruction.loc);
    if (!file) return 'elsewhere';
    const offset = offsetOf(instruction.loc);
    if (!this.#branchings.has(place)) {
      if (!this.#isAt(place, frame, instruction.loc)) return 'elsewhere';
      const { column = 1 } = sources.place(instruction.loc) ?? {};
      this.#branchings.set(place, findBranching(file, offset - (column - 1), place.column));
    }
    const statement = this.#branchings.get(place);
    if (!statement) return this.#isAt(place, frame, instruction.loc) ? 'no branching' : 'elsewhere';
    const isOther = place.thread !== null && place.thread !== frame.thread.id;
    if (event.kind !== 'branch' || isOther) return 'elsewhere';
    if (statement.keyword === 'switch') {
      // The branches of a switch stand at its labels.
      const span = findCase(file, statement, place.way ?? '');
      const next = within(statement.body, offset) ? nextLoc(frame, -1) : null;
      if (!span) return 'no branching';
      return next !== null && within(span, offsetOf(next.loc)) ? 'passed' : 'elsewhere';
    }
    if (!within(statement.condition, offset)) return 'elsewhere';
    const next = nextLoc(frame, frame.function.source.instructions.indexOf(instruction));
    // Further on in the condition nothing is decided; back in it, a loop that only waits goes round.
    if (next !== null && within(statement.condition, offsetOf(next.loc)) && !next.isBack) return 'elsewhere';
    const isTrue = next !== null && (within(statement.body, offsetOf(next.loc)) || next.isBack);
    return String(isTrue) === place.way ? 'passed' : 'otherwise';
  }
}

function within({ start, end }: Span, offset: number): boolean {
  return offset >= start && offset < end;
}

function isIn({ function: { source }, thread }: Frame, place: WitnessPlace): boolean {
  return source.name === place.function && (place.thread === null || place.thread === thread.id);
}

/** What the thread executes next, past jumps; `isBack`: it stands at or before the instruction. */
function nextLoc(frame: Frame, from: number): { readonly loc: Loc; readonly isBack: boolean } | null {
  const { instructions } = frame.function.source;
  let { pc } = frame;
  for (let jumps = 0; jumps < instructions.length; jumps++) {
    const instruction = instructions[pc];
    if (!instruction) return null;
    if (instruction.kind !== 'jump') return { loc: instruction.loc, isBack: pc <= from };
    pc = instruction.target;
  }
  return null;
}

function compare(found: Scalar, relation: WitnessCondition['relation'], value: bigint): boolean {
  const own = typeof found === 'bigint' ? found : Number.isInteger(found) ? BigInt(found) : null;
  if (own === null) return true;
  switch (relation) {
    case '==':
      return own === value;
    case '!=':
      return own !== value;
    case '<':
      return own < value;
    case '<=':
      return own <= value;
    case '>':
      return own > value;
    case '>=':
      return own >= value;
    default:
      return relation satisfies never;
  }
}
