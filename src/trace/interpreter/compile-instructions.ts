/**
 * Instructions as closures. Everything that can be decided beforehand is: which values are wide, which loops a jump
 * closes, whether an access may concern another thread.
 *
 * An access is visible unless it goes straight to a local or thread-local object whose address is used for nothing but
 * such accesses, or to a constant object. That is cheap and errs on the side of more places to preempt.
 */

import { baseObject } from '../../program/base-object.ts';
import {
  type Code,
  type CodeFunction,
  type Instruction,
  isPassedFor,
  isTakenFor,
  type Value,
} from '../../program/code.ts';
import { functionAddress, functionAt } from '../../program/function-addresses.ts';
import { type LoopRange, loopRanges } from '../../program/instance-key.ts';
import { operandsOf } from '../../program/operands.ts';
import { assertNever, InvariantError } from '../../support/invariant.ts';
import { compileLoad, compileStore } from './compile-accesses.ts';
import { isBig, ValueCompiler } from './compile-values.ts';
import type { Machine } from './machine.ts';
import { layoutOf, Memory, type MemoryLayout } from './memory.ts';
import type { CompiledFunction, Frame, Operation, Scalar } from './state.ts';

export interface CompiledProgram {
  readonly code: Code;
  readonly functions: readonly CompiledFunction[];
  readonly layout: MemoryLayout;
  /** Addresses of static objects. */
  readonly statics: readonly number[];
}

export function compileProgram(code: Code): CompiledProgram {
  const escaping = findEscapingObjects(code);
  const functions: CompiledFunction[] = [];
  const layout = layoutOf(code);
  const statics = layOutStatics(code, layout);
  for (const each of code.functions) functions.push(compileFunction(each, code, functions, escaping, statics));
  return { code, functions, layout, statics };
}

/** Objects whose address goes elsewhere than straight into a load or store. */
function findEscapingObjects(code: Code): ReadonlySet<number> {
  const escaping = new Set<number>();
  const markEscaping = (value: Value) => {
    for (const object of objectsIn(value)) escaping.add(object);
  };
  for (const each of code.functions) {
    for (const instruction of each.instructions) {
      if (instruction.kind === 'load') continue;
      if (instruction.kind === 'store') markEscaping(instruction.value);
      else for (const operand of operandsOf(instruction)) markEscaping(operand);
    }
  }
  for (const object of code.objects) for (const { value } of object.initial) markEscaping(value);
  return escaping;
}

function objectsIn(value: Value): readonly number[] {
  switch (value.kind) {
    case 'object-address':
      return [value.object];
    case 'unary':
    case 'convert':
      return objectsIn(value.operand);
    case 'binary':
    case 'overflows':
      return [...objectsIn(value.left), ...objectsIn(value.right)];
    case 'select':
      return [...objectsIn(value.condition), ...objectsIn(value.then), ...objectsIn(value.otherwise)];
    default:
      return [];
  }
}

function isVisible(instruction: Instruction, code: Code, escaping: ReadonlySet<number>): boolean {
  switch (instruction.kind) {
    case 'load':
    case 'store': {
      const object = code.objects[baseObject(instruction.address)];
      if (!object || object.duration === 'static') return !object?.isConstant;
      return escaping.has(object.id);
    }
    case 'atomic-begin':
    case 'spawn':
    case 'allocate':
    case 'free':
    case 'object-size':
    case 'end-thread':
    case 'halt':
      return true;
    default:
      return false;
  }
}

function compileFunction(
  each: CodeFunction,
  code: Code,
  functions: readonly CompiledFunction[],
  escaping: ReadonlySet<number>,
  statics: readonly number[],
): CompiledFunction {
  const slots = localSlots(each, code);
  const loops = loopRanges(each);
  const values = new ValueCompiler<Frame>({
    functionAddress,
    objectAddress: (object) => objectAddress(object, { code, slots, statics }),
  });
  const compiler: InstructionCompiler = { code, functions, values, slots, statics, loops };
  return {
    source: each,
    operations: each.instructions.map((instruction, pc) => compileInstruction(instruction, pc, compiler)),
    visible: Uint8Array.from(each.instructions, (instruction) => (isVisible(instruction, code, escaping) ? 1 : 0)),
    loops,
    objectCount: slots.size,
    emptyRegisters: each.registers.map((register) => (isBig(register.type) ? 0n : 0)),
  };
}

function localSlots(each: CodeFunction, code: Code): Map<number, number> {
  const slots = new Map<number, number>();
  const add = (object: number) => {
    if (code.objects[object]?.duration === 'automatic' && !slots.has(object)) slots.set(object, slots.size);
  };
  for (const instruction of each.instructions) {
    if (instruction.kind === 'enter-object') add(instruction.object);
    for (const operand of operandsOf(instruction)) for (const object of objectsIn(operand)) add(object);
  }
  return slots;
}

