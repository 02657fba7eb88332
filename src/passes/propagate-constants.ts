/**
 * Values that are known in the bounded program. All jumps go forward, or nothing is known where they lead and of what a
 * loop changes, so that one walk over a thread finds for each place which private variables (and elements and members
 * of private aggregates) hold a literal or a fixed address there. These take the place of the variables; branches that
 * they decide go, and so does what no control reaches. Numbers of threads become known in this way, counters of loops,
 * and the objects that the models work on. Parts of global variables that nobody changes are known everywhere
 * (propagate/find-fixed-parts.ts); those that no other thread writes are followed like private variables, and threads
 * start with what their creators know of them (propagate/followed-globals.ts). Local variables that only pointers of
 * the thread lead to are private, too (propagate/find-kept.ts).
 *
 * Afterwards, assignments to private variables that nothing reads are dropped. Copies of loops share statements; one of
 * these is treated once, as long as the values in it stay the same (propagate/known-effects.ts).
 */

import { type BoundedProgram, type BoundedThread, mapThreads } from '../program/bounded-program.ts';
import { followsConstants } from '../program/bounds.ts';
import { block, labelStatement, variable, zeroOf } from '../program/build-tree.ts';
import type { DataModel } from '../program/data-model.ts';
import { primitiveOf } from '../program/primitives.ts';
import { simplifyAccess } from '../program/substitute.ts';
import type {
  Expression,
  FunctionDefinition,
  LabelSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../program/tree.ts';
import { isScalar, sameType, unqualified } from '../program/type-operations.ts';
import { itemsOf, mapChildren, walkPlainStatements } from '../program/visit-tree.ts';
import { PersistentTable } from '../support/persistent-table.ts';
import { pushAll } from '../support/push-all.ts';
import { isModelPlace } from '../support/source.ts';
import { addStatement, newAccesses, rootOf } from './alias/sharing.ts';
import { buildIf } from './build-if.ts';
import { backwardTargets, countJumps, isEntered, JumpFinder } from './find-jumps.ts';
import { foldNode, truthOf } from './fold-constants.ts';
import { type FlowClient, ForwardWalk, type GoneArm, type Sides } from './forward-walk.ts';
import type { PassContext } from './pass.ts';
import { dropDeadAssignments } from './propagate/drop-dead-assignments.ts';
import { accessesOf, dropDeadStores, privateVariables } from './propagate/drop-dead-stores.ts';
import { type FixedParts, findFixedParts, findPartsOfThreads } from './propagate/find-fixed-parts.ts';
import { findKept } from './propagate/find-kept.ts';
import { FollowedGlobals, type KnownPart } from './propagate/followed-globals.ts';
import { KnownEffects, type KnownParts } from './propagate/known-effects.ts';
import { FollowedParts, isKnownValue, sameValue } from './propagate/known-values.ts';
import { type Loops, peelIteration } from './propagate/peel-loop.ts';
import { foldLiteralOffset, readLiteral } from './propagate/read-literal.ts';
import type { ByteRange } from './propagate/variable-parts.ts';
import { headOf } from './unwind/loop-head.ts';

export function propagateConstants(program: BoundedProgram, context: PassContext): BoundedProgram {
  const fixed = findPartsOfThreads(program);
  const globals = new FollowedGlobals(program, fixed);
  return mapThreads(program, ({ number, function: definition }) => {
    const thread = { number, threads: program.threads, globals };
    const loops = context.options.keepLoops ? loopsOf(definition, program, context) : null;
    return dropDeadStores(new Propagator(definition, program.dataModel, fixed, { thread, loops }).run());
  });
}

/** The same while the loops still stand, so that less is copied. */
export function propagateBeforeUnwinding(program: Program, context: PassContext): Program {
  const fixed = findFixedParts(program);
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    const loops = loopsOf(item.definition, program, context);
    const propagated = new Propagator(item.definition, program.dataModel, fixed, { loops, thread: null }).run();
    return { ...item, definition: dropDeadAssignments(propagated) };
  });
  return { ...program, items };
}

