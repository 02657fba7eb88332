/**
 * One instruction of a call as a node of a flow graph, with the nodes that it needs beside it: whom a pointer to a
 * function may call, objects that are left when the call returns, allocations whose size is not known beforehand.
 * Where instructions stand, and what is constant there, is for the call to say (inline-calls.ts). What has no node
 * (arrays of variable length, `alloca`) is refused at its place.
 */

import { candidateOf } from '../../program/candidates.ts';
import { type CodeFunction, type Instruction, isTakenFor, type Value } from '../../program/code.ts';
import { functionAt } from '../../program/function-addresses.ts';
import { canWait } from '../../program/waiting-routines.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { type Body, type GraphObject, NotProvableError } from './graph.ts';
import type { Constants, InlineContext, InlinedCall, NodeOfInstruction } from './inline-context.ts';

/** The call whose instructions are translated. */
export interface ActivationScope {
  readonly context: InlineContext;
  readonly body: Body;
  readonly call: InlinedCall;
  /** Where the thread ends. */
  readonly end: number;
  placeOf(instruction: Instruction): Loc;
  add(node: NodeOfInstruction): number;
  /** The node of an instruction under what is constant there. */
  nodeAt(pc: number, constants: Constants): number;
  evaluate(value: Value, constants: Constants, loc: Loc): Term;
  isTrue(value: Value, constants: Constants, loc: Loc): Term;
  variableOf(register: number): number;
  objectOf(id: number): GraphObject;
  /** Objects that end with the call, as far as they were met. */
  ownObjects(): GraphObject[];
  /** The node where another call begins. */
  inline(call: InlinedCall): number;
  /** The register gets the value, and the next instruction follows. */
  assign(register: number, value: Term, pc: number, constants: Constants, loc: Loc): NodeOfInstruction;
}

export function translateInstruction(
  scope: ActivationScope,
  instruction: Instruction,
  pc: number,
  constants: Constants,
): NodeOfInstruction {
  const loc = scope.placeOf(instruction);
  const { graph, checks } = scope.context;
  const value = (each: Value) => scope.evaluate(each, constants, loc);
  const truth = (each: Value) => scope.isTrue(each, constants, loc);
  const goOn = () => [scope.nodeAt(pc + 1, constants)];
  /** After an assignment of something that is not known. */
  const forget = (register: number) => [scope.nodeAt(pc + 1, without(constants, register))];
  switch (instruction.kind) {
    case 'set':
      return scope.assign(instruction.register, value(instruction.value), pc, constants, loc);
    case 'load': {
      const isFloat = instruction.type.kind === 'float';
      const variable = scope.variableOf(instruction.register);
      return {
        kind: 'load',
        variable,
        address: value(instruction.address),
        isFloat,
        mode: instruction.mode,
        loc,
        next: forget(instruction.register),
      };
    }
    case 'store':
      return {
        kind: 'store',
        address: value(instruction.address),
        value: value(instruction.value),
        mode: instruction.mode,
        loc,
        next: goOn(),
      };
    case 'jump':
      return { kind: 'skip', loc, next: [scope.nodeAt(instruction.target, constants)] };
    case 'branch': {
      const condition = truth(instruction.condition);
      const [then, otherwise] = [pc + 1, instruction.target];
      if (graph.isTrue(condition)) return { kind: 'skip', loc, next: [scope.nodeAt(then, constants)] };
      if (graph.isFalse(condition)) return { kind: 'skip', loc, next: [scope.nodeAt(otherwise, constants)] };
      const next = [scope.nodeAt(then, constants), scope.nodeAt(otherwise, constants)];
      return { kind: 'branch', condition, loc, next };
    }
    case 'call':
      return translateCall(scope, instruction, pc, constants);
    case 'return':
      return translateReturn(scope, instruction.value === null ? null : value(instruction.value), loc);
    case 'assume': {
      const { function: caller } = scope.call;
      const routine = canWait(caller) ? caller.name : null;
      const candidate = candidateOf(instruction.condition);
      if (candidate !== null) return { kind: 'claim', condition: truth(candidate), loc, next: goOn() };
      const condition = truth(instruction.condition);
      // Nobody comes past it; who waits in a routine is still seen there.
      if (graph.isFalse(condition) && routine === null) return { kind: 'stop', loc, next: [] };
      return { kind: 'assume', condition, routine, loc, next: goOn() };
    }
    case 'assert': {
      const condition = truth(instruction.condition);
      // What is not asked for ends the execution; what cannot be followed is always asked for.
      if (instruction.check !== 'unsupported' && !checks.has(instruction.check))
        return { kind: 'assume', condition, routine: null, loc, next: goOn() };
      return { kind: 'assert', condition, check: instruction.check, loc, next: goOn() };
    }
    case 'nondet': {
      const variables = [scope.variableOf(instruction.register)];
      return { kind: 'havoc', variables, isBool: instruction.isBool, loc, next: forget(instruction.register) };
    }
    case 'enter-object':
      if (instruction.size) throw new NotProvableError(loc, 'an array of variable length');
      return {
        kind: 'enter',
        object: scope.objectOf(instruction.object).id,
        zeroed: instruction.zeroed,
        loc,
        next: goOn(),
      };
    case 'leave-object':
      return { kind: 'leave', objects: [scope.objectOf(instruction.object).id], loc, next: goOn() };
    case 'allocate':
      return allocate(scope, instruction, pc, constants);
    case 'free':
      return { kind: 'free', address: value(instruction.address), loc, next: goOn() };
    case 'object-size':
      throw new NotProvableError(loc, 'the size of an allocation');
    case 'atomic-begin':
      return { kind: 'begin', loc, next: goOn() };
    case 'atomic-end':
      return { kind: 'end', loc, next: goOn() };
    case 'spawn':
      return spawn(scope, instruction, pc, constants);
    case 'self': {
      const { self, number } = scope.body;
      const term = self === null ? graph.constant(32, BigInt(number)) : scope.context.variable(self).term;
      return scope.assign(instruction.register, term, pc, constants, loc);
    }
    // Memory is sequentially consistent.
    case 'fence':
      return { kind: 'skip', loc, next: goOn() };
    case 'end-thread':
      return { kind: 'skip', loc, next: [scope.end] };
    case 'halt':
      return { kind: 'stop', loc, next: [] };
    default:
      return assertNever(instruction);
  }
}

