/**
 * Inlines every call. What remains are `main` and one function for each routine that a thread is started with, named after it;
 * calls of functions that have no body give any value.
 *
 * - An argument whose value cannot change during the call takes the place of the parameter; others are assigned to a
 *   variable of the parameter's name. The same goes for a local variable that is set once, at the start, to such a value.
 *   Branches that this decides are dropped, so that the models shrink to what the call needs.
 * - `return` is an assignment and a jump to the end of the inlined body.
 * - Recursion is followed up to the bound; what lies deeper is cut off like the iterations of a loop.
 * - A call through a pointer becomes a chain of comparisons with the functions whose address is taken and whose type fits.
 *   A start routine that is known only through a pointer is treated in the same way.
 */

import { type Accesses, addAccesses, addStatement, newAccesses } from '../analysis/sharing.ts';
import {
  assign,
  block,
  builtin,
  comparison,
  decayed,
  declaration,
  expressionStatement,
  goto,
  ifStatement,
  labelStatement,
  variable,
} from '../program/build-tree.ts';
import { NameScope } from '../program/fresh-symbols.ts';
import { substitute } from '../program/substitute.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  LabelSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../program/tree.ts';
import {
  compatible,
  functionType,
  isScalar,
  pointerTo,
  qualifiersOf,
  voidType,
  withExactQualifiers,
} from '../program/type-operations.ts';
import { QUALIFIER_CONST, type Type } from '../program/types.ts';
import { ifChain, itemsOf, walkExpression, walkStatement } from '../program/visit-tree.ts';
import { isModelPlace, type Loc } from '../support/source.ts';
import { cutOff } from './cut-off.ts';
import { foldConstants, truthOf } from './fold-constants.ts';
import type { PassContext } from './pass.ts';
import { atomicBegin, atomicEnd, nondet, PRIMITIVES, primitiveCall, stop } from './primitives.ts';
import { isAtomicFunction } from './simplify-statements.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** More statements than this and the result helps nobody. */
const STATEMENT_LIMIT = 400_000;

const THREAD_ENTRY = '__lazuli_thread_entry';

export function inlineCalls(program: Program, context: PassContext): Program {
  const inliner = new ProgramInliner(program, context);
  const main = inliner.definitionNamed('main');
  if (!main) {
    context.sink.error(program.items[0]?.loc ?? (0 as Loc), 'no-main', "the program has no function 'main'");
    return program;
  }
  const roots: FunctionDefinition[] = [inliner.inlineMain(main)];
  for (let start = inliner.nextStart(); start !== null; start = inliner.nextStart()) {
    roots.push(inliner.inlineStart(start));
  }
  const others = program.items.filter((item) => item.kind !== 'function');
  const functions = roots.map((definition): TopLevelItem => ({ kind: 'function', definition, loc: definition.loc }));
  return { ...program, items: [...others, ...functions] };
}

/** What the inliner knows of a function before it copies it. */
interface Callee {
  readonly definition: FunctionDefinition;
  readonly accesses: Accesses;
  /** How often each variable is assigned in the text. */
  readonly assignments: ReadonlyMap<VariableSymbol, number>;
}

class ProgramInliner {
  readonly context: PassContext;
  readonly program: Program;
  readonly #definitions = new Map<FunctionSymbol, FunctionDefinition>();
  readonly #byName = new Map<string, FunctionDefinition>();
  readonly #callees = new Map<FunctionDefinition, Callee>();
  readonly #addressTaken = new Set<FunctionSymbol>();
  readonly #globalNames: string[] = [];
  readonly #starts = new Set<FunctionSymbol>();
  readonly #pendingStarts: FunctionSymbol[] = [];
  readonly #warned = new Set<string>();
  statementCount = 0;

  constructor(program: Program, context: PassContext) {
    this.program = program;
    this.context = context;
    for (const item of program.items) this.#register(item);
  }

