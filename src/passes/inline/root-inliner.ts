/**
 * Inlining into one root: main, or the routine that a thread starts with. Bodies are copied with fresh variables and
 * labels; the copy of one body is a `Frame`.
 */

import { recursionBound } from '../../program/bounds.ts';
import {
  assign,
  block,
  builtin,
  comparison,
  converted,
  decayed,
  declaration,
  dereference,
  expressionStatement,
  goto,
  ifStatement,
  integer,
  labelStatement,
  negated,
  variable,
  zeroOf,
} from '../../program/build-tree.ts';
import { NameScope } from '../../program/fresh-symbols.ts';
import { knownFunction, namedFunction } from '../../program/named-function.ts';
import { atomicBegin, atomicEnd, fail, nondet, PRIMITIVES, primitiveCall } from '../../program/primitives.ts';
import { substitute } from '../../program/substitute.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  LabelSymbol,
  Statement,
  VariableSymbol,
} from '../../program/tree.ts';
import { isScalar, pointerTo, qualifiersOf, unqualified, withExactQualifiers } from '../../program/type-operations.ts';
import { QUALIFIER_CONST, type Type } from '../../program/types.ts';
import { isAtomicName } from '../../program/verifier-names.ts';
import { ifChain, itemsOf, walkPlainStatements } from '../../program/visit-tree.ts';
import { isModelPlace, type Loc } from '../../support/source.ts';
import { addAccesses, newAccesses } from '../alias/sharing.ts';
import { cutOff } from '../cut-off.ts';
import { foldConstants, truthOf } from '../fold-constants.ts';
import { argumentsType, fetchArgument, listType, storeArguments } from '../variable-arguments.ts';
import { asParameters, asResult, type Call, isFunction, isVoidFunction, wantedBy } from './call-targets.ts';
import type { Callee, Callees } from './callees.ts';
import { isSteady } from './steady.ts';

/** More statements than this and the result helps nobody. */
const STATEMENT_LIMIT = 400_000;

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
  /** The arguments beyond the declared ones. */
  readonly others: Expression | null;
}

/** Inside a model: the user's call that led into it, and the number of the model's name for the table of places. */
interface ModelCall {
  readonly loc: Loc;
  readonly name: number;
}

export class RootInliner {
  readonly names: NameScope;
  readonly #whole: Callees;
  readonly #locals: VariableSymbol[] = [];
  #out: Statement[] = [];
  readonly #stack: FunctionSymbol[] = [];
  #end: LabelSymbol | null = null;
  #modelCall: ModelCall | null = null;

  constructor(whole: Callees, globalNames: readonly string[]) {
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
   * What a model does counts as done where the user calls it, as if the model were a macro: whoever asks for the place
   * of the statement gets the call. Loops keep their place, by which they are known.
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
    const local = this.#whole.context.fresh.variable({ name, type, loc, alignment, addressTaken, copyOf: like });
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
    if (depth > 0 && context.options.keepLoops) {
      const message = `'${symbol.name}' is recursive, which is not supported where loops are kept: all calls are inlined`;
      context.sink.error(loc, 'unsupported', message);
      return;
    }
    if (depth > recursionBound(symbol.name, context.options)) {
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
      others: this.#storeOthers(definition, args, loc),
    };
    this.#bindParameters(frame, args, loc);
    this.#stack.push(symbol);
    const outside = this.#modelCall;
    this.#modelCall = this.#enterModel(definition, loc);
    const isAtomic = isAtomicName(symbol.name);
    if (isAtomic) this.emit(atomicBegin(loc, context.options.seeks === 'race' ? 'section' : null));
    this.#body(definition.body.items, frame);
    if (end) this.emit(labelStatement(end, definition.body.endLoc));
    if (isAtomic) this.emit(atomicEnd(loc));
    this.#modelCall = outside;
    this.#stack.pop();
  }

