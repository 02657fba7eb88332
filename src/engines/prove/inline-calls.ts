/**
 * One call as nodes of a body: its instructions, and those of the calls in it. An activation has registers and local
 * objects of its own; parameters that are never assigned and get constants are put in at once.
 */

import { evaluate, isTrueTerm } from '../../execute/evaluate.ts';
import { candidateOf } from '../../program/candidates.ts';
import type { CheckName } from '../../program/check-names.ts';
import {
  type Code,
  type CodeFunction,
  type CodeObject,
  type Instruction,
  isTakenFor,
  type RegisterId,
  type Value,
} from '../../program/code.ts';
import { functionAddress, functionAt } from '../../program/function-addresses.ts';
import { Liveness } from '../../program/liveness.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import {
  type AnyNode,
  type Body,
  type GraphObject,
  NotProvableError,
  type ObjectLength,
  type Variable,
} from './graph.ts';

const MOST_NODES = 30_000;
const DEEPEST_CALL = 60;
/** So often an instruction is copied for other constants. */
const MOST_COPIES = 48;
/** Functions lie below all objects. */

class TooManyCopies extends Error {}

interface Call {
  readonly function: CodeFunction;
  readonly args: readonly Term[];
  /** The variable that gets the result, with the type that the caller takes it for. */
  readonly result: { readonly variable: number; readonly bits: number } | null;
  readonly next: number;
  readonly path: readonly number[];
  readonly loc: Loc;
}

/** Registers that are known to be constant, by number. */
type Constants = ReadonlyMap<number, Term>;

/** What all bodies share while they are made. */
export interface InlineContext {
  readonly code: Code;
  readonly graph: TermGraph;
  readonly checks: ReadonlySet<CheckName>;
  readonly pointerWidth: number;
  /** Loops of the program are never unrolled for what is constant in a turn. */
  readonly keepsLoops: boolean;
  /** Functions that can be called through a pointer. */
  readonly addressTaken: readonly number[];
  /** Whether threads are created in a function or its callees. */
  isSpawning(id: number): boolean;
  variable(id: number): Variable;
  functionTerm(id: number): Term;
  staticObject(id: number): GraphObject;
  /** A spawn node: its body is made once the whole of its own body is known. */
  addSite(node: number, start: number): void;
  addVariable(name: string, width: number, owner: number, signed: boolean): number;
  addObject(source: CodeObject, owner: number): GraphObject;
  /** How many objects a place allocates at a time; 0: one, which may run once. */
  readonly instances: number;
  addHeapObject(size: number, loc: Loc, body: Body, instance: number): GraphObject;
  /** One whose size is not known beforehand; none is larger than `mostBytes`. */
  addLongObject(loc: Loc, body: Body): GraphObject & { readonly length: ObjectLength };
  readonly mostBytes: number;
  /** Forgets spawn nodes from a number on: they are made anew. */
  dropSites(from: number): void;
}

/** Inlines into one body. */
export class BodyInliner {
  readonly #inliner: InlineContext;
  readonly #body: Body;
  readonly #threadObjects: ReadonlyMap<number, GraphObject>;
  /** Where the thread ends. */
  end = 0;

  constructor(inliner: InlineContext, body: Body, threadObjects: ReadonlyMap<number, GraphObject>) {
    this.#inliner = inliner;
    this.#body = body;
    this.#threadObjects = threadObjects;
  }

