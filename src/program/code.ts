/**
 * Code: the lowered form of a program that both engines execute, the concrete interpreter and the symbolic one. Each
 * function is a flat list of instructions with jumps by index; expressions inside instructions are pure (registers and
 * constants only), so every access to memory is an instruction of its own. That is the granularity of interleaving: an
 * access to memory that another thread can reach is one step, unless it lies in an atomic section.
 *
 * Conventions:
 * - A register holds one scalar. Local scalars whose address is never taken are registers; all other locals are objects
 *   in memory.
 * - Memory is byte-addressed; every object has an address of its own, given by whoever executes. Pointers are plain
 *   integers of the word size, so that casts, tags in pointer bits, byte access and `memcpy` need no special cases.
 * - `branch` goes to `target` when the condition is false and falls through when it is true. A jump to an index that is
 *   not greater than its own closes a loop; its `loop` names it. Structured loops are contiguous: everything between
 *   the head and the closing jump.
 * - Values in registers are normalised to their type: sign- or zero-extended integers, `_Bool` is 0 or 1.
 * - Code is immutable once built; registers, objects and functions are dense indexes.
 */

import type { Loc, SourceMap } from '../support/source.ts';
import type { CheckName } from './check-names.ts';
import type { DataModel } from './data-model.ts';
import type { LoopForm } from './find-loops.ts';
import type { AccessMode, MemoryOrder } from './memory-order.ts';
import type { VariableSymbol } from './tree.ts';
import type { Type } from './types.ts';

declare const registerBrand: unique symbol;
declare const functionBrand: unique symbol;
declare const objectBrand: unique symbol;
export type RegisterId = number & { readonly [registerBrand]: true };
export type FunctionId = number & { readonly [functionBrand]: true };

/** An instruction of a function. */
export interface CodePoint {
  readonly function: FunctionId;
  readonly pc: number;
}
/** A declared object: a global, a string literal or a local (of which each activation has an instance). */
export type ObjectId = number & { readonly [objectBrand]: true };

/** Pointers are unsigned integers of the word size with `pointer: true` (which only analyses and printers look at). */
export type ScalarType =
  | {
      readonly kind: 'integer';
      readonly bits: 8 | 16 | 32 | 64 | 128;
      readonly signed: boolean;
      readonly pointer: boolean;
    }
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 | 80 | 128 };

// ---------------------------------------------------------------- values

/** Whether a result can be taken for another one by a call through a pointer: see the instruction `call`. */
export function isTakenFor(result: ScalarType, wanted: ScalarType): boolean {
  if (result.bits === wanted.bits) return true;
  const fillsRegister = ({ kind, bits }: ScalarType) => kind === 'integer' && (bits === 32 || bits === 64);
  return fillsRegister(result) && fillsRegister(wanted);
}

/**
 * Whether an argument can be passed for a parameter by a call through a pointer: of the same sort and width, or an
 * integer of which a narrower parameter takes the lower bits, as from a register.
 */
export function isPassedFor(given: ScalarType | undefined, parameter: ScalarType): boolean {
  if (given?.kind !== parameter.kind) return false;
  return given.bits === parameter.bits || (given.kind === 'integer' && given.bits <= 64 && parameter.bits < given.bits);
}

export type BinaryOperation =
  // Both operands and the result have the same type. Division and remainder truncate; their divisor is not zero (a
  // check precedes them). Shift amounts may have another type; too large amounts give 0 or the sign (a check precedes).
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'rem'
  | 'shl'
  | 'shr'
  | 'and'
  | 'or'
  | 'xor'
  // Operands of the same type; the result is an int (32 bits signed) 0 or 1. Signedness by the operands' type.
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le';

export type Value =
  | { readonly kind: 'constant'; readonly type: ScalarType; readonly value: bigint }
  | { readonly kind: 'float-constant'; readonly type: ScalarType; readonly value: number }
  | { readonly kind: 'register'; readonly type: ScalarType; readonly register: RegisterId }
  /** The address of an object (of the current activation, for a local) plus a constant. */
  | { readonly kind: 'object-address'; readonly type: ScalarType; readonly object: ObjectId; readonly offset: number }
  | { readonly kind: 'function-address'; readonly type: ScalarType; readonly function: FunctionId }
  | { readonly kind: 'unary'; readonly type: ScalarType; readonly operation: 'neg' | 'not'; readonly operand: Value }
  | {
      readonly kind: 'binary';
      readonly type: ScalarType;
      readonly operation: BinaryOperation;
      readonly left: Value;
      readonly right: Value;
    }
  /** Conversion between scalar types with C's meaning (wrap, extend, round, truncate). To _Bool is `ne 0`. */
  | { readonly kind: 'convert'; readonly type: ScalarType; readonly operand: Value }
  /** Both sides are pure, so evaluating both is harmless. */
  | {
      readonly kind: 'select';
      readonly type: ScalarType;
      readonly condition: Value;
      readonly then: Value;
      readonly otherwise: Value;
    }
  /**
   * True (int 1) when the signed operation on operands of the type of `left` would overflow; for the overflow check.
   * `type` is int. For `neg` the right operand is a zero that does not matter. `shl` overflows when the mathematical
   * left * 2^right does not fit or left is negative.
   */
  | {
      readonly kind: 'overflows';
      readonly type: ScalarType;
      readonly operation: 'add' | 'sub' | 'mul' | 'neg' | 'shl';
      readonly left: Value;
      readonly right: Value;
    };