function objectAddress(object: number, c: Addresses): (frame: Frame) => number {
  const duration = c.code.objects[object]?.duration;
  if (duration === 'automatic') {
    const slot = c.slots.get(object) ?? 0;
    return (frame) => frame.objects[slot] as number;
  }
  if (duration === 'thread') return (frame) => frame.thread.locals.get(object) ?? 0;
  const address = c.statics[object] as number;
  return () => address;
}

/**
 * The addresses of all static objects, by number; 0 for others. They come first in memory, where Memory.create puts
 * them.
 */
function layOutStatics(code: Code, layout: MemoryLayout): readonly number[] {
  const memory = new Memory({ ...layout, end: Number.POSITIVE_INFINITY });
  return code.objects.map((object) => {
    return object.duration === 'static' ? memory.reserve(object.size, object.alignment) : 0;
  });
}

// ---------------------------------------------------------------- instructions

interface Addresses {
  readonly code: Code;
  readonly slots: ReadonlyMap<number, number>;
  readonly statics: readonly number[];
}

interface InstructionCompiler extends Addresses {
  readonly functions: readonly CompiledFunction[];
  readonly values: ValueCompiler<Frame>;
  readonly loops: readonly LoopRange[];
}

function compileInstruction(instruction: Instruction, pc: number, c: InstructionCompiler): Operation {
  switch (instruction.kind) {
    case 'set':
      return compileSet(instruction, c);
    case 'load':
      return compileLoad(instruction, c.values);
    case 'store':
      return compileStore(instruction, c.values);
    case 'jump':
      return compileJump(instruction, pc, c);
    case 'branch':
      return compileBranch(instruction, pc, c);
    case 'call':
      return compileCall(instruction, c);
    case 'return': {
      const value = instruction.value ? c.values.any(instruction.value) : null;
      return (machine, frame) => machine.return(frame, value ? value(frame) : null, instruction);
    }
    case 'assume':
    case 'assert':
      return compileCondition(instruction, c);
    case 'nondet':
      return (machine, frame) => machine.nondet(frame, instruction);
    case 'enter-object': {
      const slot = c.slots.get(instruction.object) ?? 0;
      const size = instruction.size ? c.values.any(instruction.size) : null;
      return (machine, frame) => machine.enterObject(frame, slot, size ? Number(size(frame)) : null, instruction);
    }
    case 'leave-object': {
      const slot = c.slots.get(instruction.object);
      return slot === undefined ? () => {} : (machine, frame) => machine.leaveObject(frame, slot);
    }
    case 'allocate': {
      const size = c.values.any(instruction.size);
      return (machine, frame) => machine.allocate(frame, Number(size(frame)), instruction);
    }
    case 'free': {
      const address = c.values.address(instruction.address);
      return (machine, frame) => machine.free(address(frame), frame, instruction);
    }
    case 'object-size': {
      const address = c.values.address(instruction.address);
      return (machine, frame) => machine.objectSize(frame, address(frame), instruction);
    }
    case 'spawn': {
      const start = c.values.any(instruction.start);
      const argument = c.values.any(instruction.argument);
      return (machine, frame) => machine.spawn(frame, start(frame), argument(frame), instruction);
    }
    case 'self':
      return (_, frame) => {
        frame.registers[instruction.register] = frame.thread.id;
      };
    case 'atomic-begin':
      return (machine, frame) => machine.beginAtomic(frame, instruction);
    case 'atomic-end':
      return (machine, frame) => machine.endAtomic(frame, instruction);
    case 'fence':
      return (machine, frame) => machine.fence(frame, instruction);
    case 'end-thread':
      return (machine, frame) => machine.endThread(frame, instruction);
    case 'halt':
      return (machine, frame) => machine.halt(frame, instruction);
    default:
      return assertNever(instruction);
  }
}

function compileSet(instruction: Extract<Instruction, { kind: 'set' }>, c: InstructionCompiler): Operation {
  const { register } = instruction;
  const value = c.values.any(instruction.value);
  return (machine, frame) => {
    const result = value(frame);
    frame.registers[register] = result;
    if (machine.recorder !== null) {
      machine.recorder({ kind: 'set', register, value: result, isInput: false }, frame, instruction);
    }
  };
}

/** What a closing jump does to the counts of its loop and of the loops inside it (program/instance-key.ts). */
function loopCounter(
  instruction: Extract<Instruction, { kind: 'jump' | 'branch' }>,
  pc: number,
  loops: readonly LoopRange[],
): { readonly index: number; readonly inner: readonly number[] } | null {
  if (instruction.loop === null) return null;
  const index = loops.findIndex((loop) => loop.closing === pc);
  if (index < 0) throw new InvariantError('a loop of this function');
  const inner = loops.flatMap((loop, i) =>
    i !== index && loop.closing >= instruction.target && loop.closing <= pc ? [i] : [],
  );
  return { index, inner };
}