  /** Keeps the arguments beyond the declared ones; the address of the first. */
  #storeOthers({ symbol, parameters }: FunctionDefinition, args: readonly Expression[], loc: Loc): Expression | null {
    const others = args.slice(parameters.length);
    if (symbol.type.kind !== 'function' || !symbol.type.variadic || others.length === 0) return null;
    const { dataModel } = this.#whole.program;
    const type = argumentsType(others, dataModel);
    const name = this.names.claim(`${symbol.name}_arguments`);
    const array = this.#whole.context.fresh.variable({ name, type, loc, alignment: 16, addressTaken: true });
    this.#locals.push(array);
    for (const statement of storeArguments(array, others, dataModel, loc)) this.emit(statement);
    return decayed(variable(array, loc));
  }

  /** `va_start`, `va_copy`, `x = va_arg(…)`; false for other statements. */
  #variableArguments(expression: Expression, frame: Frame, loc: Loc): boolean {
    if (expression.kind === 'assignment' && expression.value.kind === 'va-arg') {
      const { list, type } = expression.value;
      const target = this.#expression(expression.target, frame);
      const model = this.#whole.program.dataModel;
      for (const part of fetchArgument(target, this.#expression(list, frame), type, model, loc)) this.emit(part);
      return true;
    }
    if (expression.kind !== 'builtin') return false;
    const [first, second] = expression.args;
    if (expression.name === '__builtin_va_start' && first) {
      this.emit(assign(this.#expression(first, frame), frame.others ?? zeroOf(listType, loc), loc));
      return true;
    }
    if (expression.name === '__builtin_va_copy' && first && second) {
      this.emit(assign(this.#expression(first, frame), this.#expression(second, frame), loc));
      return true;
    }
    return false;
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
    const direct = namedFunction(call.callee);
    if (direct) {
      this.#callFunction(direct, args, target, call);
      return;
    }
    const wanted = wantedBy(call);
    const known = knownFunction(callee);
    const fit = known && this.#whole.fitOf(known, wanted);
    if (known && fit === 'fits') {
      this.#callThrough(known, args, target, call);
      return;
    }
    const { called, refused } = known
      ? { called: [], refused: fit === 'unsupported' ? [known] : [] }
      : this.#whole.targets(wanted);
    let chain = this.#refuse(callee, refused, loc);
    for (const symbol of [...called].reverse()) {
      const body = this.#collect(() => this.#callThrough(symbol, args, target, call));
      chain = [ifStatement(isFunction(callee, symbol, loc), body, chain, loc)];
    }
    for (const statement of chain) this.emit(statement);
  }

  #callThrough(symbol: FunctionSymbol, args: readonly Expression[], target: Expression | null, call: Call): void {
    if (target && isVoidFunction(symbol)) this.emit(assign(target, zeroOf(target.type, call.loc), call.loc));
    this.#callFunction(symbol, args, target, call);
  }

  /** What a call through a pointer does that leads to no function that is called. */
  #refuse(pointer: Expression, refused: readonly FunctionSymbol[], loc: Loc): Statement[] {
    const id = () => this.#whole.context.fresh.id();
    let chain = fail('pointer', 'call through an invalid function pointer', id, loc);
    for (const symbol of refused) {
      const message = `a call of '${symbol.name}' through a pointer of another type`;
      const failure = fail('unsupported', message, id, loc);
      chain = [ifStatement(isFunction(pointer, symbol, loc), failure, chain, loc)];
    }
    return chain;
  }

  #callFunction(symbol: FunctionSymbol, args: readonly Expression[], target: Expression | null, call: Call): void {
    const definition = this.#whole.definitionOf(symbol);
    if (definition) {
      this.inline(definition, asParameters(definition, args), target, call.loc);
      return;
    }
    const callee: Expression = { kind: 'function', symbol, type: symbol.type, loc: call.loc };
    this.#unknownCall(symbol, { ...call, callee, args }, target);
  }

  /** A call of a function without a body: any value comes back, unless such calls stay. */
  #unknownCall(symbol: FunctionSymbol, call: Call, target: Expression | null): void {
    const { loc } = call;
    if (this.#whole.context.options.keepUnknownCalls) {
      this.emit(target ? assign(target, call, loc) : expressionStatement(call, loc));
      return;
    }
    const meaning = this.#whole.meaningOfUnknown(symbol, call);
    if (meaning.kind === 'outputs') {
      for (const { argument, type } of meaning.outputs) this.#fill(call.args[argument] as Expression, type, loc);
    }
    if (meaning.kind === 'refused') {
      const id = () => this.#whole.context.fresh.id();
      for (const part of fail('unsupported', meaning.message, id, loc)) this.emit(part);
    } else if (meaning.kind === 'ends-program') this.emit(expressionStatement(builtin(PRIMITIVES.halt, [], loc)));
    else if (target && isScalar(target.type)) this.emit(assign(target, nondet(target.type, loc), loc));
    else if (target) this.emit(expressionStatement(builtin(PRIMITIVES.havoc, [target], loc)));
  }

  /** Any contents for what a pointer points to, unless it is null. */
  #fill(pointer: Expression, type: Type, loc: Loc): void {
    const object = dereference(converted(pointer, pointerTo(unqualified(type))), loc);
    const filled = expressionStatement(builtin(PRIMITIVES.havoc, [object], loc));
    const isNull = comparison('==', pointer, converted(integer(0, loc), pointer.type), loc);
    this.emit(ifStatement(negated(isNull, loc), [filled], null, loc));
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
    const { called, refused } = this.#whole.startRoutines();
    const isDefined = (symbol: FunctionSymbol) => this.#whole.definitionOf(symbol) !== null;
    let chain = this.#refuse(start, [...refused, ...called.filter((symbol) => !isDefined(symbol))], loc);
    for (const symbol of called.filter(isDefined).reverse()) {
      chain = [ifStatement(isFunction(start, symbol, loc), [spawn(symbol)], chain, loc)];
    }
    for (const part of chain) this.emit(part);
    return true;
  }

  // -------------------------------------------------------------- statements

  #asResult(value: Expression, wanted: Type, frame: Frame): Expression {
    return asResult(this.#expression(value, frame), wanted, this.#whole.program.dataModel);
  }

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
          this.emit(assign(frame.result, this.#asResult(statement.value, frame.result.type, frame), loc));
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
    if (this.#variableArguments(expression, frame, loc)) return;
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
  walkPlainStatements(statement, ({ kind }) => {
    if (kind === 'label') found = true;
  });
  return found;
}

function readsAny(value: Expression, variables: ReadonlySet<VariableSymbol>): boolean {
  const accesses = newAccesses();
  addAccesses(value, accesses);
  return [...accesses.reads].some((symbol) => variables.has(symbol));
}