function translateReturn(scope: ActivationScope, value: Term | null, loc: Loc): NodeOfInstruction {
  const { result, next } = scope.call;
  const { graph } = scope.context;
  const objects = scope.ownObjects().map(({ id }) => id);
  const leave = objects.length === 0 ? next : scope.add({ kind: 'leave', objects, loc, next: [next] });
  if (result === null) return { kind: 'skip', loc, next: [leave] };
  const variable = scope.context.variable(result);
  const taken = value === null ? graph.constant(variable.width, 0n) : takeAs(graph, value, variable.width);
  return { kind: 'set', assignments: [{ variable: variable.id, value: taken }], loc, next: [leave] };
}

function translateCall(
  scope: ActivationScope,
  instruction: Extract<Instruction, { kind: 'call' }>,
  pc: number,
  constants: Constants,
): NodeOfInstruction {
  const { callee, args, register, signature } = instruction;
  const loc = scope.placeOf(instruction);
  const { code, graph, addressTaken } = scope.context;
  const after = register === null ? constants : without(constants, register);
  const next = scope.nodeAt(pc + 1, after);
  const terms = args.map((each) => scope.evaluate(each, constants, loc));
  const result = register === null ? null : scope.variableOf(register);
  const path = [...scope.call.path, scope.call.function.id];
  const callOf = (id: number) =>
    scope.inline({ function: code.functions[id] as CodeFunction, args: terms, result, next, path, loc });
  if (typeof callee === 'number') return { kind: 'skip', loc, next: [callOf(callee)] };
  const target = scope.evaluate(callee, constants, loc);
  const fits = (id: number) => {
    const { parameters, result: given } = (code.functions[id] as CodeFunction).signature;
    if (parameters.length > terms.length) return false;
    const sameArguments = parameters.every((type, i) => type.bits === signature.parameters[i]?.bits);
    return sameArguments && (!signature.result || !given || isTakenFor(given, signature.result));
  };
  const address = graph.constantOf(target);
  if (address !== null) {
    const id = functionAt(address, code.functions.length);
    if (id >= 0 && fits(id)) return { kind: 'skip', loc, next: [callOf(id)] };
  }
  // Any function whose address is taken and that fits; what is called otherwise is not foreseen.
  const stop = scope.add({ kind: 'stop', loc, next: [] });
  let otherwise = scope.add({ kind: 'assert', condition: graph.false, check: null, loc, next: [stop] });
  for (const id of addressTaken) {
    if (!fits(id) || path.includes(id)) continue;
    const condition = graph.eq(target, scope.context.functionTerm(id));
    if (graph.isFalse(condition)) continue;
    otherwise = scope.add({ kind: 'branch', condition, loc, next: [callOf(id), otherwise] });
  }
  return { kind: 'skip', loc, next: [otherwise] };
}

function spawn(
  scope: ActivationScope,
  instruction: Extract<Instruction, { kind: 'spawn' }>,
  pc: number,
  constants: Constants,
): NodeOfInstruction {
  const { register } = instruction;
  const loc = scope.placeOf(instruction);
  const { graph, code } = scope.context;
  const start = scope.evaluate(instruction.start, constants, loc);
  const argument = scope.evaluate(instruction.argument, constants, loc);
  const number = scope.variableOf(register);
  const next = [scope.nodeAt(pc + 1, without(constants, register))];
  // The body's number is put in when it is known.
  const spawnOf = (id: number) => ({ kind: 'spawn', body: id, argument, number, order: null, loc, next }) as const;
  const address = graph.constantOf(start);
  const known = address === null ? -1 : functionAt(address, code.functions.length);
  return known >= 0 ? spawnOf(known) : chooseStart(scope, start, spawnOf, loc);
}

