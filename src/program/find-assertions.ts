/**
 * The assertions of the program's own text, and where an execution has come to each of them: what a bounded verdict
 * that says "safe" is about.
 *
 * `assert(e)` is come to when it is executed. What always fails (`reach_error()`, a label ERROR, `assert(0)`) is never
 * executed by a correct program: an execution comes to it at the branches that decide whether it is executed, as in
 * `if (!ok) reach_error();`, or at the last assumption before it, as in `assume(!ok); reach_error();`. Where a whole
 * function is such a failure, its calls are. And a function that does nothing but look at its arguments (a
 * `__VERIFIER_assert` with a body) is an assertion at each of its calls.
 *
 * Left out: assertions in functions that nothing calls.
 */

import type { Loc } from '../support/source.ts';
import type { Code, CodeFunction, CodePoint, FunctionId, Instruction, Value } from './code.ts';
import { findCalled, successors } from './control-flow.ts';

export interface AssertionSite {
  readonly loc: Loc;
  /** An execution that comes to one of these has come to the assertion. */
  readonly points: readonly CodePoint[];
}

/** Several failures that the same branches decide are one assertion. */
export function findAssertions(code: Code): readonly AssertionSite[] {
  const finder = new AssertionFinder(code);
  for (const each of code.functions) finder.look(each);
  return [...finder.sites.values()];
}

class AssertionFinder {
  readonly sites = new Map<string, AssertionSite>();
  readonly #code: Code;
  readonly #calls = new Map<FunctionId, CodePoint[]>();
  readonly #called: ReadonlySet<CodeFunction>;
  /** Functions whose callers are being looked at. */
  readonly #active = new Set<FunctionId>();

  constructor(code: Code) {
    this.#code = code;
    this.#called = new Set(findCalled(code));
    for (const each of this.#called) {
      if (each.isModel) continue;
      for (const [pc, instruction] of each.instructions.entries()) {
        if (instruction.kind !== 'call' || typeof instruction.callee !== 'number') continue;
        const known = this.#calls.get(instruction.callee);
        if (known) known.push({ function: each.id, pc });
        else this.#calls.set(instruction.callee, [{ function: each.id, pc }]);
      }
    }
  }

  look(each: CodeFunction): void {
    if (each.isModel || !this.#called.has(each)) return;
    for (const [pc, instruction] of each.instructions.entries()) {
      if (instruction.kind !== 'assert' || instruction.check !== 'assertion') continue;
      this.#site(each, pc, isZero(instruction.condition));
    }
  }

  /** `fails`: whenever the instruction is executed, the program is broken. */
  #site(each: CodeFunction, pc: number, fails: boolean): void {
    const { loc } = each.instructions[pc] as Instruction;
    const point = { function: each.id, pc };
    const calls = this.#calls.get(each.id) ?? [];
    if (looksAtArgumentsOnly(each) && calls.length > 0) {
      for (const call of calls) this.#add(this.#locOf(call), [call]);
      return;
    }
    if (!fails) {
      this.#add(loc, [point]);
      return;
    }
    const branches = decidingBranches(each.instructions, pc) ?? decidingInLoop(each.instructions, pc);
    const decisions = branches.length > 0 ? branches : this.#lastAssumption(each.instructions, pc);
    const deciding = decisions.map((at) => ({ function: each.id, pc: at }));
    if (deciding.length > 0) this.#add(loc, deciding);
    else if (calls.length === 0 || this.#active.has(each.id)) this.#add(loc, [point]);
    else {
      this.#active.add(each.id);
      for (const call of calls) this.#site(this.#code.functions[call.function] as CodeFunction, call.pc, true);
      this.#active.delete(each.id);
    }
  }

  /**
   * The last assumption before an instruction; also one that is a function. What lies between must be straight: an
   * execution may be cut off in a loop or in a call.
   */
  #lastAssumption(instructions: readonly Instruction[], pc: number): readonly number[] {
    for (let at = pc - 1; at >= 0; at--) {
      const instruction = instructions[at] as Instruction;
      if (instruction.kind === 'assume' || this.#callsAssumption(instruction)) return [at];
      if (!isStraight(instruction)) return [];
    }
    return [];
  }

  /** A function such as `void assume_abort_if_not(int condition) { if (!condition) abort(); }`. */
  #callsAssumption(instruction: Instruction): boolean {
    if (instruction.kind !== 'call' || typeof instruction.callee !== 'number') return false;
    const callee = this.#code.functions[instruction.callee];
    return callee !== undefined && !callee.isModel && looksAtArgumentsOnly(callee) && this.#mayEnd(callee);
  }

