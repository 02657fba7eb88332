/**
 * Builds the instructions of one function: registers, labels that are placed later than they are used, the scopes whose
 * objects end with them, and at the end the finished list (jumps resolved, unreachable instructions dropped, loops
 * found).
 *
 * A loop is a jump or branch to a place that is not after it. The label there tells which loop of the source it is, and
 * so its name (program/find-loops.ts): several jumps may close one loop of the source.
 */

import type {
  CodeRegister,
  FunctionId,
  Instruction,
  Loop,
  LoopId,
  ObjectId,
  RegisterId,
  ScalarType,
  Value,
} from '../program/code.ts';
import type { SourceLoop } from '../program/find-loops.ts';
import type { VariableSymbol } from '../program/tree.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { codeVariable } from './code-variable.ts';

/** A place in the code that is known by name before it is known by number. */
export interface Label {
  position: number;
  /** Of a loop statement, or of a label of the source: the loop that a jump back closes. */
  loop: LoopOf | null;
}

/** A block or full expression: what happens when it is left. */
export interface LoweredScope {
  /** The objects that end with it, in order of entering. */
  readonly objects: ObjectId[];
  /** Emit the calls of GNU `cleanup`, in order of declaration; they come before any object ends. */
  readonly cleanups: ((loc: Loc) => void)[];
}

type Jump = Extract<Instruction, { kind: 'jump' | 'branch' }>;
/** The place is that of the loop statement or label. */
type LoopOf = Omit<Loop, 'id' | 'name' | 'function'>;

/** Deeper values are split by a register, so that whoever walks a value needs no deep stack. */
const VALUE_DEPTH_LIMIT = 40;

export interface FinishedBody {
  readonly registers: readonly CodeRegister[];
  readonly instructions: readonly Instruction[];
  /**
   * In the order of their closing jumps. `loop` fields of the instructions are indexes into this list until they are
   * renumbered.
   */
  readonly loops: readonly LoopOf[];
}

export class FunctionBuilder {
  readonly #instructions: Instruction[] = [];
  readonly #registers: CodeRegister[] = [];
  readonly #jumpLabels = new Map<number, Label>();
  readonly #depths = new WeakMap<Value, number>();
  readonly scopes: LoweredScope[] = [{ objects: [], cleanups: [] }];

  get length(): number {
    return this.#instructions.length;
  }