// ---------------------------------------------------------------- checks

export type { CheckName } from './check-names.ts';

// ---------------------------------------------------------------- instructions

interface InstructionBase {
  readonly loc: Loc;
}

export type Instruction =
  | (InstructionBase & { readonly kind: 'set'; readonly register: RegisterId; readonly value: Value })
  /** The address must be that of `type`-sized valid memory: check `pointer`, done by the executor. */
  | (InstructionBase & {
      readonly kind: 'load';
      readonly register: RegisterId;
      readonly address: Value;
      readonly type: ScalarType;
      readonly mode: AccessMode;
    })
  | (InstructionBase & {
      readonly kind: 'store';
      readonly address: Value;
      readonly value: Value;
      readonly type: ScalarType;
      readonly mode: AccessMode;
    })
  | (InstructionBase & { readonly kind: 'jump'; readonly target: number; readonly loop: LoopId | null })
  /** Falls through when the condition is not zero. */
  | (InstructionBase & {
      readonly kind: 'branch';
      readonly condition: Value;
      readonly target: number;
      readonly loop: LoopId | null;
    })
  /**
   * `callee` is a value for an indirect call; the result register has the signature's result type. A function called
   * through a pointer may have fewer parameters than the signature (the rest is dropped) or such of 32 bits in the
   * place of 64 (which take the lower half), no result although one is wanted (it is then 0), or one of 32 bits in
   * the place of 64 or the other way round (as in a register: zeros above, or cut off); anything else that does not
   * fit is a violation of `pointer`.
   */
  | (InstructionBase & {
      readonly kind: 'call';
      readonly register: RegisterId | null;
      readonly callee: FunctionId | Value;
      readonly args: readonly Value[];
      /** Types of arguments and result, for indirect calls. */
      readonly signature: CallSignature;
    })
  | (InstructionBase & { readonly kind: 'return'; readonly value: Value | null })
  /**
   * Blocks (inside an atomic section: the whole section blocks) until the condition holds; if it never can, the path
   * ends.
   */
  | (InstructionBase & { readonly kind: 'assume'; readonly condition: Value })
  | (InstructionBase & {
      readonly kind: 'assert';
      readonly condition: Value;
      readonly check: CheckName;
      readonly message: string;
    })
  /**
   * Any value of the type (of a _Bool: 0 or 1). `source` names what the user wrote: `__VERIFIER_nondet_int`, an
   * uninitialised `x`.
   */
  | (InstructionBase & {
      readonly kind: 'nondet';
      readonly register: RegisterId;
      readonly type: ScalarType;
      readonly isBool: boolean;
      readonly source: string;
    })
  /**
   * A local object comes to life, its bytes indeterminate or zero; `size` for a variable-length array. Entering an
   * object that is alive ends its former instance.
   */
  | (InstructionBase & {
      readonly kind: 'enter-object';
      readonly object: ObjectId;
      readonly size: Value | null;
      readonly zeroed: boolean;
    })
  /**
   * No effect when the object is not alive (its enter-object stood on another branch). `return` leaves all objects of
   * the activation.
   */
  | (InstructionBase & { readonly kind: 'leave-object'; readonly object: ObjectId })
  | (InstructionBase & {
      readonly kind: 'allocate';
      readonly register: RegisterId;
      readonly size: Value;
      readonly zeroed: boolean;
      /** `alloca`: ends when the activation returns; it is neither leaked nor freed. */
      readonly isLocal: boolean;
      /** The type the result is cast to at once, a hint for how to split the object into cells. */
      readonly elementType: Type | null;
    })
  | (InstructionBase & { readonly kind: 'free'; readonly address: Value })
  | (InstructionBase & { readonly kind: 'object-size'; readonly register: RegisterId; readonly address: Value })
  /** Atomic sections nest: only the outermost end ends the section. An end without a begin has no effect. */
  | (InstructionBase & { readonly kind: 'atomic-begin' })
  | (InstructionBase & { readonly kind: 'atomic-end' })
  /** Orders the accesses before it and after it; where memory is sequentially consistent, it does nothing. */
  | (InstructionBase & { readonly kind: 'fence'; readonly order: MemoryOrder })
  /** Starts a thread in `code.threadEntry(start, argument)`; the register gets its number. */
  | (InstructionBase & {
      readonly kind: 'spawn';
      readonly register: RegisterId;
      readonly start: Value;
      readonly argument: Value;
    })
  | (InstructionBase & { readonly kind: 'self'; readonly register: RegisterId })
  | (InstructionBase & { readonly kind: 'end-thread' })
  /** The whole program ends here. */
  | (InstructionBase & { readonly kind: 'halt' });

