/**
 * One call as nodes of a body: its instructions (translate-instruction.ts), and those of the calls in it. An activation
 * has registers and local objects of its own; parameters that are never assigned and get constants are put in at once.
 * Where threads are created, and in models, an instruction is copied for each set of constants that its registers hold
 * there, so that loops with constant counts are unrolled; where that would be too many copies, loops stay.
 */

import { evaluate, isTrueTerm } from '../../execute/evaluate.ts';
import type { CodeFunction, CodeObject, Instruction, RegisterId, Value } from '../../program/code.ts';
import { functionAddress } from '../../program/function-addresses.ts';
import { Liveness } from '../../program/liveness.ts';
import type { Loc } from '../../support/source.ts';
import type { Term } from '../../values/terms.ts';
import { type AnyNode, type Body, type GraphObject, NotProvableError } from './graph.ts';
import type { Constants, InlineContext, InlinedCall, NodeOfInstruction } from './inline-context.ts';
import { type ActivationScope, translateInstruction } from './translate-instruction.ts';

const MOST_NODES = 30_000;
const DEEPEST_CALL = 60;
/** So often an instruction is copied for other constants. */
const MOST_COPIES = 48;

class TooManyCopies extends Error {}

/** Inlines into one body. */
export class BodyInliner {
  readonly #context: InlineContext;
  readonly #body: Body;
  readonly #threadObjects: ReadonlyMap<number, GraphObject>;
  /** Where the thread ends. */
  end = 0;

  constructor(context: InlineContext, body: Body, threadObjects: ReadonlyMap<number, GraphObject>) {
    this.#context = context;
    this.#body = body;
    this.#threadObjects = threadObjects;
  }

  addNode(node: AnyNode): number {
    if (this.#body.nodes.length >= MOST_NODES)
      throw new NotProvableError(node.loc, 'the program is too large once its calls are inlined');
    this.#body.nodes.push(node);
    return this.#body.nodes.length - 1;
  }

  #isUnrolled({ isModel }: CodeFunction): boolean {
    return this.#context.unroll && this.#body.isReplicated && !isModel;
  }

  /** The node where the call begins. */
  inline(call: InlinedCall): number {
    const { function: callee, args, path, loc } = call;
    // With constants for arguments it may come to its end while it is inlined.
    const areConstant = args.length > 0 && args.every((each) => this.#context.graph.constantOf(each) !== null);
    if (path.includes(callee.id) && !areConstant) throw new NotProvableError(loc, `recursion of '${callee.name}'`);
    if (path.length >= DEEPEST_CALL) throw new NotProvableError(loc, 'calls nested more than 60 deep');
    if (this.#context.isSpawning(callee.id) || this.#isUnrolled(callee) || (callee.isModel && isWorthCopying(callee))) {
      const nodeCount = this.#body.nodes.length;
      try {
        return new Activation(this.#context, this.#body, this, this.#threadObjects, call, true).build();
      } catch (error) {
        if (!(error instanceof TooManyCopies)) throw error;
        this.#body.nodes.length = nodeCount;
        this.#context.dropSites(nodeCount);
      }
    }
    return new Activation(this.#context, this.#body, this, this.#threadObjects, call, false).build();
  }
}

/** One call of one function. */
class Activation implements ActivationScope {
  readonly context: InlineContext;
  readonly body: Body;
  readonly #outer: BodyInliner;
  readonly #threadObjects: ReadonlyMap<number, GraphObject>;
  readonly call: InlinedCall;
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
    context: InlineContext,
    body: Body,
    outer: BodyInliner,
    threadObjects: ReadonlyMap<number, GraphObject>,
    call: InlinedCall,
    isSpecialised: boolean,
  ) {
    this.context = context;
    this.body = body;
    this.#outer = outer;
    this.#threadObjects = threadObjects;
    this.call = call;
    this.#isSpecialised = isSpecialised;
    this.#live = isSpecialised ? new Liveness(call.function) : null;
    const keepsLoops = context.keepsLoops && !call.function.isModel && !(context.unroll && body.isReplicated);
    this.#changing = keepsLoops ? assignedAgain(call.function) : new Set();
    const { name, registers } = call.function;
    this.#registers = registers.map(({ type, variable }, i) => {
      const signed = type.kind === 'integer' && type.signed;
      return context.addVariable(`${name}.${variable?.name ?? `%${i}`}`, type.bits, body.id, signed);
    });
  }

  get end(): number {
    return this.#outer.end;
  }

  inline(call: InlinedCall): number {
    return this.#outer.inline(call);
  }