  #mayEnd({ instructions }: CodeFunction): boolean {
    return instructions.some(
      ({ kind }) => kind === 'assume' || kind === 'halt' || kind === 'call', // A call of `abort`, say.
    );
  }

  #locOf({ function: id, pc }: CodePoint): Loc {
    return this.#code.functions[id]?.instructions[pc]?.loc as Loc;
  }

  #add(loc: Loc, points: readonly CodePoint[]): void {
    const key = points.map((point) => `${point.function}:${point.pc}`).join(' ');
    if (!this.sites.has(key)) this.sites.set(key, { loc, points });
  }
}

function isStraight({ kind }: Instruction): boolean {
  return kind !== 'call' && kind !== 'branch' && kind !== 'jump' && kind !== 'return' && kind !== 'halt';
}

function isZero(value: Value): boolean {
  return value.kind === 'constant' && value.value === 0n;
}

/** Its result and its effects depend on nothing but its arguments, and it has no effects but to end the program. */
function looksAtArgumentsOnly({ parameters, instructions }: CodeFunction): boolean {
  const kinds: ReadonlySet<Instruction['kind']> = new Set([
    'set',
    'jump',
    'branch',
    'assert',
    'assume',
    'call',
    'return',
    'halt',
  ]);
  return parameters > 0 && instructions.every(({ kind }) => kinds.has(kind));
}

/** The branches of which one side always leads to the instruction and the other one need not; null if all ways do. */
function decidingBranches(instructions: readonly Instruction[], pc: number): readonly number[] | null {
  const leads = reachingBackwards(instructions, [pc], -1);
  // Where it cannot be reached any more, for all has ended or goes round for ever.
  const lost = [...instructions.keys()].filter((at) => !leads.has(at));
  const avoids = reachingBackwards(instructions, lost, pc);
  const isBound = (at: number) => !avoids.has(at);
  const found = instructions.flatMap((instruction, at) =>
    instruction.kind === 'branch' && avoids.has(at) && successors(instructions, at).some(isBound) ? [at] : [],
  );
  return found.length > 0 ? found : null;
}

/**
 * In a loop that nothing else ends, all ways lead to the instruction, sooner or later or never: there the branches
 * decide that lead to it without going round again. Those that leave the loop first are its condition, and decide
 * nothing but how long it takes.
 */
function decidingInLoop(instructions: readonly Instruction[], pc: number): readonly number[] {
  const bound = new Set([pc]);
  for (let before = 0; before < bound.size; ) {
    before = bound.size;
    for (let at = instructions.length - 1; at >= 0; at--) {
      const next = successors(instructions, at);
      if (next.length > 0 && next.every((each) => bound.has(each))) bound.add(at);
    }
  }
  const loops = instructions.flatMap((_, at) =>
    successors(instructions, at).flatMap((head) => (head <= at ? [{ head, closing: at }] : [])),
  );
  const staysInLoops = (at: number, next: number) =>
    loops.every(({ head, closing }) => at < head || at > closing || (next >= head && next <= closing));
  return instructions.flatMap((instruction, at) => {
    if (instruction.kind !== 'branch' || bound.has(at)) return [];
    return successors(instructions, at).some((next) => bound.has(next) && staysInLoops(at, next)) ? [at] : [];
  });
}

/** The instructions from which one of the targets can be reached without passing `except`. */
function reachingBackwards(
  instructions: readonly Instruction[],
  targets: readonly number[],
  except: number,
): ReadonlySet<number> {
  const before = new Map<number, number[]>();
  for (const at of instructions.keys()) {
    for (const next of successors(instructions, at)) {
      const known = before.get(next);
      if (known) known.push(at);
      else before.set(next, [at]);
    }
  }
  const found = new Set(targets.filter((at) => at !== except));
  for (const at of found) for (const each of before.get(at) ?? []) if (each !== except) found.add(each);
  return found;
}