export interface CallSignature {
  readonly parameters: readonly ScalarType[];
  readonly result: ScalarType | null;
}

declare const loopBrand: unique symbol;
/** Loops are numbered over the whole program, in the order of the text. */
export type LoopId = number & { readonly [loopBrand]: true };

export interface Loop {
  readonly id: LoopId;
  /** `main.0`, `main.1`, … (find-loops.ts). Several jumps back to one label are loops of the same name. */
  readonly name: string;
  readonly form: LoopForm;
  readonly function: FunctionId;
  /** Of the loop statement or of the label. */
  readonly loc: Loc;
}

// ---------------------------------------------------------------- functions and programs

/** What engines and reports need of a variable: nothing in Code leads back to the tree. */
export type CodeVariable = Readonly<
  Pick<VariableSymbol, 'id' | 'name' | 'sourceName' | 'type' | 'isParameter' | 'loc'>
>;

export interface CodeRegister {
  readonly type: ScalarType;
  /** The user's variable, or null for a temporary. */
  readonly variable: CodeVariable | null;
}

export interface CodeFunction {
  readonly id: FunctionId;
  readonly name: string;
  /**
   * Registers 0..parameters-1 are the parameters. A record result is passed by a hidden first pointer parameter, a
   * record argument by a pointer to a copy that the caller made. A variadic function has a last pointer parameter: the
   * object that holds the variable arguments.
   */
  readonly parameters: number;
  readonly signature: CallSignature;
  /** As the user spelled it; null where nobody did. */
  readonly resultType: Type | null;
  readonly registers: readonly CodeRegister[];
  readonly instructions: readonly Instruction[];
  /**
   * Its body is one atomic step (`__VERIFIER_atomic_*`): begins with atomic-begin, ends with atomic-end on every way
   * out.
   */
  readonly isAtomic: boolean;
  /** It comes from the bundled models: steps inside are shown as one step of the caller. */
  readonly isModel: boolean;
}

export interface CodeObject {
  readonly id: ObjectId;
  readonly name: string;
  readonly variable: CodeVariable | null;
  /** null for temporaries whose type does not matter. */
  readonly type: Type | null;
  /** Bytes; 0 for objects whose size is given when they are entered. */
  readonly size: number;
  readonly alignment: number;
  readonly duration: 'static' | 'thread' | 'automatic';
  readonly isModel: boolean;
  /** Its data races are accepted. */
  readonly mayRace?: boolean;
  /** `const` or a string literal: writing to it is an error. */
  readonly isConstant: boolean;
  /** Static and thread duration: how it starts. Bytes not mentioned are zero. */
  readonly initial: readonly InitialValue[];
}

/** An initial value at an offset: a constant, or the address of an object or function. */
export interface InitialValue {
  readonly offset: number;
  readonly type: ScalarType;
  readonly value: Extract<Value, { kind: 'constant' | 'float-constant' | 'object-address' | 'function-address' }>;
}

export interface Code {
  readonly dataModel: DataModel;
  readonly sources: SourceMap;
  readonly functions: readonly CodeFunction[];
  readonly objects: readonly CodeObject[];
  readonly loops: readonly Loop[];
  /**
   * Where thread 0 starts, without arguments: the user's main, or a start function that prepares what main needs and
   * calls it. When it returns, the whole program ends.
   */
  readonly main: FunctionId;
  /** `__lazuli_thread_entry(start, argument)`: what a spawned thread runs; null when the program creates no threads. */
  readonly threadEntry: FunctionId | null;
  /**
   * What the code leaves out of what the program can be given, in words: with any such limit, nothing is proved of the
   * program.
   */
  readonly limits: readonly string[];
  /** The functions and variables that are used and defined nowhere, and what they were taken for. */
  readonly approximations: readonly Approximation[];
}

export interface Approximation {
  readonly name: string;
  /** `contents`: a variable, which starts with any contents. The others are told in undefined-functions.ts. */
  readonly meaning: 'input' | 'ends-program' | 'outputs' | 'refused' | 'contents';
  /** Of the program, not of the C library. */
  readonly isOwn: boolean;
  /** A function without a result. */
  readonly isVoid: boolean;
}