function compileJump(
  instruction: Extract<Instruction, { kind: 'jump' }>,
  pc: number,
  c: InstructionCompiler,
): Operation {
  const { target } = instruction;
  const counter = loopCounter(instruction, pc, c.loops);
  if (counter === null) {
    return (_, frame) => {
      frame.pc = target;
    };
  }
  return (_, frame) => {
    frame.pc = target;
    bump(frame, counter);
  };
}

function bump(frame: Frame, counter: { readonly index: number; readonly inner: readonly number[] }): void {
  const { counts } = frame;
  counts[counter.index] = (counts[counter.index] as number) + 1;
  for (const inner of counter.inner) counts[inner] = 0;
}

function compileBranch(
  instruction: Extract<Instruction, { kind: 'branch' }>,
  pc: number,
  c: InstructionCompiler,
): Operation {
  const { target } = instruction;
  const condition = c.values.truth(instruction.condition);
  const counter = loopCounter(instruction, pc, c.loops);
  return (machine, frame) => {
    const holds = condition(frame);
    if (!holds) {
      frame.pc = target;
      if (counter !== null) bump(frame, counter);
    } else if (counter !== null) frame.counts[counter.index] = 0;
    if (machine.recorder !== null) machine.recorder({ kind: 'branch', taken: !holds }, frame, instruction);
  };
}

function compileCall(instruction: Extract<Instruction, { kind: 'call' }>, c: InstructionCompiler): Operation {
  const args = instruction.args.map((arg) => c.values.any(arg));
  const evaluate = (frame: Frame): Scalar[] => args.map((arg) => arg(frame));
  const { callee } = instruction;
  if (typeof callee === 'number') {
    return (machine, frame) =>
      machine.call(frame, c.functions[callee] as CompiledFunction, evaluate(frame), instruction);
  }
  const address = c.values.address(callee);
  return (machine, frame) => {
    const target = resolveCallee(machine, address(frame), instruction, frame, c);
    if (target) machine.call(frame, target, asParameters(evaluate(frame), instruction, target), instruction);
  };
}

/** Of a wider argument, a parameter takes the lower bits. */
function asParameters(
  args: Scalar[],
  { signature }: Extract<Instruction, { kind: 'call' }>,
  target: CompiledFunction,
): Scalar[] {
  target.source.signature.parameters.forEach((type, i) => {
    const given = signature.parameters[i];
    if (type.kind !== 'integer' || given === undefined || type.bits >= given.bits) return;
    const bits = BigInt(args[i] as Scalar);
    args[i] = Number(type.signed ? BigInt.asIntN(type.bits, bits) : BigInt.asUintN(type.bits, bits));
  });
  return args;
}

/** The function that a pointer points to, if it fits the call. */
function resolveCallee(
  machine: Machine,
  address: number,
  instruction: Extract<Instruction, { kind: 'call' }>,
  frame: Frame,
  c: InstructionCompiler,
): CompiledFunction | null {
  const target = c.functions[functionAt(address, c.functions.length)];
  if (!target) {
    machine.fail('pointer', 'a call through a pointer that points to no function', frame, instruction);
    return null;
  }
  const wanted = instruction.signature;
  const { signature } = target.source;
  // Routines that ignore their argument or result are often passed with a cast: see Code on indirect calls.
  const fits = signature.parameters.every((type, i) => isPassedFor(wanted.parameters[i], type));
  const isUsable = signature.result === null || wanted.result === null || isTakenFor(signature.result, wanted.result);
  if (fits && isUsable) return target;
  machine.fail(
    'pointer',
    `a call through a pointer to '${target.source.name}', which has another type`,
    frame,
    instruction,
  );
  return null;
}

function compileCondition(
  instruction: Extract<Instruction, { kind: 'assume' | 'assert' }>,
  c: InstructionCompiler,
): Operation {
  const condition = c.values.truth(instruction.condition);
  if (instruction.kind === 'assume') {
    return (machine, frame) => {
      const holds = condition(frame);
      if (machine.recorder !== null) machine.recorder({ kind: 'assume', holds }, frame, instruction);
      if (!holds) machine.block(frame, instruction);
    };
  }
  return (machine, frame) => {
    const holds = condition(frame);
    if (machine.recorder !== null) machine.recorder({ kind: 'assert', holds }, frame, instruction);
    if (holds) return;
    // An index outside of its array is undefined behaviour, whether anybody asked for it or not.
    if (instruction.check === 'bounds') machine.fail('bounds', instruction.message, frame, instruction);
    else machine.violate(instruction.check, instruction.message, frame, instruction);
  };
}