  addNode(node: AnyNode): number {
    if (this.#body.nodes.length >= MOST_NODES)
      throw new NotProvableError(node.loc, 'the program is too large once its calls are inlined');
    this.#body.nodes.push(node);
    return this.#body.nodes.length - 1;
  }

  /** The node where the call begins. */
  inline(call: Call): number {
    const { function: callee, args, path, loc } = call;
    // With constants for arguments it may come to its end while it is inlined.
    const areConstant = args.length > 0 && args.every((each) => this.#inliner.graph.constantOf(each) !== null);
    if (path.includes(callee.id) && !areConstant) throw new NotProvableError(loc, `recursion of '${callee.name}'`);
    if (path.length >= DEEPEST_CALL) throw new NotProvableError(loc, 'calls nested more than 60 deep');
    if (this.#inliner.isSpawning(callee.id) || (callee.isModel && isWorthCopying(callee))) {
      const nodeCount = this.#body.nodes.length;
      try {
        return new Activation(this.#inliner, this.#body, this, this.#threadObjects, call, true).build();
      } catch (error) {
        if (!(error instanceof TooManyCopies)) throw error;
        this.#body.nodes.length = nodeCount;
        this.#inliner.dropSites(nodeCount);
      }
    }
    return new Activation(this.#inliner, this.#body, this, this.#threadObjects, call, false).build();
  }
}

/** One call of one function. */
class Activation {
  readonly #inliner: InlineContext;
  readonly #body: Body;
  readonly #outer: BodyInliner;
  readonly #threadObjects: ReadonlyMap<number, GraphObject>;
  readonly #call: Call;
  readonly #isSpecialised: boolean;
  readonly #registers: readonly number[];
  readonly #objects = new Map<number, GraphObject>();
  /** Parameters that are never assigned and get a constant. */
  readonly #fixed = new Map<number, Term>();
  /** Of a specialised function: the registers that are read later on. */
  readonly #live: Liveness | null;
  /** Registers that are no constants although they get some: those that several instructions assign, if loops stay. */
  readonly #changing: ReadonlySet<number>;
  /** Node of an instruction under its constants. */
  readonly #nodeOf = new Map<string, number>();
  readonly #copies = new Map<number, number>();
  readonly #todo: { readonly pc: number; readonly constants: Constants; readonly node: number }[] = [];

  constructor(
    inliner: InlineContext,
    body: Body,
    outer: BodyInliner,
    threadObjects: ReadonlyMap<number, GraphObject>,
    call: Call,
    isSpecialised: boolean,
  ) {
    this.#inliner = inliner;
    this.#body = body;
    this.#outer = outer;
    this.#threadObjects = threadObjects;
    this.#call = call;
    this.#isSpecialised = isSpecialised;
    this.#live = isSpecialised ? new Liveness(call.function) : null;
    const keepsLoops = inliner.keepsLoops && !call.function.isModel;
    this.#changing = keepsLoops ? assignedAgain(call.function) : new Set();
    const { name, registers } = call.function;
    this.#registers = registers.map(({ type, variable }, i) => {
      const signed = type.kind === 'integer' && type.signed;
      return inliner.addVariable(`${name}.${variable?.name ?? `%${i}`}`, type.bits, body.id, signed);
    });
  }

  build(): number {
    const { function: callee, args } = this.#call;
    const written = writtenRegisters(callee);
    const copied: { readonly variable: number; readonly value: Term }[] = [];
    for (let i = 0; i < callee.parameters; i++) {
      const value = args[i] as Term;
      if (!written.has(i) && this.#isFixed(value)) this.#fixed.set(i, value);
      else copied.push({ variable: this.#registers[i] as number, value });
    }
    for (const each of callee.instructions) if (each.kind === 'enter-object') this.#objectOf(each.object);
    const entry = this.#nodeAt(0, new Map());
    for (let item = this.#todo.pop(); item !== undefined; item = this.#todo.pop()) this.#fill(item);
    if (copied.length === 0) return entry;
    return this.#add({ kind: 'set', assignments: copied, loc: this.#call.loc, next: [entry] });
  }

  /** Constants, and addresses of objects plus constants: what no assignment changes. */
  #isFixed(term: Term): boolean {
    const { graph } = this.#inliner;
    if (graph.constantOf(term) !== null) return true;
    if (graph.operationOf(term) === 'add')
      return this.#isFixed(graph.operand(term, 0)) && this.#isFixed(graph.operand(term, 1));
    return graph.operationOf(term) === 'variable' && graph.nameOf(term).startsWith('&');
  }

  /** What a model does is told at the call. */
  #placeOf({ loc }: { readonly loc: Loc }): Loc {
    return this.#call.function.isModel ? this.#call.loc : loc;
  }

  #add(node: DistributiveOmit<AnyNode, 'isModel'>): number {
    return this.#outer.addNode({ ...node, isModel: this.#call.function.isModel } as AnyNode);
  }

  #nodeAt(pc: number, known: Constants): number {
    // What is no longer read makes no difference, and no copies.
    const constants =
      known.size === 0 ? known : new Map([...known].filter(([r]) => this.#live?.isLive(pc, r as RegisterId)));
    const key =
      constants.size === 0
        ? `${pc}`
        : `${pc}|${[...constants]
            .map(([r, t]) => `${r}=${t}`)
            .sort()
            .join()}`;
    const made = this.#nodeOf.get(key);
    if (made !== undefined) return made;
    const copies = (this.#copies.get(pc) ?? 0) + 1;
    if (copies > MOST_COPIES) throw new TooManyCopies();
    this.#copies.set(pc, copies);
    const instruction = this.#call.function.instructions[pc];
    const loc = instruction ? this.#placeOf(instruction) : this.#call.loc;
    const node = this.#add({ kind: 'skip', loc, next: [] });
    this.#nodeOf.set(key, node);
    this.#todo.push({ pc, constants, node });
    return node;
  }

  #context(constants: Constants, loc: Loc) {
    const inliner = this.#inliner;
    const { graph } = inliner;
    return {
      graph,
      loc,
      register: (i: number) =>
        constants.get(i) ?? this.#fixed.get(i) ?? inliner.variable(this.#registers[i] as number).term,
      objectAddress: () => 0n,
      functionAddress: (id: number) => BigInt(functionAddress(id)),
      notice: () => {},
    };
  }

  #evaluate(value: Value, constants: Constants, loc: Loc): Term {
    return evaluate(this.#context(constants, loc), this.#placed(value));
  }

  /** Addresses of objects are no constants yet: they stand as registers beyond the function's own. */
  #placed(value: Value): Value {
    switch (value.kind) {
      case 'object-address':
        return this.#addressValue(value);
      case 'unary':
      case 'convert':
        return { ...value, operand: this.#placed(value.operand) };
      case 'binary':
      case 'overflows':
        return { ...value, left: this.#placed(value.left), right: this.#placed(value.right) };
      case 'select':
        return {
          ...value,
          condition: this.#placed(value.condition),
          then: this.#placed(value.then),
          otherwise: this.#placed(value.otherwise),
        };
      default:
        return value;
    }
  }

  #addressValue(value: Extract<Value, { kind: 'object-address' }>): Value {
    const { graph, pointerWidth } = this.#inliner;
    const object = this.#objectOf(value.object);
    const base = object.address ?? graph.constant(pointerWidth, object.base);
    const term = graph.add(base, graph.constant(pointerWidth, BigInt(value.offset)));
    const register = this.#registers.length + 1 + term;
    this.#fixed.set(register, term);
    return { kind: 'register', type: value.type, register: register as never };
  }

  #objectOf(id: number): GraphObject {
    const source = this.#inliner.code.objects[id] as CodeObject;
    if (source.duration === 'static') return this.#inliner.staticObject(id);
    if (source.duration === 'thread') return this.#threadObjects.get(id) as GraphObject;
    const known = this.#objects.get(id);
    if (known) return known;
    const object = this.#inliner.addObject(source, this.#body.id);
    this.#objects.set(id, object);
    return object;
  }

  // -------------------------------------------------------------- instructions

  #fill({ pc, constants, node }: { readonly pc: number; readonly constants: Constants; readonly node: number }): void {
    const instruction = this.#call.function.instructions[pc] as Instruction;
    const made = this.#translate(instruction, pc, constants);
    this.#body.nodes[node] = { ...made, isModel: this.#call.function.isModel } as AnyNode;
    if (made.kind === 'spawn') this.#inliner.addSite(node, made.body);
  }

  #translate(instruction: Instruction, pc: number, constants: Constants): DistributiveOmit<AnyNode, 'isModel'> {
    const loc = this.#placeOf(instruction);
    const { graph, checks } = this.#inliner;
    const value = (each: Value) => this.#evaluate(each, constants, loc);
    const truth = (each: Value) => isTrueTerm(this.#context(constants, loc), this.#placed(each));
    const goOn = () => [this.#nodeAt(pc + 1, constants)];
    /** After an assignment of something that is not known. */
    const forget = (register: number) => [this.#nodeAt(pc + 1, without(constants, register))];
    const variableOf = (register: number) => this.#registers[register] as number;
    switch (instruction.kind) {
      case 'set':
        return this.#set(instruction.register, value(instruction.value), pc, constants, loc);
      case 'load': {
        const isFloat = instruction.type.kind === 'float';
        const variable = variableOf(instruction.register);
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
        return { kind: 'skip', loc, next: [this.#nodeAt(instruction.target, constants)] };
      case 'branch': {
        const condition = truth(instruction.condition);
        const [then, otherwise] = [pc + 1, instruction.target];
        if (graph.isTrue(condition)) return { kind: 'skip', loc, next: [this.#nodeAt(then, constants)] };
        if (graph.isFalse(condition)) return { kind: 'skip', loc, next: [this.#nodeAt(otherwise, constants)] };
        const next = [this.#nodeAt(then, constants), this.#nodeAt(otherwise, constants)];
        return { kind: 'branch', condition, loc, next };
      }
      case 'call':
        return this.#translateCall(instruction, pc, constants);
      case 'return':
        return this.#translateReturn(instruction.value === null ? null : value(instruction.value), loc);
      case 'assume': {
        const { isModel, name } = this.#call.function;
        const routine = isModel ? name : null;
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
        const variables = [variableOf(instruction.register)];
        return { kind: 'havoc', variables, isBool: instruction.isBool, loc, next: forget(instruction.register) };
      }
      case 'enter-object':
        if (instruction.size) throw new NotProvableError(loc, 'an array of variable length');
        return {
          kind: 'enter',
          object: this.#objectOf(instruction.object).id,
          zeroed: instruction.zeroed,
          loc,
          next: goOn(),
        };
      case 'leave-object':
        return { kind: 'leave', objects: [this.#objectOf(instruction.object).id], loc, next: goOn() };
      case 'allocate':
        return this.#allocate(instruction, pc, constants);
      case 'free':
        return { kind: 'free', address: value(instruction.address), loc, next: goOn() };
      case 'object-size':
        throw new NotProvableError(loc, 'the size of an allocation');
      case 'atomic-begin':
        return { kind: 'begin', loc, next: goOn() };
      case 'atomic-end':
        return { kind: 'end', loc, next: goOn() };
      case 'spawn':
        return this.#spawn(instruction, pc, constants);
      case 'self': {
        const { self, number } = this.#body;
        const term = self === null ? graph.constant(32, BigInt(number)) : this.#inliner.variable(self).term;
        return this.#set(instruction.register, term, pc, constants, loc);
      }
      // Memory is sequentially consistent.
      case 'fence':
        return { kind: 'skip', loc, next: goOn() };
      case 'end-thread':
        return { kind: 'skip', loc, next: [this.#outer.end] };
      case 'halt':
        return { kind: 'stop', loc, next: [] };
      default:
        return assertNever(instruction);
    }
  }

  #set(
    register: number,
    value: Term,
    pc: number,
    constants: Constants,
    loc: Loc,
  ): DistributiveOmit<AnyNode, 'isModel'> {
    const after = new Map(constants);
    if (this.#isSpecialised && !this.#changing.has(register) && this.#isFixed(value)) after.set(register, value);
    else after.delete(register);
    const assignments = [{ variable: this.#registers[register] as number, value }];
    return { kind: 'set', assignments, loc, next: [this.#nodeAt(pc + 1, after)] };
  }

  #translateReturn(value: Term | null, loc: Loc): DistributiveOmit<AnyNode, 'isModel'> {
    const { result, next } = this.#call;
    const { graph } = this.#inliner;
    const objects = [...this.#objects.values()].map(({ id }) => id);
    const leave = objects.length === 0 ? next : this.#add({ kind: 'leave', objects, loc, next: [next] });
    if (result === null) return { kind: 'skip', loc, next: [leave] };
    const variable = this.#inliner.variable(result.variable);
    const taken = value === null ? graph.constant(variable.width, 0n) : takeAs(graph, value, variable.width);
    return { kind: 'set', assignments: [{ variable: variable.id, value: taken }], loc, next: [leave] };
  }

  #translateCall(
    instruction: Extract<Instruction, { kind: 'call' }>,
    pc: number,
    constants: Constants,
  ): DistributiveOmit<AnyNode, 'isModel'> {
    const { callee, args, register, signature } = instruction;
    const loc = this.#placeOf(instruction);
    const { code, graph, addressTaken } = this.#inliner;
    const after = register === null ? constants : without(constants, register);
    const next = this.#nodeAt(pc + 1, after);
    const terms = args.map((each) => this.#evaluate(each, constants, loc));
    const variable = register === null ? null : (this.#registers[register] as number);
    const result = variable === null ? null : { variable, bits: this.#inliner.variable(variable).width };
    const path = [...this.#call.path, this.#call.function.id];
    const callOf = (id: number) =>
      this.#outer.inline({ function: code.functions[id] as CodeFunction, args: terms, result, next, path, loc });
    if (typeof callee === 'number') return { kind: 'skip', loc, next: [callOf(callee)] };
    const target = this.#evaluate(callee, constants, loc);
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
    const stop = this.#add({ kind: 'stop', loc, next: [] });
    let otherwise = this.#add({ kind: 'assert', condition: graph.false, check: null, loc, next: [stop] });
    for (const id of addressTaken) {
      if (!fits(id) || path.includes(id)) continue;
      const condition = graph.eq(target, this.#inliner.functionTerm(id));
      if (graph.isFalse(condition)) continue;
      otherwise = this.#add({ kind: 'branch', condition, loc, next: [callOf(id), otherwise] });
    }
    return { kind: 'skip', loc, next: [otherwise] };
  }

  #spawn(
    instruction: Extract<Instruction, { kind: 'spawn' }>,
    pc: number,
    constants: Constants,
  ): DistributiveOmit<AnyNode, 'isModel'> {
    const { register } = instruction;
    const loc = this.#placeOf(instruction);
    const { graph, code } = this.#inliner;
    const start = graph.constantOf(this.#evaluate(instruction.start, constants, loc));
    const id = start === null ? -1 : functionAt(start, code.functions.length);
    if (id < 0) throw new NotProvableError(loc, 'a thread whose start routine is not known beforehand');
    const argument = this.#evaluate(instruction.argument, constants, loc);
    const number = this.#registers[register] as number;
    const next = [this.#nodeAt(pc + 1, without(constants, register))];
    // The body's number is put in when it is known.
    return { kind: 'spawn', body: id, argument, number, order: null, loc, next };
  }

  #allocate(
    instruction: Extract<Instruction, { kind: 'allocate' }>,
    pc: number,
    constants: Constants,
  ): DistributiveOmit<AnyNode, 'isModel'> {
    const { register, isLocal, zeroed } = instruction;
    const loc = this.#placeOf(instruction);
    const { graph, pointerWidth } = this.#inliner;
    const bytes = this.#evaluate(instruction.size, constants, loc);
    const size = graph.constantOf(bytes);
    if (isLocal) throw new NotProvableError(loc, 'alloca');
    if (size === null) return this.#allocateLong(instruction, bytes, pc, constants);
    if (size > 1_000_000n) throw new NotProvableError(loc, 'a large allocation');
    const { instances } = this.#inliner;
    if (instances > 0) {
      const made = Array.from({ length: instances }, (_, i) =>
        this.#inliner.addHeapObject(Number(size), loc, this.#body, i),
      );
      const objects = made.map(({ id }) => id);
      const variable = this.#registers[register] as number;
      const next = [this.#nodeAt(pc + 1, without(constants, register))];
      return { kind: 'allocate', objects, variable, zeroed, loc, next };
    }
    const object = this.#inliner.addHeapObject(Number(size), loc, this.#body, 0);
    const address = graph.constant(pointerWidth, object.base);
    const set = this.#set(register, address, pc, constants, loc);
    return { kind: 'enter', object: object.id, zeroed, loc, next: [this.#add(set)] };
  }

  /**
   * An allocation whose size is not known beforehand, once. An execution in which there is not enough memory for it
   * ends: allocations never fail. Where `pointer` is not looked for, how long it is does not matter: an access behind
   * its end would end the execution, and goes on instead.
   */
  #allocateLong(
    instruction: Extract<Instruction, { kind: 'allocate' }>,
    size: Term,
    pc: number,
    constants: Constants,
  ): DistributiveOmit<AnyNode, 'isModel'> {
    const { register, zeroed } = instruction;
    const loc = this.#placeOf(instruction);
    const { graph, pointerWidth, checks, mostBytes } = this.#inliner;
    const object = this.#inliner.addLongObject(loc, this.#body);
    const constant = (value: bigint) => graph.constant(pointerWidth, value);
    const set = this.#set(register, constant(object.base), pc, constants, loc);
    const enter = this.#add({ kind: 'enter', object: object.id, zeroed, loc, next: [this.#add(set)] });
    if (!checks.has('pointer')) return { kind: 'skip', loc, next: [enter] };
    const bytes = graph.extend(size, pointerWidth, false);
    const assignments = [{ variable: object.length.count, value: bytes }];
    const noted = this.#add({ kind: 'set', assignments, loc, next: [enter] });
    const condition = graph.less('ult', bytes, constant(BigInt(mostBytes) + 1n));
    return { kind: 'assume', condition, routine: null, loc, next: [noted] };
  }
}

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

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

function writtenRegisters(each: CodeFunction): Set<number> {
  const written = new Set<number>();
  for (const instruction of each.instructions) {
    if ('register' in instruction && instruction.register !== null) written.add(instruction.register);
  }
  return written;
}

function assignedAgain({ parameters, instructions }: CodeFunction): Set<number> {
  const seen = new Set(Array.from({ length: parameters }, (_, i) => i));
  const again = new Set<number>();
  for (const each of instructions) {
    if (!('register' in each) || each.register === null) continue;
    if (seen.has(each.register)) again.add(each.register);
    seen.add(each.register);
  }
  return again;
}

/** Loops of models run a constant number of times as a rule, and sizes of allocations are computed. */
function isWorthCopying({ instructions }: CodeFunction): boolean {
  return instructions.some((each) => each.kind === 'allocate' || ('loop' in each && each.loop !== null));
}