function loopsOf(
  { body }: FunctionDefinition,
  { sources }: Pick<Program, 'sources'>,
  { loops, options, fresh }: PassContext,
): Loops {
  const mayRun = ({ loc }: Statement) => {
    const loop = loops.get(loc);
    return loop !== undefined && followsConstants(loop, options) && isModelPlace(sources, loc);
  };
  return { backward: backwardTargets(body), jumps: countJumps([body]), fresh, mayRun };
}

type While = Extract<Statement, { kind: 'while' }>;

/** A loop that runs longer than this is left to be unwound. */
const RUN_LIMIT = 256;

/** A thread of the bounded program, for what it knows of global variables and its argument. */
interface FollowedThread {
  readonly number: number;
  readonly threads: readonly BoundedThread[];
  readonly globals: FollowedGlobals;
}

interface Subject {
  /** null where threads are not known yet. */
  readonly thread: FollowedThread | null;
  /** null in the bounded program, which has none. */
  readonly loops: Loops | null;
}

const NOTHING: KnownParts = PersistentTable.empty();

/** What the condition of a branch became, and what is known on its two sides. */
interface Test extends Sides<KnownParts> {
  readonly condition: Expression;
  readonly decided: boolean | null;
}

class Propagator implements FlowClient<KnownParts, readonly Statement[], Test> {
  readonly #definition: FunctionDefinition;
  readonly #model: DataModel;
  readonly #fixed: FixedParts;
  readonly #followed: FollowedParts;
  readonly #effects: KnownEffects;
  readonly #jumps = new JumpFinder();
  readonly #walk = new ForwardWalk<KnownParts, readonly Statement[], Test>(this, NOTHING);
  readonly #loops: Subject['loops'];
  readonly #thread: Subject['thread'];
  /** For each loop around here, what is known where it is left by `break`. */
  readonly #breaks: KnownParts[][] = [];

  constructor(definition: FunctionDefinition, model: DataModel, fixed: FixedParts, { loops, thread }: Subject) {
    this.#loops = loops;
    this.#thread = thread;
    this.#definition = definition;
    this.#model = model;
    this.#fixed = fixed;
    const argument = thread?.threads[thread.number]?.argument;
    const accesses = accessesOf(definition);
    const among = privateVariables(definition, accesses, argument ? [argument] : []);
    const kept = thread ? findKept(definition, accesses) : new Set<VariableSymbol>();
    for (const symbol of kept) among.add(symbol);
    this.#followed = new FollowedParts(among, kept, thread?.globals.ofThread(thread.number));
    this.#effects = new KnownEffects(this.#followed);
  }