  variableOf(register: number): number {
    return this.#registers[register] as number;
  }

  ownObjects(): GraphObject[] {
    return [...this.#objects.values()];
  }

  build(): number {
    const { function: callee, args } = this.call;
    const written = writtenRegisters(callee);
    const copied: { readonly variable: number; readonly value: Term }[] = [];
    for (let i = 0; i < callee.parameters; i++) {
      const value = args[i] as Term;
      if (!written.has(i) && this.#isFixed(value)) this.#fixed.set(i, value);
      else copied.push({ variable: this.variableOf(i), value });
    }
    for (const each of callee.instructions) if (each.kind === 'enter-object') this.objectOf(each.object);
    const entry = this.nodeAt(0, new Map());
    for (let item = this.#todo.pop(); item !== undefined; item = this.#todo.pop()) this.#fill(item);
    if (copied.length === 0) return entry;
    return this.add({ kind: 'set', assignments: copied, loc: this.call.loc, next: [entry] });
  }

  /** Constants, and addresses of objects plus constants: what no assignment changes. */
  #isFixed(term: Term): boolean {
    const { graph } = this.context;
    if (graph.constantOf(term) !== null) return true;
    if (graph.operationOf(term) === 'add')
      return this.#isFixed(graph.operand(term, 0)) && this.#isFixed(graph.operand(term, 1));
    return graph.operationOf(term) === 'variable' && graph.nameOf(term).startsWith('&');
  }

  /** What a model does is told at the call. */
  placeOf({ loc }: { readonly loc: Loc }): Loc {
    return this.call.function.isModel ? this.call.loc : loc;
  }

  add(node: NodeOfInstruction): number {
    const added = this.#outer.addNode({ ...node, isModel: this.call.function.isModel } as AnyNode);
    if (node.kind === 'spawn') this.context.addSite(added, node.body);
    return added;
  }

  nodeAt(pc: number, known: Constants): number {
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
    const instruction = this.call.function.instructions[pc];
    const loc = instruction ? this.placeOf(instruction) : this.call.loc;
    const node = this.add({ kind: 'skip', loc, next: [] });
    this.#nodeOf.set(key, node);
    this.#todo.push({ pc, constants, node });
    return node;
  }

  #evaluation(constants: Constants, loc: Loc) {
    return {
      graph: this.context.graph,
      loc,
      register: (i: number) => constants.get(i) ?? this.#fixed.get(i) ?? this.context.variable(this.variableOf(i)).term,
      objectAddress: () => 0n,
      functionAddress: (id: number) => BigInt(functionAddress(id)),
      notice: () => {},
    };
  }

  evaluate(value: Value, constants: Constants, loc: Loc): Term {
    return evaluate(this.#evaluation(constants, loc), this.#placed(value));
  }

  isTrue(value: Value, constants: Constants, loc: Loc): Term {
    return isTrueTerm(this.#evaluation(constants, loc), this.#placed(value));
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
    const { graph, pointerWidth } = this.context;
    const object = this.objectOf(value.object);
    const base = object.address ?? graph.constant(pointerWidth, object.base);
    const term = graph.add(base, graph.constant(pointerWidth, BigInt(value.offset)));
    const register = this.#registers.length + 1 + term;
    this.#fixed.set(register, term);
    return { kind: 'register', type: value.type, register: register as never };
  }

  objectOf(id: number): GraphObject {
    const source = this.context.code.objects[id] as CodeObject;
    if (source.duration === 'static') return this.context.staticObject(id);
    if (source.duration === 'thread') return this.#threadObjects.get(id) as GraphObject;
    const known = this.#objects.get(id);
    if (known) return known;
    const object = this.context.addObject(source, this.body.id);
    this.#objects.set(id, object);
    return object;
  }

  #fill({ pc, constants, node }: { readonly pc: number; readonly constants: Constants; readonly node: number }): void {
    const instruction = this.call.function.instructions[pc] as Instruction;
    const made = translateInstruction(this, instruction, pc, constants);
    this.body.nodes[node] = { ...made, isModel: this.call.function.isModel } as AnyNode;
    if (made.kind === 'spawn') this.context.addSite(node, made.body);
  }

  assign(register: number, value: Term, pc: number, constants: Constants, loc: Loc): NodeOfInstruction {
    const after = new Map(constants);
    if (this.#isSpecialised && !this.#changing.has(register) && this.#isFixed(value)) after.set(register, value);
    else after.delete(register);
    const assignments = [{ variable: this.variableOf(register), value }];
    return { kind: 'set', assignments, loc, next: [this.nodeAt(pc + 1, after)] };
  }
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