/**
 * A start routine that an expression chooses: a place that creates a thread for each function whose address is taken
 * and that can be one. That it is one of them is an obligation of the proof.
 */
function chooseStart(
  scope: ActivationScope,
  start: Term,
  spawnOf: (id: number) => Extract<NodeOfInstruction, { kind: 'spawn' }>,
  loc: Loc,
): NodeOfInstruction {
  const { graph, code, addressTaken, pointerWidth } = scope.context;
  const stop = scope.add({ kind: 'stop', loc, next: [] });
  let otherwise = scope.add({ kind: 'assert', condition: graph.false, check: null, loc, next: [stop] });
  for (const id of addressTaken) {
    const { signature, isModel } = code.functions[id] as CodeFunction;
    const [parameter] = signature.parameters;
    const isRoutine = signature.parameters.length <= 1 && (!parameter || parameter.bits === pointerWidth);
    if (isModel || !isRoutine) continue;
    const condition = graph.eq(start, scope.context.functionTerm(id));
    if (!graph.isFalse(condition))
      otherwise = scope.add({ kind: 'branch', condition, loc, next: [scope.add(spawnOf(id)), otherwise] });
  }
  return { kind: 'skip', loc, next: [otherwise] };
}

function allocate(
  scope: ActivationScope,
  instruction: Extract<Instruction, { kind: 'allocate' }>,
  pc: number,
  constants: Constants,
): NodeOfInstruction {
  const { register, isLocal, zeroed } = instruction;
  const loc = scope.placeOf(instruction);
  const { graph, pointerWidth } = scope.context;
  const bytes = scope.evaluate(instruction.size, constants, loc);
  const size = graph.constantOf(bytes);
  if (isLocal) throw new NotProvableError(loc, 'alloca');
  if (size === null) return allocateLong(scope, instruction, bytes, pc, constants);
  if (size > 1_000_000n) throw new NotProvableError(loc, 'a large allocation');
  const { instances } = scope.context;
  if (instances > 0) {
    const made = Array.from({ length: instances }, (_, i) =>
      scope.context.addHeapObject(Number(size), loc, scope.body, i),
    );
    const objects = made.map(({ id }) => id);
    const variable = scope.variableOf(register);
    const next = [scope.nodeAt(pc + 1, without(constants, register))];
    return { kind: 'allocate', objects, variable, zeroed, loc, next };
  }
  const object = scope.context.addHeapObject(Number(size), loc, scope.body, 0);
  const address = graph.constant(pointerWidth, object.base);
  const set = scope.assign(register, address, pc, constants, loc);
  return { kind: 'enter', object: object.id, zeroed, loc, next: [scope.add(set)] };
}

/**
 * An allocation whose size is not known beforehand, once. An execution in which there is not enough memory for it
 * ends: allocations never fail. Where `pointer` is not looked for, how long it is does not matter: an access behind
 * its end would end the execution, and goes on instead.
 */
function allocateLong(
  scope: ActivationScope,
  instruction: Extract<Instruction, { kind: 'allocate' }>,
  size: Term,
  pc: number,
  constants: Constants,
): NodeOfInstruction {
  const { register, zeroed } = instruction;
  const loc = scope.placeOf(instruction);
  const { graph, pointerWidth, checks, mostBytes } = scope.context;
  const object = scope.context.addLongObject(loc, scope.body);
  const constant = (value: bigint) => graph.constant(pointerWidth, value);
  const set = scope.assign(register, constant(object.base), pc, constants, loc);
  const enter = scope.add({ kind: 'enter', object: object.id, zeroed, loc, next: [scope.add(set)] });
  if (!checks.has('pointer')) return { kind: 'skip', loc, next: [enter] };
  const bytes = graph.extend(size, pointerWidth, false);
  const assignments = [{ variable: object.length.count, value: bytes }];
  const noted = scope.add({ kind: 'set', assignments, loc, next: [enter] });
  const condition = graph.less('ult', bytes, constant(BigInt(mostBytes) + 1n));
  return { kind: 'assume', condition, routine: null, loc, next: [noted] };
}

function without(constants: Constants, register: number): Constants {
  if (!constants.has(register)) return constants;
  const after = new Map(constants);
  after.delete(register);
  return after;
}

/** A result taken for one of another width: zeros above, or cut off. */
function takeAs(graph: TermGraph, value: Term, width: number): Term {
  return graph.widthOf(value) >= width ? graph.extract(value, 0, width) : graph.extend(value, width, false);
}