  run(): FunctionDefinition {
    for (const part of this.#thread?.globals.knownAtStart(this.#thread.number) ?? []) {
      const index = this.#followed.ofScalar(part);
      if (index !== null) this.#known = this.#known?.with(index, part.value) ?? null;
    }
    const { body } = this.#definition;
    return { ...this.#definition, body: block(this.items(body.items), body.loc, body.endLoc) };
  }

  // -------------------------------------------------------------- the walk

  /** What is known where ways meet is what is known on both. */
  meet(one: KnownParts, other: KnownParts): KnownParts {
    return one.intersect(other, sameValue);
  }

  items(items: readonly Statement[]): Statement[] {
    const out: Statement[] = [];
    for (const item of items) pushAll(out, this.#item(item));
    return out;
  }

  #item(item: Statement): readonly Statement[] {
    if (this.#known === null && !this.#jumps.hasLabels(item)) return [];
    if (this.#known === null || this.#jumps.hasJumps(item)) return this.#walk.statement(item);
    const before = this.#known;
    const recurring = this.#effects.of(item);
    const effect = recurring?.find(before);
    if (recurring && effect) {
      this.#known = recurring.after(effect, before);
      return effect.items;
    }
    const items = this.#walk.statement(item);
    recurring?.add(before, this.#known, items);
    return items;
  }

  test(arm: Extract<Statement, { kind: 'if' }>): Test {
    const before = this.#known;
    const condition = before ? this.#value(arm.condition) : arm.condition;
    const decided = before ? truthOf(condition, this.#model) : false;
    return {
      condition,
      decided,
      then: decided === false ? null : this.#learn(before, condition, true),
      otherwise: decided === true ? null : this.#learn(before, condition, false),
    };
  }

  block(statement: Extract<Statement, { kind: 'block' }>, items: readonly Statement[]): readonly Statement[] {
    return [{ ...statement, items }];
  }

  branches(
    _: Statement,
    arms: readonly GoneArm<Test, readonly Statement[]>[],
    last: readonly Statement[] | null,
  ): readonly Statement[] {
    let otherwise = last ?? [];
    for (const { arm, sides, then } of arms.toReversed()) {
      const { condition, decided } = sides;
      if (decided === false && then.length === 0) continue;
      if (decided === true && otherwise.length === 0) otherwise = then;
      else if (then.length > 0 || otherwise.length > 0) otherwise = [buildIf(arm, condition, then, otherwise)];
    }
    return otherwise;
  }

  begin(label: LabelSymbol): KnownParts | null {
    return this.#loops?.backward.has(label) ? NOTHING : null;
  }

  passed(statement: Statement): readonly Statement[] {
    return statement.kind === 'label' && this.#known === null ? [] : [statement];
  }

  other(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case 'expression':
        return this.#known === null ? [] : this.#expressionStatement(statement);
      case 'while':
        return this.#while(statement);
      case 'break':
        if (this.#known !== null) this.#breaks.at(-1)?.push(this.#known);
        this.#known = null;
        return [statement];
      case 'continue':
        this.#known = null;
        return [statement];
      default:
        return [statement];
    }
  }

  /** null where control does not come. */
  get #known(): KnownParts | null {
    return this.#walk.now;
  }

  set #known(known: KnownParts | null) {
    this.#walk.now = known;
  }

  // -------------------------------------------------------------- statements

  #expressionStatement(statement: Extract<Statement, { kind: 'expression' }>): readonly Statement[] {
    const { expression } = statement;
    if (expression.kind === 'assignment') return [withExpression(statement, this.#assignment(expression))];
    const replaced = this.#value(expression);
    const primitive = primitiveOf(replaced);
    if (replaced.kind === 'builtin' && (primitive === 'havoc' || primitive === 'zero')) {
      for (const arg of replaced.args) this.#forget(arg);
    }
    if (replaced.kind === 'builtin' && (primitive === 'assume' || primitive === 'assert')) {
      const decided = truthOf(replaced.args[0] as Expression, this.#model);
      if (decided === true) return [];
      if (decided === false && primitive === 'assume') this.#known = null;
    }
    if (replaced.kind === 'builtin' && primitive === 'spawn') this.#create(replaced.args);
    if (primitive === 'halt') this.#known = null;
    return [withExpression(statement, replaced)];
  }

  /** The new thread begins with what is known here, as far as it concerns it. */
  #create([number, argument]: readonly Expression[]): void {
    if (this.#thread === null || number?.kind !== 'integer' || !argument) return;
    const created = Number(number.value);
    const known: KnownPart[] = [];
    for (const [index, part] of this.#followed.globalParts.entries()) {
      const value = part && this.#known?.get(index);
      if (part && value) known.push({ ...part, value });
    }
    const symbol = this.#thread.threads[created]?.argument;
    if (symbol && isKnownValue(argument) && hasTypeOf(argument, variable(symbol, argument.loc))) {
      known.push({ symbol, range: WHOLE, value: argument });
    }
    this.#thread.globals.create(created, known);
  }

  #assignment(expression: Extract<Expression, { kind: 'assignment' }>): Expression {
    const value = this.#value(expression.value);
    const target = this.#lvalue(expression.target);
    this.#forget(target);
    const index = this.#followed.indexOf(target);
    if (index !== null && isScalar(target.type) && isKnownValue(value) && hasTypeOf(value, target)) {
      this.#known = this.#known?.with(index, value) ?? null;
    }
    return target === expression.target && value === expression.value ? expression : { ...expression, target, value };
  }

  /** A write to this lvalue: what lies in it, around it or perhaps beside it is no longer known. */
  #forget(lvalue: Expression): void {
    for (const index of this.#followed.changedBy(lvalue)) this.#known = this.#known?.with(index, undefined) ?? null;
  }

  // -------------------------------------------------------------- expressions

  #value(expression: Expression): Expression {
    switch (expression.kind) {
      case 'variable':
      case 'member':
      case 'index': {
        const lvalue = this.#lvalue(expression);
        return this.#knownValue(lvalue) ?? this.#fixedValue(lvalue);
      }
      case 'dereference': {
        const lvalue = this.#lvalue(expression);
        return this.#knownValue(lvalue) ?? this.#fixedValue(lvalue);
      }
      case 'address':
        return simplifyAccess(mapChildren(expression, (operand) => this.#lvalue(operand)));
      case 'cast':
        if (expression.castKind !== 'array-to-pointer') break;
        return mapChildren(expression, (operand) => this.#lvalue(operand));
      case 'builtin': {
        const primitive = primitiveOf(expression);
        if (primitive === 'havoc' || primitive === 'zero') return mapChildren(expression, (arg) => this.#lvalue(arg));
        break;
      }
      default:
        break;
    }
    const replaced = mapChildren(expression, (child) => this.#value(child));
    if (replaced.kind === 'pointer-offset') return foldLiteralOffset(replaced, this.#model);
    if (replaced.kind === 'cast' && replaced.castKind === 'pointer') return withoutDetour(replaced);
    return foldNode(replaced, this.#model);
  }

  #knownValue(lvalue: Expression): Expression | null {
    const index = this.#followed.indexOf(lvalue);
    const value = index === null ? undefined : this.#known?.get(index);
    return value && hasTypeOf(value, lvalue) ? value : null;
  }

  /** What always lies there, or the lvalue. */
  #fixedValue(lvalue: Expression): Expression {
    return this.#fixed.valueOf(lvalue) ?? readLiteral(lvalue, this.#model) ?? lvalue;
  }

  #lvalue(lvalue: Expression): Expression {
    switch (lvalue.kind) {
      case 'member':
        return mapChildren(lvalue, (object) => this.#lvalue(object));
      case 'index':
      case 'dereference':
        return simplifyAccess(mapChildren(lvalue, (child) => this.#value(child)));
      default:
        return lvalue;
    }
  }

  // -------------------------------------------------------------- branches

  /**
   * What is known once a condition has turned out true or false: `x == 3` and `!x` fix a part that is not changed
   * meanwhile.
   */
  #learn(known: KnownParts | null, condition: Expression, holds: boolean): KnownParts | null {
    if (known === null) return null;
    if (condition.kind === 'unary' && condition.operator === '!') return this.#learn(known, condition.operand, !holds);
    const isEquation = condition.kind === 'comparison' && condition.operator === (holds ? '==' : '!=');
    const lvalue = isEquation ? condition.left : holds ? null : condition;
    // Floats have two zeros.
    if (lvalue?.type.kind !== 'integer' && lvalue?.type.kind !== 'pointer') return known;
    const value = isEquation ? condition.right : zeroOf(lvalue.type, condition.loc);
    if (!isKnownValue(value) || !hasTypeOf(value, lvalue)) return known;
    const index = this.#followed.indexOf(lvalue);
    return index === null ? known : known.with(index, value);
  }

  // -------------------------------------------------------------- loops

  #while(statement: While): readonly Statement[] {
    const loops = this.#loops;
    const isEnteredByJumps = loops !== null && isEntered([statement], loops.jumps);
    const canRun = loops !== null && !isEnteredByJumps && this.#known !== null && loops.mayRun(statement);
    if (!canRun) return this.#loop(statement, isEnteredByJumps);
    const end = loops.fresh.label('loop_end', statement.loc);
    const out: Statement[] = [];
    for (let count = 0; this.#known !== null; count++) {
      const test = count < RUN_LIMIT ? this.#test(statement, peelIteration(statement, end, this.#jumps, loops)) : null;
      if (test === null) {
        pushAll(out, this.#loop(statement, false));
        break;
      }
      pushAll(out, test.items);
      if (test.isOver) break;
      pushAll(out, this.items(test.rest));
    }
    return [...out, ...this.#walk.statement(labelStatement(end, statement.loc))];
  }

  /** The test before an iteration, if what is known decides it: what is left of it, and the rest of the iteration. */
  #test(
    loop: While,
    iteration: readonly Statement[],
  ): { readonly isOver: boolean; readonly items: readonly Statement[]; readonly rest: readonly Statement[] } | null {
    const head = headOf(loop);
    if (head === null) {
      const decided = truthOf(this.#value(loop.condition), this.#model);
      return decided === null || loop.condition.kind === 'integer'
        ? null
        : { isOver: !decided, items: [], rest: iteration };
    }
    const [first, ...rest] = iteration;
    const before = this.#known;
    const items = first ? this.#item(first) : [];
    const last = items.flatMap(itemsOf).at(-1);
    if (this.#known === null || last?.kind !== 'if') return { isOver: this.#known === null, items, rest };
    this.#known = before;
    return null;
  }

  /** What a loop changes is not known in it, and nothing is if jumps lead into it. */
  #loop(statement: While, isEnteredByJumps: boolean): readonly Statement[] {
    if (isEnteredByJumps) this.#known = NOTHING;
    else this.#forgetWritten(statement);
    const head = this.#known;
    if (head === null) return [];
    const condition = this.#value(statement.condition);
    const exits: KnownParts[] = [];
    this.#breaks.push(exits);
    this.#known = this.#learn(head, condition, true);
    const body = this.items(itemsOf(statement.body));
    this.#breaks.pop();
    if (truthOf(condition, this.#model) !== true) exits.push(this.#learn(head, condition, false) ?? NOTHING);
    this.#known = intersection(exits);
    return [{ ...statement, condition, body: block(body, statement.body.loc) }];
  }

  #forgetWritten(statement: Statement): void {
    const accesses = newAccesses();
    addStatement(statement, accesses);
    for (const symbol of accesses.writes) {
      for (const index of this.#followed.within(symbol)) this.#known = this.#known?.with(index, undefined) ?? null;
    }
    walkPlainStatements(statement, (part) => {
      for (const lvalue of writtenThroughPointers(part)) this.#forget(lvalue);
    });
  }
}

/** What a statement writes to where the text does not show which variable that is. */
function writtenThroughPointers(statement: Statement): readonly Expression[] {
  const expression = statement.kind === 'expression' ? statement.expression : null;
  const primitive = expression && primitiveOf(expression);
  const fills = expression?.kind === 'builtin' && (primitive === 'havoc' || primitive === 'zero');
  const written = expression?.kind === 'assignment' ? [expression.target] : fills ? expression.args : [];
  return written.filter((lvalue) => rootOf(lvalue) === null);
}

/** Of a variable that is not followed by its bytes. */
const WHOLE: ByteRange = { start: 0, size: Number.POSITIVE_INFINITY };

/** What is known on every way; null if there is none. */
function intersection(ways: readonly KnownParts[]): KnownParts | null {
  return ways.length === 0 ? null : ways.reduce((both, way) => both.intersect(way, sameValue));
}

function withExpression(statement: Extract<Statement, { kind: 'expression' }>, expression: Expression): Statement {
  return expression === statement.expression ? statement : { ...statement, expression };
}

/** `(int *)(void *)&x` is `&x`. */
function withoutDetour(pointer: Extract<Expression, { kind: 'cast' }>): Expression {
  const { operand } = pointer;
  const isDetour = operand.kind === 'cast' && operand.castKind === 'pointer';
  return isDetour && hasTypeOf(operand.operand, pointer) ? operand.operand : pointer;
}

function hasTypeOf(value: Expression, target: Expression): boolean {
  return sameType(unqualified(value.type), unqualified(target.type));
}