  newRegister(type: ScalarType, variable: VariableSymbol | null = null): RegisterId {
    this.#registers.push({ type, variable: variable && codeVariable(variable) });
    return (this.#registers.length - 1) as RegisterId;
  }

  registerType(register: RegisterId): ScalarType {
    const known = this.#registers[register];
    invariant(known, 'a register of this function');
    return known.type;
  }

  /** Whether the register is a variable, which a later assignment may change. */
  isVariable(register: RegisterId): boolean {
    return this.#registers[register]?.variable != null;
  }

  read(register: RegisterId): Value {
    return { kind: 'register', type: this.registerType(register), register };
  }

  emit(instruction: Instruction): void {
    this.#instructions.push(instruction);
  }

  set(register: RegisterId, value: Value, loc: Loc): void {
    this.emit({ kind: 'set', register, value, loc });
  }

  /** The value in a fresh register, whatever it is. */
  keep(value: Value, loc: Loc): Value {
    const register = this.newRegister(value.type);
    this.set(register, value, loc);
    return this.read(register);
  }

  /** The value, in a register unless it is trivial to compute again. */
  share(value: Value, loc: Loc): Value {
    return value.kind === 'binary' || value.kind === 'convert' || value.kind === 'select' || value.kind === 'unary'
      ? this.keep(value, loc)
      : value;
  }

  /** A value that later assignments to variables do not change. */
  stabilise(value: Value, loc: Loc): Value {
    return this.#mentionsVariable(value) ? this.keep(value, loc) : value;
  }

  #mentionsVariable(value: Value): boolean {
    switch (value.kind) {
      case 'register':
        return this.isVariable(value.register);
      case 'unary':
      case 'convert':
        return this.#mentionsVariable(value.operand);
      case 'binary':
      case 'overflows':
        return this.#mentionsVariable(value.left) || this.#mentionsVariable(value.right);
      case 'select':
        return [value.condition, value.then, value.otherwise].some((part) => this.#mentionsVariable(part));
      default:
        return false;
    }
  }

  /** Keeps values shallow: a value that has grown deep moves into a register. */
  shallow(value: Value, loc: Loc): Value {
    return this.#depth(value) > VALUE_DEPTH_LIMIT ? this.keep(value, loc) : value;
  }

  #depth(value: Value): number {
    const known = this.#depths.get(value);
    if (known !== undefined) return known;
    let depth = 1;
    if (value.kind === 'unary' || value.kind === 'convert') depth += this.#depth(value.operand);
    else if (value.kind === 'binary' || value.kind === 'overflows') {
      depth += Math.max(this.#depth(value.left), this.#depth(value.right));
    } else if (value.kind === 'select') {
      depth += Math.max(this.#depth(value.condition), this.#depth(value.then), this.#depth(value.otherwise));
    }
    this.#depths.set(value, depth);
    return depth;
  }

  // -------------------------------------------------------------- control flow

  newLabel(): Label {
    return { position: -1, loop: null };
  }

  newLoopHead(form: Loop['form'], loc: Loc): Label {
    return { position: this.length, loop: { form, loc } };
  }

  /** Places a label that jumps may go back to. */
  placeHead(label: Label, form: Loop['form'], loc: Loc): void {
    this.place(label);
    label.loop = { form, loc };
  }

  place(label: Label): void {
    invariant(label.position < 0, 'a label is placed once');
    label.position = this.length;
  }

  jump(label: Label, loc: Loc): void {
    this.#jumpLabels.set(this.length, label);
    this.emit({ kind: 'jump', target: -1, loop: null, loc });
  }

  /** Goes to the label when the condition is zero. Constant conditions cost nothing. */
  branch(condition: Value, label: Label, loc: Loc): void {
    if (condition.kind === 'constant') {
      if (condition.value === 0n) this.jump(label, loc);
      return;
    }
    this.#jumpLabels.set(this.length, label);
    this.emit({ kind: 'branch', condition, target: -1, loop: null, loc });
  }

  // -------------------------------------------------------------- scopes

  enterScope(): LoweredScope {
    const scope: LoweredScope = { objects: [], cleanups: [] };
    this.scopes.push(scope);
    return scope;
  }

  /** Ends the innermost scope, and its objects with it. */
  leaveScope(loc: Loc): void {
    this.unwindScopes(this.scopes.length - 1, loc);
    this.scopes.pop();
  }

  /** What a jump out of scopes does: ends the objects of all scopes above the given height, which stay open. */
  unwindScopes(height: number, loc: Loc): void {
    for (let i = this.scopes.length - 1; i >= height; i--) {
      const scope = this.scopes[i];
      invariant(scope, 'an open scope');
      cleanUp(scope, 0, loc);
      this.#leaveObjects(scope, loc);
    }
  }

  hasCleanups(): boolean {
    return this.scopes.some((scope) => scope.cleanups.length > 0);
  }

  /** The number of cleanups that are due in each open scope. */
  countCleanups(): number[] {
    return this.scopes.map((scope) => scope.cleanups.length);
  }

  /**
   * Makes the cleanups that are due in the scopes below the height, except for the first `kept[i]` of scope i. No
   * object ends.
   */
  cleanUpScopes(height: number, kept: readonly number[], loc: Loc): void {
    for (let i = height - 1; i >= 0; i--) cleanUp(this.scopes[i] as LoweredScope, kept[i] ?? 0, loc);
  }

  #leaveObjects(scope: LoweredScope, loc: Loc): void {
    for (let i = scope.objects.length - 1; i >= 0; i--) {
      this.emit({ kind: 'leave-object', object: scope.objects[i] as ObjectId, loc });
    }
  }

  // -------------------------------------------------------------- the end

  finish(): FinishedBody {
    const targets = this.#resolveTargets();
    const reachable = findReachable(this.#instructions, targets);
    const isKept = (index: number) => reachable[index] === 1 && !this.#isIdleJump(index, targets, reachable);
    const newIndex = new Int32Array(this.length + 1);
    let count = 0;
    for (let i = 0; i < this.length; i++) {
      newIndex[i] = count;
      if (isKept(i)) count++;
    }
    newIndex[this.length] = count;
    const instructions: Instruction[] = [];
    const loops: LoopOf[] = [];
    for (let i = 0; i < this.length; i++) {
      if (!isKept(i)) continue;
      const instruction = this.#instructions[i] as Instruction;
      const target = targets.get(i);
      if (target === undefined) instructions.push(instruction);
      else
        instructions.push(
          this.#closeJump(instruction as Jump, i, newIndex[target] as number, instructions.length, loops),
        );
    }
    return { registers: this.#registers, instructions, loops };
  }

  #resolveTargets(): Map<number, number> {
    const targets = new Map<number, number>();
    for (const [index, label] of this.#jumpLabels) {
      invariant(label.position >= 0, 'every label that is used is placed');
      targets.set(index, label.position);
    }
    return targets;
  }

  /** A jump to what follows anyway, with only unreachable instructions between. */
  #isIdleJump(index: number, targets: ReadonlyMap<number, number>, reachable: Uint8Array): boolean {
    const target = targets.get(index);
    if (this.#instructions[index]?.kind !== 'jump' || target === undefined || target <= index) return false;
    for (let i = index + 1; i < target; i++) if (reachable[i] === 1) return false;
    return true;
  }

  #closeJump(jump: Jump, oldIndex: number, target: number, index: number, loops: LoopOf[]): Instruction {
    if (target > index) return { ...jump, target };
    const loop = this.#jumpLabels.get(oldIndex)?.loop;
    invariant(loop, 'a jump back goes to the head of a loop');
    loops.push(loop);
    return { ...jump, target, loop: (loops.length - 1) as LoopId };
  }
}

function cleanUp({ cleanups }: LoweredScope, kept: number, loc: Loc): void {
  for (let i = cleanups.length - 1; i >= kept; i--) cleanups[i]?.(loc);
}

function findReachable(instructions: readonly Instruction[], targets: ReadonlyMap<number, number>): Uint8Array {
  const reachable = new Uint8Array(instructions.length + 1);
  const work = [0];
  while (work.length > 0) {
    let at = work.pop() as number;
    while (at < instructions.length && reachable[at] === 0) {
      reachable[at] = 1;
      const target = targets.get(at);
      const kind = instructions[at]?.kind;
      if (target !== undefined) work.push(target);
      if (kind === 'jump' || kind === 'return' || kind === 'halt' || kind === 'end-thread') break;
      at++;
    }
  }
  return reachable;
}

/** Gives the loops of a function their final numbers and names; `named` are those of the source. */
export function numberLoops(
  body: FinishedBody,
  id: FunctionId,
  named: readonly SourceLoop[],
  first: number,
): { readonly instructions: readonly Instruction[]; readonly loops: readonly Loop[] } {
  const places = new Map(named.map(({ loc }, at) => [loc, at]));
  const closed = body.loops.map((loop, closing) => ({ loop, closing, at: places.get(loop.loc) ?? -1 }));
  const inOrder = closed.toSorted((a, b) => a.at - b.at || a.closing - b.closing);
  const loops = inOrder.map(({ loop, at }, i): Loop => {
    const source = named[at];
    invariant(source, 'a loop of the source');
    return { ...loop, id: (first + i) as LoopId, name: source.name, function: id };
  });
  const numbers = new Map(inOrder.map(({ closing }, i) => [closing, (first + i) as LoopId]));
  const instructions = body.instructions.map((instruction) => {
    if ((instruction.kind !== 'jump' && instruction.kind !== 'branch') || instruction.loop === null) return instruction;
    return { ...instruction, loop: numbers.get(instruction.loop) ?? null };
  });
  return { instructions, loops };
}
