/**
 * Whether a program sees more of the identifiers of threads than that they differ: computes with them, or compares them
 * with numbers. Here a thread has the same number in all executions; where it depends on the execution which threads
 * are created before it, such a program would see another one. (The interpreter numbers threads as they are created.)
 *
 * Followed are identifiers in registers, in objects whose names the program's accesses say, and in memory behind
 * pointers as far as it is read as what identifiers are. Thread routines may do with them what they like.
 */

import { baseObject } from '../program/base-object.ts';
import type { Code, CodeFunction, FunctionId, Instruction, Value } from '../program/code.ts';
import { operandsOf, partsOf } from '../program/operands.ts';

const CREATES: ReadonlySet<string> = new Set(['pthread_create', 'thrd_create']);
const TELLS: ReadonlySet<string> = new Set(['pthread_self', 'thrd_current']);
/** Routines that tell how bytes compare, of identifiers, too. */
const COMPARES: ReadonlySet<string> = new Set(['memcmp', 'bcmp', 'strcmp', 'strncmp', 'memchr']);
/** Routines that make of an identifier what is followed no further. */
const TAKES: ReadonlySet<string> = new Set([
  ...['abs', 'labs', 'llabs', 'imaxabs', 'sprintf', 'snprintf'],
  ...['pthread_setspecific', 'tss_set', 'pthread_exit'],
]);
const EQUALS: ReadonlySet<string> = new Set(['pthread_equal', 'thrd_equal']);
/** No object by name. */
const SOMEWHERE = -1;

export function seesIdentifiers(code: Code): boolean {
  return new IdentifierFlow(code).run();
}

class IdentifierFlow {
  readonly #code: Code;
  readonly #own: readonly CodeFunction[];
  /** Registers that hold one, by function; functions that return one; objects that hold some. */
  readonly #registers = new Set<string>();
  readonly #results = new Set<FunctionId>();
  readonly #objects = new Set<number>();
  #hasChanged = false;

  constructor(code: Code) {
    this.#code = code;
    this.#own = code.functions.filter(({ isModel }) => !isModel);
  }

  run(): boolean {
    for (;;) {
      this.#hasChanged = false;
      const looks = this.#own.map((each) => each.instructions.filter((one) => this.#isLook(each, one)).length);
      // What is no identifier as far as is known may turn out to be one.
      if (!this.#hasChanged) return looks.some((count) => count > 0);
    }
  }

  /** Notes where identifiers go, if the instruction does no more than to copy or compare them. */
  #isLook(from: CodeFunction, instruction: Instruction): boolean {
    const isOne = (value: Value) => this.#isIdentifier(from, value);
    switch (instruction.kind) {
      case 'set':
        if (isOne(instruction.value)) this.#add(this.#registers, `${from.id}:${instruction.register}`);
        return this.#looks(from, instruction.value);
      case 'load':
        if (this.#isRead(instruction)) this.#add(this.#registers, `${from.id}:${instruction.register}`);
        return this.#sees(from, instruction.address);
      case 'store':
        if (isOne(instruction.value)) this.#add(this.#objects, baseObject(instruction.address));
        return this.#looks(from, instruction.value) || this.#sees(from, instruction.address);
      case 'return':
        if (instruction.value && isOne(instruction.value)) this.#add(this.#results, from.id);
        return instruction.value !== null && this.#looks(from, instruction.value);
      case 'call':
        return this.#isCallLook(from, instruction);
      case 'branch':
      case 'assume':
      case 'assert':
        return this.#looks(from, instruction.condition);
      default:
        return operandsOf(instruction).some((value) => this.#looks(from, value) || isOne(value));
    }
  }

  #isCallLook(from: CodeFunction, { callee, args, register }: Extract<Instruction, { kind: 'call' }>): boolean {
    const known = typeof callee === 'number' ? this.#code.functions[callee] : undefined;
    const called = known === undefined ? this.#own : [known];
    if (known && CREATES.has(known.name) && known.isModel && args[0]) this.#add(this.#objects, baseObject(args[0]));
    const tells = called.some(({ name, isModel, id }) => (isModel && TELLS.has(name)) || this.#results.has(id));
    if (register !== null && tells) this.#add(this.#registers, `${from.id}:${register}`);
    args.forEach((value, i) => {
      if (!this.#isIdentifier(from, value)) return;
      // What a new thread is given, its start routine gets.
      const targets = known && CREATES.has(known.name) ? this.#own : called.filter(({ isModel }) => !isModel);
      for (const { id } of targets) this.#add(this.#registers, `${id}:${known && CREATES.has(known.name) ? 0 : i}`);
    });
    const mayHold = (value: Value) => this.#objects.has(baseObject(value)) || baseObject(value) === SOMEWHERE;
    const compares = called.some(({ name, isModel }) => isModel && COMPARES.has(name));
    if (compares && this.#objects.size > 0 && args.some(mayHold)) return true;
    if (known?.isModel && args.some((value) => this.#isIdentifier(from, value))) {
      if (TAKES.has(known.name) || (EQUALS.has(known.name) && args.some(isNumber))) return true;
    }
    // What a thread returns is told to who joins it.
    const asks = known?.isModel && known.name === 'pthread_join' && args[1] !== undefined && !isZero(args[1]);
    if (asks && this.#results.size > 0) return true;
    return known?.isModel !== true && args.some((value) => this.#looks(from, value));
  }

  /** The address is not said by name where a pointer leads: what is read there as wide as identifiers may be one. */
  #isRead({ address, type }: Extract<Instruction, { kind: 'load' }>): boolean {
    const base = baseObject(address);
    if (base !== SOMEWHERE) return this.#objects.has(base) && type.kind === 'integer' && !type.pointer;
    const bits = this.#code.dataModel === 'ILP32' ? 32 : 64;
    return (
      this.#objects.has(SOMEWHERE) && type.kind === 'integer' && type.bits === bits && !type.signed && !type.pointer
    );
  }

  /** A copy of one, in whichever width. */
  #isIdentifier(from: CodeFunction, value: Value): boolean {
    if (value.kind === 'convert') return this.#isIdentifier(from, value.operand);
    return value.kind === 'register' && this.#registers.has(`${from.id}:${value.register}`);
  }

  /** An identifier is in it, and it is no copy; but that two are the same, or one is none, anybody may ask. */
  #looks(from: CodeFunction, value: Value): boolean {
    if (this.#isIdentifier(from, value)) return false;
    if (value.kind === 'binary' && (value.operation === 'eq' || value.operation === 'ne')) {
      const isPlain = (side: Value): boolean =>
        this.#isIdentifier(from, side) ||
        (side.kind === 'convert' ? isPlain(side.operand) : side.kind === 'constant' && side.value === 0n);
      if (isPlain(value.left) && isPlain(value.right)) return false;
    }
    return partsOf(value).some((part) => this.#looks(from, part) || this.#isIdentifier(from, part));
  }

  #sees(from: CodeFunction, value: Value): boolean {
    return this.#isIdentifier(from, value) || partsOf(value).some((part) => this.#sees(from, part));
  }

  #add<T>(set: Set<T>, value: T): void {
    if (set.has(value)) return;
    set.add(value);
    this.#hasChanged = true;
  }
}

function isZero(value: Value): boolean {
  return value.kind === 'convert' ? isZero(value.operand) : value.kind === 'constant' && value.value === 0n;
}

/** A constant, but that for none. */
function isNumber(value: Value): boolean {
  return value.kind === 'convert' ? isNumber(value.operand) : value.kind === 'constant' && value.value !== 0n;
}