  #register(item: TopLevelItem): void {
    if (item.kind === 'function') {
      const { definition } = item;
      this.#definitions.set(definition.symbol, definition);
      this.#byName.set(definition.symbol.name, definition);
      for (const symbol of this.calleeOf(definition).accesses.mentions) this.#addressTaken.add(symbol);
    } else if (item.kind === 'variable') {
      this.#globalNames.push(item.symbol.name);
      if (item.isDefinition) this.#addMentions({ kind: 'declaration', item, loc: item.loc });
    } else if (item.kind === 'typedef' || item.kind === 'function-prototype') {
      this.#globalNames.push(item.symbol.name);
    } else if (item.kind === 'enum') {
      this.#globalNames.push(...(item.declaration.enumerators ?? []).map(({ name }) => name));
    }
  }

  #addMentions(statement: Statement): void {
    walkStatement(statement, {
      expression: (node) => {
        if (node.kind === 'function') this.#addressTaken.add(node.symbol);
      },
    });
  }

  definitionNamed(name: string): FunctionDefinition | null {
    return this.#byName.get(name) ?? null;
  }

  definitionOf(symbol: FunctionSymbol): FunctionDefinition | null {
    return this.#definitions.get(symbol) ?? null;
  }

  calleeOf(definition: FunctionDefinition): Callee {
    const known = this.#callees.get(definition);
    if (known) return known;
    const accesses = newAccesses();
    addStatement(definition.body, accesses);
    const assignments = new Map<VariableSymbol, number>();
    walkStatement(definition.body, {
      expression: (node) => {
        if (node.kind !== 'assignment' || node.target.kind !== 'variable') return;
        assignments.set(node.target.symbol, (assignments.get(node.target.symbol) ?? 0) + 1);
      },
    });
    const callee: Callee = { definition, accesses, assignments };
    this.#callees.set(definition, callee);
    return callee;
  }

  /** The functions that a pointer of this type may point to. */
  candidates(type: Type): FunctionDefinition[] {
    const target = type.kind === 'pointer' ? type.target : type;
    return [...this.#addressTaken].flatMap((symbol) => {
      const definition = this.#definitions.get(symbol);
      return definition && fits(symbol.type, target) ? [definition] : [];
    });
  }

  addStart(symbol: FunctionSymbol): void {
    if (this.#starts.has(symbol)) return;
    this.#starts.add(symbol);
    this.#pendingStarts.push(symbol);
  }

  nextStart(): FunctionSymbol | null {
    return this.#pendingStarts.shift() ?? null;
  }

  warnUnknown(symbol: FunctionSymbol, loc: Loc): void {
    if (this.#warned.has(symbol.name)) return;
    this.#warned.add(symbol.name);
    this.context.sink.warning(loc, 'unknown-function', `'${symbol.name}' has no body: it is taken to return any value`);
  }

  // -------------------------------------------------------------- roots

  inlineMain(main: FunctionDefinition): FunctionDefinition {
    const root = new RootInliner(this, this.#globalNames);
    const parameters = main.parameters.map((parameter) => variable(root.newLocal(parameter), parameter.loc));
    // Without arguments from a command line, main's parameters hold anything.
    for (const parameter of parameters) {
      if (isScalar(parameter.type)) root.emit(assign(parameter, nondet(parameter.type, parameter.loc), parameter.loc));
    }
    root.inline(main, parameters, null, main.loc);
    return root.finish(main.symbol, [], main);
  }

  inlineStart(start: FunctionSymbol): FunctionDefinition {
    const definition = this.#definitions.get(start) as FunctionDefinition;
    const root = new RootInliner(this, this.#globalNames);
    const { loc } = definition;
    const pointer = pointerTo(voidType);
    const name = root.names.claim('__lazuli_argument');
    const argument: VariableSymbol = {
      ...this.context.fresh.variable({ name, type: pointer, loc }),
      isParameter: true,
    };
    const entry = this.definitionNamed(THREAD_ENTRY);
    const startNode = decayed({ kind: 'function', symbol: start, type: start.type, loc });
    if (entry) root.inline(entry, [startNode, variable(argument, loc)], null, loc);
    else root.inline(definition, definition.parameters.length > 0 ? [variable(argument, loc)] : [], null, loc);
    const type = functionType(voidType, [pointer]);
    const symbol: FunctionSymbol = { ...start, id: this.context.fresh.id(), type, definition: null, isInline: false };
    return root.finish(symbol, [argument], definition);
  }
}

function fits(candidate: Type, target: Type): boolean {
  if (candidate.kind !== 'function' || target.kind !== 'function') return false;
  if (compatible(candidate, target)) return true;
  // `void *f()` and slightly different prototypes are called through casts all the time.
  const count = candidate.parameters.length;
  if (target.oldStyle || candidate.oldStyle) return true;
  return count === target.parameters.length && candidate.variadic === target.variadic && sameShape(candidate, target);
}

function sameShape(a: Extract<Type, { kind: 'function' }>, b: Extract<Type, { kind: 'function' }>): boolean {
  const pairs: [Type, Type][] = [
    [a.result, b.result],
    ...a.parameters.map((p, i): [Type, Type] => [p, b.parameters[i] as Type]),
  ];
  return pairs.every(([left, right]) => left.kind === right.kind);
}

// ---------------------------------------------------------------- one root

/** One copy of a function's body. */
interface Frame {
  readonly callee: Callee;
  readonly replacements: Map<VariableSymbol, Expression>;
  readonly labels: Map<LabelSymbol, LabelSymbol>;
  /** Its variables, which may change while it runs; those of the callers cannot. */
  readonly own: Set<VariableSymbol>;
  /** Where the result goes; null when nobody wants it. */
  readonly result: Expression | null;
  readonly end: () => LabelSymbol;
}

/** Inside a model: the user's call that led into it, and the number of the model's name for the table of places. */
interface ModelCall {
  readonly loc: Loc;
  readonly name: number;
}

class RootInliner {
  readonly names: NameScope;
  readonly #whole: ProgramInliner;
  readonly #locals: VariableSymbol[] = [];
  #out: Statement[] = [];
  readonly #stack: FunctionSymbol[] = [];
  #end: LabelSymbol | null = null;
  #modelCall: ModelCall | null = null;

  constructor(whole: ProgramInliner, globalNames: readonly string[]) {
    this.#whole = whole;
    this.names = new NameScope(globalNames);
  }

  emit(statement: Statement): void {
    this.#out.push(this.#placeAtCall(statement));
    if (++this.#whole.statementCount === STATEMENT_LIMIT) {
      this.#whole.context.sink.error(statement.loc, 'too-large', 'the program is too large once all calls are inlined');
    }
  }

  /**
   * What a model does counts as done where the user calls it, as if the model were a macro: whoever asks for the place of
   * the statement gets the call. Loops keep their place, by which they are known.
   */
  #placeAtCall(statement: Statement): Statement {
    const call = this.#modelCall;
    if (call === null || (statement.kind !== 'expression' && statement.kind !== 'if')) return statement;
    const loc = this.#whole.program.sources.addExpansion(statement.loc, call.loc, call.name);
    return { ...statement, loc };
  }

  #enterModel(definition: FunctionDefinition, loc: Loc): ModelCall | null {
    const { sources } = this.#whole.program;
    if (!isModelPlace(sources, definition.loc)) return null;
    return this.#modelCall ?? { loc, name: sources.addMacroName(definition.symbol.name) };
  }

  /** A variable of the root, named like the one it stands for. */
  newLocal(like: VariableSymbol, addressTaken = like.addressTaken): VariableSymbol {
    const type = withExactQualifiers(like.type, qualifiersOf(like.type) & ~QUALIFIER_CONST);
    const { loc, alignment } = like;
    const name = this.names.claim(like.name === '' ? 'unnamed' : like.name);
    const local = this.#whole.context.fresh.variable({ name, type, loc, alignment, addressTaken });
    this.#locals.push(local);
    return local;
  }

  finish(symbol: FunctionSymbol, parameters: readonly VariableSymbol[], like: FunctionDefinition): FunctionDefinition {
    const { loc, endLoc } = like.body;
    if (this.#end) this.emit(labelStatement(this.#end, endLoc));
    const items = [...this.#locals.map(declaration), ...this.#out];
    return { symbol, parameters, body: block(items, loc, endLoc), loc: like.loc };
  }

  #collect(work: () => void): Statement[] {
    const before = this.#out;
    this.#out = [];
    work();
    const collected = this.#out;
    this.#out = before;
    return collected;
  }

  // -------------------------------------------------------------- calls

  /** Emits the body of a function in place of its call. */
  inline(definition: FunctionDefinition, args: readonly Expression[], result: Expression | null, loc: Loc): void {
    const { context, statementCount } = this.#whole;
    const { symbol } = definition;
    const depth = this.#stack.filter((active) => active === symbol).length;
    const bound = context.options.unwindset.get(symbol.name) ?? context.options.unwind;
    if (depth >= Math.max(1, bound)) {
      for (const statement of cutOff(context, `recursion of ${symbol.name}`, loc)) this.emit(statement);
      return;
    }
    if (statementCount > STATEMENT_LIMIT) return;
    const callee = this.#whole.calleeOf(definition);
    let end: LabelSymbol | null = null;
    const frame: Frame = {
      callee,
      replacements: new Map(),
      labels: new Map(),
      own: new Set(),
      result,
      end: () => (end ??= context.fresh.label(this.names.claim(`${symbol.name}_end`), loc)),
    };
    this.#bindParameters(frame, args, loc);
    this.#stack.push(symbol);
    const outside = this.#modelCall;
    this.#modelCall = this.#enterModel(definition, loc);
    const isAtomic = isAtomicFunction(symbol.name);
    if (isAtomic) this.emit(atomicBegin(loc));
    this.#body(definition.body.items, frame);
    if (end) this.emit(labelStatement(end, definition.body.endLoc));
    if (isAtomic) this.emit(atomicEnd(loc));
    this.#modelCall = outside;
    this.#stack.pop();
  }

  #bindParameters(frame: Frame, args: readonly Expression[], loc: Loc): void {
    const { definition, accesses } = frame.callee;
    definition.parameters.forEach((parameter, i) => {
      const arg = args[i];
      const isConstant = !accesses.writes.has(parameter) && !accesses.escapes.has(parameter);
      if (arg && isConstant && isSteady(arg)) {
        frame.replacements.set(parameter, arg);
        return;
      }
      const local = variable(this.#ownLocal(parameter, frame), parameter.loc);
      frame.replacements.set(parameter, local);
      if (arg) this.emit(assign(local, arg, loc));
      else if (isScalar(local.type)) this.emit(assign(local, nondet(local.type, loc), loc));
    });
  }

  /** The top level of a body: what is set once here, before any label, is known from then on. */
  #body(items: readonly Statement[], frame: Frame): void {
    let isStraight = true;
    items.forEach((item, at) => {
      if (item.kind === 'label') isStraight = false;
      if (isStraight && this.#isKnownFromHere(item, frame)) return;
      this.#statement(item, frame, at === items.length - 1);
    });
  }

  #isKnownFromHere(item: Statement, frame: Frame): boolean {
    if (item.kind !== 'expression' || item.expression.kind !== 'assignment') return false;
    const { target, value } = item.expression;
    if (target.kind !== 'variable' || value.kind === 'call') return false;
    const { symbol } = target;
    const { accesses, assignments } = frame.callee;
    if (symbol.duration !== 'automatic' || accesses.escapes.has(symbol) || assignments.get(symbol) !== 1) return false;
    const known = this.#expression(value, frame);
    if (!isSteady(known) || readsAny(known, frame.own)) return false;
    frame.replacements.set(symbol, known);
    return true;
  }

  #call(call: Call, target: Expression | null, frame: Frame): void {
    const { loc } = call;
    const args = call.args.map((arg) => this.#expression(arg, frame));
    const callee = this.#expression(call.callee, frame);
    const known = knownFunction(callee);
    if (known) {
      this.#callFunction(known, args, target, call);
      return;
    }
    const candidates = this.#whole.candidates(callee.type);
    let chain: Statement[] = [stop(loc)];
    for (const definition of candidates.reverse()) {
      const body = this.#collect(() => this.inline(definition, args, target, loc));
      chain = [ifStatement(isFunction(callee, definition.symbol, loc), body, chain, loc)];
    }
    for (const statement of chain) this.emit(statement);
  }

  #callFunction(symbol: FunctionSymbol, args: readonly Expression[], target: Expression | null, call: Call): void {
    const definition = this.#whole.definitionOf(symbol);
    if (definition) {
      this.inline(definition, args, target, call.loc);
      return;
    }
    this.#whole.warnUnknown(symbol, call.loc);
    if (symbol.isNoreturn) this.emit(expressionStatement(builtin(PRIMITIVES.halt, [], call.loc)));
    else if (target && isScalar(target.type)) this.emit(assign(target, nondet(target.type, call.loc), call.loc));
    else if (target) this.emit(expressionStatement(builtin(PRIMITIVES.havoc, [target], call.loc)));
  }

  /** Each start routine that is possible is created in a statement of its own. */
  #spawn(statement: Statement, frame: Frame): boolean {
    const found = primitiveCall(statement);
    if (found?.primitive !== 'spawn' || statement.kind !== 'expression') return false;
    const { loc } = statement;
    const [start, argument] = found.call.args.map((arg) => this.#expression(arg, frame)) as [Expression, Expression];
    const { expression } = statement;
    const target = expression.kind === 'assignment' ? this.#expression(expression.target, frame) : null;
    const spawn = (symbol: FunctionSymbol): Statement => {
      this.#whole.addStart(symbol);
      const node = decayed({ kind: 'function', symbol, type: symbol.type, loc });
      const created: Expression = { ...found.call, args: [node, argument] };
      return target ? assign(target, created, loc) : expressionStatement(created, loc);
    };
    const known = knownFunction(start);
    if (known && this.#whole.definitionOf(known)) {
      this.emit(spawn(known));
      return true;
    }
    if (known) this.#whole.context.sink.error(loc, 'unsupported', `the start routine '${known.name}' has no body`);
    let chain: Statement[] = [stop(loc)];
    for (const { symbol } of this.#whole.candidates(start.type).reverse()) {
      chain = [ifStatement(isFunction(start, symbol, loc), [spawn(symbol)], chain, loc)];
    }
    for (const part of chain) this.emit(part);
    return true;
  }

  // -------------------------------------------------------------- statements

  #expression(expression: Expression, frame: Frame): Expression {
    const substituted = substitute(expression, (symbol) => this.#replacement(symbol, frame));
    return foldConstants(substituted, this.#whole.program.dataModel);
  }

  #replacement(symbol: VariableSymbol, frame: Frame): Expression | null {
    if (symbol.duration !== 'automatic') return null;
    const known = frame.replacements.get(symbol);
    if (known) return known;
    const local = variable(this.#ownLocal(symbol, frame), symbol.loc);
    frame.replacements.set(symbol, local);
    return local;
  }

  #ownLocal(like: VariableSymbol, frame: Frame): VariableSymbol {
    const local = this.newLocal(like, frame.callee.accesses.escapes.has(like));
    frame.own.add(local);
    return local;
  }

  #label(label: LabelSymbol, frame: Frame): LabelSymbol {
    const known = frame.labels.get(label);
    if (known) return known;
    const copy = this.#whole.context.fresh.label(this.names.claim(label.name), label.loc);
    frame.labels.set(label, copy);
    return copy;
  }

  #items(items: readonly Statement[], frame: Frame, isTail: boolean): Statement[] {
    return this.#collect(() => {
      for (const [at, item] of items.entries()) this.#statement(item, frame, isTail && at === items.length - 1);
    });
  }

  /** `isTail`: nothing of the function comes after it. */
  #statement(statement: Statement, frame: Frame, isTail: boolean): void {
    const { loc } = statement;
    switch (statement.kind) {
      case 'declaration':
      case 'empty':
        break;
      case 'expression':
        this.#expressionStatement(statement, frame);
        break;
      case 'block':
        this.emit({ ...statement, items: this.#items(statement.items, frame, isTail) });
        break;
      case 'if':
        this.#if(statement, frame, isTail);
        break;
      case 'while':
        this.emit({
          ...statement,
          condition: this.#expression(statement.condition, frame),
          body: block(this.#items(itemsOf(statement.body), frame, false), loc),
        });
        break;
      case 'label':
        this.emit({ ...statement, label: this.#label(statement.label, frame) });
        break;
      case 'goto':
        this.emit({ ...statement, label: this.#label(statement.label, frame) });
        break;
      case 'return':
        if (statement.value && frame.result)
          this.emit(assign(frame.result, this.#expression(statement.value, frame), loc));
        if (!isTail) this.emit(goto(frame.end(), loc));
        break;
      default:
        this.emit(statement);
    }
  }

  #expressionStatement(statement: Extract<Statement, { kind: 'expression' }>, frame: Frame): void {
    const { expression, loc } = statement;
    if (expression.kind === 'call') {
      this.#call(expression, null, frame);
      return;
    }
    if (expression.kind === 'assignment' && expression.value.kind === 'call') {
      this.#call(expression.value, this.#expression(expression.target, frame), frame);
      return;
    }
    if (this.#spawn(statement, frame)) return;
    if (primitiveCall(statement)?.primitive === 'endThread') {
      this.#end ??= this.#whole.context.fresh.label(this.names.claim('thread_end'), loc);
      this.emit(goto(this.#end, loc));
      return;
    }
    this.emit({ ...statement, expression: this.#expression(expression, frame) });
  }

  #if(statement: Extract<Statement, { kind: 'if' }>, frame: Frame, isTail: boolean): void {
    const { arms, last } = ifChain(statement);
    const built: { condition: Expression; then: Statement[]; loc: Loc }[] = [];
    let otherwise: Statement[] | null = null;
    for (const arm of arms) {
      const condition = this.#expression(arm.condition, frame);
      const decided = truthOf(condition, this.#whole.program.dataModel);
      if (decided === false && !hasLabels(arm.then)) continue;
      const then = this.#items(itemsOf(arm.then), frame, isTail);
      if (decided === true && !(arm.otherwise && hasLabels(arm.otherwise))) {
        otherwise = then;
        break;
      }
      built.push({ condition, then, loc: arm.loc });
    }
    otherwise ??= last ? this.#items(itemsOf(last), frame, isTail) : [];
    for (const { condition, then, loc } of built.reverse()) otherwise = [ifStatement(condition, then, otherwise, loc)];
    for (const part of otherwise) this.emit(part);
  }
}

function hasLabels(statement: Statement): boolean {
  let found = false;
  walkStatement(statement, {
    statement: ({ kind }) => {
      if (kind === 'label') found = true;
    },
  });
  return found;
}

/** The function that an expression surely denotes. */
export function knownFunction(expression: Expression): FunctionSymbol | null {
  let at = expression;
  while (at.kind === 'cast' || (at.kind === 'address' && at.operand.kind === 'function')) at = at.operand;
  return at.kind === 'function' ? at.symbol : null;
}

function isFunction(pointer: Expression, symbol: FunctionSymbol, loc: Loc): Expression {
  const node = decayed({ kind: 'function', symbol, type: symbol.type, loc });
  const same = node.type === pointer.type ? node : { ...node, type: pointer.type };
  return comparison('==', pointer, same, loc);
}

/** Whether nothing that a callee does can change the value: constants, addresses, private variables of the caller. */
function isSteady(value: Expression): boolean {
  let steady = true;
  let nodes = 0;
  walkExpression(value, {
    expression: (node) => {
      if (++nodes > 12) steady = false;
      switch (node.kind) {
        case 'integer':
        case 'float':
        case 'string':
        case 'function':
        case 'cast':
        case 'address':
        case 'member':
        case 'unary':
        case 'arithmetic':
        case 'comparison':
        case 'pointer-offset':
          break;
        case 'builtin':
          if (node.name !== PRIMITIVES.self) steady = false;
          break;
        case 'variable':
          break;
        default:
          steady = false;
      }
    },
  });
  return steady && readsOnlyPrivate(value);
}

/** Every variable is either private, or mentioned for its address only. */
function readsOnlyPrivate(value: Expression): boolean {
  switch (value.kind) {
    case 'variable':
      return value.symbol.duration === 'automatic' && !value.symbol.addressTaken;
    case 'address':
      return isFixedPlace(value.operand);
    case 'cast':
      return value.castKind === 'array-to-pointer' ? isFixedPlace(value.operand) : readsOnlyPrivate(value.operand);
    case 'unary':
      return readsOnlyPrivate(value.operand);
    case 'arithmetic':
    case 'comparison':
      return readsOnlyPrivate(value.left) && readsOnlyPrivate(value.right);
    case 'pointer-offset':
      return readsOnlyPrivate(value.pointer) && readsOnlyPrivate(value.offset);
    case 'member':
      return false;
    default:
      return true;
  }
}

function readsAny(value: Expression, variables: ReadonlySet<VariableSymbol>): boolean {
  const accesses = newAccesses();
  addAccesses(value, accesses);
  return [...accesses.reads].some((symbol) => variables.has(symbol));
}

function isFixedPlace(lvalue: Expression): boolean {
  let at = lvalue;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'variable' || at.kind === 'function' || at.kind === 'string';
}
