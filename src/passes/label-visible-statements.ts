/**
 * Numbers the points at which a thread can be interrupted. A label stands before every visible statement: one that
 * touches memory which another thread may touch, creates a thread, waits (an assumption), ends the program, or begins
 * an atomic section that does such a thing. What is touched under a lock that keeps others away needs none
 * (label/find-protected.ts). The first statement of a thread has label 0, its end the last label. Inside
 * an atomic section there are none, and none in main before it creates its first thread.
 *
 * Labels are counted in the order of the text. Copies of a loop that share a statement share its labels, too, so that
 * the number of a label is not its own but that of its place.
 *
 * Where loops are kept, a label also stands at the start of each iteration, and where a jump leads back, unless the
 * loop surely ends and nothing in it is visible: a thread that never comes to a label again could not be left, and what
 * it has done before would be seen by nobody. A loop whose condition is visible has it behind that label: `while (1) {
 * if (!condition) break; …`.
 *
 * Under a weak memory model what waits for stores that may be pending has a label, too: full fences and atomic
 * sections, also those that touch nothing else.
 *
 * With `atomicStatements`, as in the papers, an assertion right after a visible assignment is part of that step. (There
 * the assumption at the end of an unwound loop is so as well, if it is about private values. What others would see of
 * that step is lost then in every execution that is cut off.)
 */

import type { BoundedProgram, BoundedThread } from '../program/bounded-program.ts';
import { block, ifStatement, integer, labelStatement, negated } from '../program/build-tree.ts';
import { isWeak } from '../program/memory-model.ts';
import {
  fenceOrder,
  isAccessBegin,
  isPrimitiveStatement,
  type Primitive,
  primitiveCall,
} from '../program/primitives.ts';
import type { Expression, FunctionDefinition, LabelSymbol, Statement } from '../program/tree.ts';
import { itemsOf, walkPlainStatements } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';
import { backwardTargets, isJump, PartFinder } from './find-jumps.ts';
import { findShared } from './find-shared.ts';
import { type FlowClient, ForwardWalk, type GoneArm, type Sides } from './forward-walk.ts';
import { findDelayed, type IsDelayed } from './label/find-delayed.ts';
import { findProtected } from './label/find-protected.ts';
import { refuseLateWaits } from './label/refuse-late-waits.ts';
import type { PassContext } from './pass.ts';

export function labelVisibleStatements(program: BoundedProgram, context: PassContext): BoundedProgram {
  const isNoticed = findNoticed(program, context);
  const isDelayed = isWeak(context.options.memoryModel) ? findDelayed(program, findShared(program, context)) : null;
  const threads = program.threads.map((thread): BoundedThread => {
    const labeller = new Labeller(context, isNoticed, isDelayed, thread.number);
    const definition = labeller.run(thread.function);
    const { symbols, places } = labeller;
    return { ...thread, function: definition, labels: { symbols, places } };
  });
  const labelled = { ...program, threads };
  if (context.options.seeks === 'deadlock') refuseLateWaits(labelled, findShared(program, context), context.sink);
  return labelled;
}

/** Whether others can notice that a thread evaluates an expression. */
type IsNoticed = (thread: number, expression: Expression) => boolean;

/**
 * In the papers critical sections have labels, too, whatever protects what they touch. So they do where loops are kept:
 * which locks are held is found by a walk forward.
 */
function findNoticed(program: BoundedProgram, context: PassContext): IsNoticed {
  const sharing = findShared(program, context);
  if (context.options.atomicStatements || context.options.keepLoops) return sharing.isNoticed;
  const isProtected = findProtected(program, sharing);
  return (thread, expression) => {
    if (!sharing.isNoticed(thread, expression)) return false;
    const touched = sharing.touchedBy(thread, expression);
    return touched === null || !touched.every((touch) => isProtected(thread, touch));
  };
}

// What is asked about the parts of a statement.
const JUMP = 1;
/** It changes what counts as visible behind it. */
const EVENT = 2;
/** It would be visible on its own. */
const VISIBLE = 4;

const EVENTS: ReadonlySet<Primitive | undefined> = new Set<Primitive>([
  'spawn',
  'halt',
  'atomicBegin',
  'atomicEnd',
  // One that is no step of its own goes.
  'touch',
]);

type Compound = Extract<Statement, { kind: 'block' | 'if' }>;
type While = Extract<Statement, { kind: 'while' }>;

interface Recurring {
  readonly labelled: Statement;
  readonly places: readonly Loc[];
  readonly mayPend: boolean;
}

/** Follows how many atomic sections are open. */
class Labeller implements FlowClient<number, Statement[]> {
  readonly #context: PassContext;
  readonly #noticed: IsNoticed;
  readonly #delayed: IsDelayed | null;
  readonly #thread: number;
  /** Whether other threads exist. */
  #started: boolean;
  /** Whether a store has been passed that can be pending. */
  #mayPend = false;
  readonly #walk = new ForwardWalk<number, Statement[]>(this, 0);
  readonly unreached = 0;
  readonly symbols = new Set<LabelSymbol>();
  readonly places: Loc[] = [];
  /** Statements that occur often, as copies of loops share them; null after the first occurrence. */
  readonly #recurring = new Map<Statement, Recurring | null>();
  // What was found out about statements, which copies of loops share.
  readonly #parts = new PartFinder(
    (part) =>
      (isJump(part) ? JUMP : 0) | (this.#isEvent(part) ? EVENT : 0) | (this.#isVisibleAlone(part) ? VISIBLE : 0),
  );
  readonly #unbalanced = new Set<Loc>();
  /** Labels that jumps lead back to. */
  #backward: ReadonlySet<LabelSymbol> = new Set();
  /** For each loop around here: in how many atomic sections `break` leaves it, and `continue` goes on. */
  readonly #loops: { readonly head: number; readonly exits: number[] }[] = [];
  /** By statement, or by the condition of an `if`. */
  readonly #looked = new Map<Statement | Expression, boolean>();

  constructor(context: PassContext, noticed: IsNoticed, delayed: IsDelayed | null, thread: number) {
    this.#context = context;
    this.#noticed = noticed;
    this.#delayed = delayed;
    this.#thread = thread;
    this.#started = thread > 0;
  }

  run(definition: FunctionDefinition): FunctionDefinition {
    const { body } = definition;
    if (this.#context.options.keepLoops) this.#backward = backwardTargets(body);
    const isDeclaration = ({ kind }: Statement) => kind === 'declaration';
    const declarations = body.items.filter(isDeclaration);
    const first = this.#newLabel(body.loc);
    const rest = this.items(
      body.items.filter((item) => !isDeclaration(item)),
      true,
    );
    const items = declarations.concat(first, rest, this.#newLabel(body.endLoc));
    return { ...definition, body: block(items, body.loc, body.endLoc) };
  }

  #newLabel(loc: Loc): Statement {
    const label = this.#context.fresh.label(`__lazuli_${this.places.length}`, loc);
    this.symbols.add(label);
    this.places.push(loc);
    return labelStatement(label, loc);
  }

  items(items: readonly Statement[], isStart = false): Statement[] {
    const out: Statement[] = [];
    let isLabelled = isStart;
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Statement;
      const isTouch = isPrimitiveStatement(item, 'touch');
      if (!isLabelled && this.#isVisible(items, at)) out.push(this.#newLabel(item.loc));
      else if (isTouch && !isLabelled && this.#walk.now === 0) continue;
      if (isLabelled && item.kind === 'block') out.push({ ...item, items: this.items(item.items, true) });
      else out.push(this.#statement(item));
      const isBackward = item.kind === 'label' && this.#backward.has(item.label) && this.#canBeLeft;
      if (isBackward) out.push(this.#newLabel(item.loc));
      // An access belongs to the step in which it is announced.
      isLabelled = isBackward || (isTouch && this.#walk.now === 0 && !isTouchAt(items, at + 1));
    }
    return out;
  }

  /** Whether there are others, and they may run here. */
  get #canBeLeft(): boolean {
    return this.#walk.now === 0 && this.#started;
  }

  #statement(statement: Statement): Statement {
    if (statement.kind !== 'block' && statement.kind !== 'if') return this.#inside(statement);
    const parts = this.#parts.find(statement);
    if (this.#areLeftAlone(parts)) return statement;
    return parts & JUMP ? this.#inside(statement) : this.#recur(statement);
  }

  #inside(statement: Statement): Statement {
    return this.#walk.statement(statement)[0] as Statement;
  }

  /**
   * From the third occurrence on, a statement is taken as it was labelled before, with the same labels: that their
   * numbers differ is the business of whoever counts them.
   */
  #recur(statement: Compound): Statement {
    const known = this.#recurring.get(statement);
    const isOutside = this.#walk.now === 0 && this.#started;
    if (known && isOutside && known.mayPend === this.#mayPend) {
      for (let at = 0; at < known.places.length; at++) this.places.push(known.places[at] as Loc);
      return known.labelled;
    }
    const [from, mayPend] = [this.places.length, this.#mayPend];
    const labelled = this.#inside(statement);
    const isRepeatable = known === null && isOutside && this.#walk.now === 0 && !containsSpawn(statement);
    const { places } = this;
    if (isRepeatable) this.#recurring.set(statement, { labelled, places: places.slice(from), mayPend });
    else if (known === undefined) this.#recurring.set(statement, null);
    return labelled;
  }

  /** Whether a statement with these parts needs no labels, so that it can stay as it is, shared by copies of a loop. */
  #areLeftAlone(parts: number): boolean {
    if (parts & (JUMP | EVENT)) return false;
    return this.#walk.now !== 0 || !this.#started || (parts & VISIBLE) === 0;
  }

  // -------------------------------------------------------------- the walk

  meet(one: number, other: number, loc: Loc): number {
    if (one !== other && !this.#unbalanced.has(loc)) {
      this.#unbalanced.add(loc);
      const message = 'an atomic section that is open on one way here and not on another is not supported';
      this.#context.sink.error(loc, 'unsupported', message);
    }
    return one;
  }

  test(): Sides<number> {
    return { then: this.#walk.now, otherwise: this.#walk.now };
  }

  block(statement: Extract<Statement, { kind: 'block' }>, items: Statement[]): Statement[] {
    return [{ ...statement, items }];
  }

  branches(_: Statement, arms: readonly GoneArm<Sides<number>, Statement[]>[], last: Statement[] | null): Statement[] {
    const final = arms.at(-1)?.arm.otherwise;
    let otherwise: Statement | null = last && final ? block(last, final.loc) : null;
    for (const { arm, then } of arms.toReversed()) otherwise = { ...arm, then: block(then, arm.then.loc), otherwise };
    return [otherwise as Statement];
  }

  passed(statement: Statement): Statement[] {
    return [statement];
  }

  /** Keeps track of atomic sections and of the first thread. */
  other(statement: Statement): Statement[] {
    if (statement.kind === 'while') return [this.#while(statement)];
    if (statement.kind === 'break' || statement.kind === 'continue') return [this.#leave(statement)];
    const primitive = primitiveCall(statement)?.primitive;
    const depth = this.#walk.now;
    if (this.#canBeLeft && this.#isDelayedStore(statement)) this.#mayPend = true;
    if (primitive === 'spawn') this.#started = true;
    if (primitive === 'atomicBegin' && depth !== null) this.#walk.now = depth + 1;
    if (primitive === 'atomicEnd' && depth !== null) this.#walk.now = Math.max(0, depth - 1);
    if (endsPath(statement)) this.#walk.now = null;
    return [statement];
  }

  // -------------------------------------------------------------- loops

  #while(loop: While): Statement {
    const { condition, body, loc } = loop;
    const head = this.#walk.now;
    if (head === null || (this.#parts.find(loop) & (JUMP | EVENT | VISIBLE)) === 0) return loop;
    const isLabelled = this.#canBeLeft && this.#isVisibleAlone(loop);
    const isTested = isLabelled && this.#isNoticed(condition);
    const start = isLabelled ? [this.#newLabel(loc)] : [];
    const test = isTested ? [ifStatement(negated(condition, loc), [{ kind: 'break', loc }], null, loc)] : [];
    const exits = condition.kind === 'integer' && condition.value !== 0n ? [] : [head];
    this.#loops.push({ head, exits });
    const rest = this.items(itemsOf(body), isLabelled && !isTested);
    if (this.#walk.now !== null) this.meet(head, this.#walk.now, loc);
    this.#loops.pop();
    this.#walk.now = exits.length === 0 ? null : exits.reduce((one, other) => this.meet(one, other, loc));
    const whole = block([...start, ...test, ...rest], body.loc);
    return { ...loop, condition: isTested ? integer(1, loc) : condition, body: whole };
  }

  #leave(statement: Extract<Statement, { kind: 'break' | 'continue' }>): Statement {
    const loop = this.#loops.at(-1);
    const depth = this.#walk.now;
    if (loop && depth !== null) {
      if (statement.kind === 'break') loop.exits.push(depth);
      else this.meet(loop.head, depth, statement.loc);
    }
    this.#walk.now = null;
    return statement;
  }

  /** Whether a thread may run in the loop for ever without coming to anything visible. */
  #mayStay({ loc, body }: While): boolean {
    const isCounted = (this.#context.loops.get(loc)?.tripCount ?? null) !== null;
    return !isCounted || (this.#parts.find(body) & JUMP) !== 0;
  }

  // -------------------------------------------------------------- visible statements

  #isVisible(items: readonly Statement[], at: number): boolean {
    const item = items[at] as Statement;
    if (this.#walk.now !== 0 || item.kind === 'while') return false;
    if (!this.#started) return startsThread(items, at) || this.#waits(items, at);
    const primitive = primitiveCall(item)?.primitive;
    if (this.#mayPend && waits(item)) return true;
    if (primitive === 'atomicBegin') return this.#isVisibleSection(items, at);
    if (primitive === 'assert' && this.#belongsToStep(items[at - 1])) return false;
    return this.#isVisibleAlone(item);
  }

  /** Whether a section begins here in which the thread may wait for ever, also if there are no others. */
  #waits(items: readonly Statement[], at: number): boolean {
    const isAsked = this.#context.options.seeks === 'deadlock';
    return isAsked && isPrimitiveStatement(items[at] as Statement, 'atomicBegin') && this.#isVisibleSection(items, at);
  }

  /** Whether an assertion after this statement is checked in the same step. */
  #belongsToStep(before: Statement | undefined): boolean {
    if (!this.#context.options.atomicStatements || before?.kind !== 'expression') return false;
    return primitiveCall(before) === null && this.#isNoticed(before.expression);
  }

  /** The section's end is looked for in the same list; if it is not there, the section counts as visible. */
  #isVisibleSection(items: readonly Statement[], at: number): boolean {
    let depth = 0;
    for (let i = at; i < items.length; i++) {
      const item = items[i] as Statement;
      if (isPrimitiveStatement(item, 'atomicBegin')) depth++;
      else if (isPrimitiveStatement(item, 'atomicEnd') && --depth === 0) return false;
      else if (this.#parts.find(item) & VISIBLE) return true;
    }
    return true;
  }

  #isVisibleAlone(statement: Statement): boolean {
    const expression = statement.kind === 'if' ? statement.condition : statement;
    const known = this.#looked.get(expression);
    if (known !== undefined) return known;
    const found = this.#looksVisible(statement);
    this.#looked.set(expression, found);
    return found;
  }

  #looksVisible(statement: Statement): boolean {
    if (statement.kind === 'if') return this.#isNoticed(statement.condition);
    if (statement.kind === 'while') return this.#isNoticed(statement.condition) || this.#mayStay(statement);
    if (statement.kind !== 'expression') return false;
    const found = primitiveCall(statement);
    switch (found?.primitive) {
      case 'spawn':
      case 'halt':
      // Also where a bound cuts executions off: what the thread did before stands all the same.
      case 'assume':
        return true;
      case 'atomicBegin':
      case 'atomicEnd':
      case 'fence':
        return false;
      default:
        return this.#isNoticed(statement.expression);
    }
  }

  #isNoticed(expression: Expression): boolean {
    return this.#noticed(this.#thread, expression);
  }

  #isEvent(statement: Statement): boolean {
    if (isEvent(statement)) return true;
    return this.#delayed !== null && (waits(statement) || this.#isDelayedStore(statement));
  }

  #isDelayedStore(statement: Statement): boolean {
    if (this.#delayed === null || statement.kind !== 'expression') return false;
    const { expression } = statement;
    return expression.kind === 'assignment' && this.#delayed(this.#thread, expression);
  }
}

/** Whether pending stores must have arrived before it. */
function waits(statement: Statement): boolean {
  const found = primitiveCall(statement);
  if (found?.primitive === 'atomicBegin') return !isAccessBegin(found.call);
  return found?.primitive === 'fence' && fenceOrder(found.call) === 'seq_cst';
}

function isTouchAt(items: readonly Statement[], at: number): boolean {
  const item = items[at];
  return item !== undefined && isPrimitiveStatement(item, 'touch');
}

function isEvent(statement: Statement): boolean {
  return EVENTS.has(primitiveCall(statement)?.primitive) || endsPath(statement);
}

/** Nothing comes after it: the program ends, or what is assumed does not hold. */
function endsPath(statement: Statement): boolean {
  const found = primitiveCall(statement);
  if (found?.primitive === 'halt') return true;
  const condition = found?.primitive === 'assume' ? found.call.args[0] : undefined;
  return condition?.kind === 'integer' && condition.value === 0n;
}

/** Whether a thread is created here, or in the atomic section that begins here. */
function startsThread(items: readonly Statement[], at: number): boolean {
  const item = items[at] as Statement;
  if (isPrimitiveStatement(item, 'spawn')) return true;
  if (!isPrimitiveStatement(item, 'atomicBegin')) return false;
  for (let i = at; i < items.length; i++) {
    if (containsSpawn(items[i] as Statement)) return true;
    if (isPrimitiveStatement(items[i] as Statement, 'atomicEnd')) return false;
  }
  return true;
}

function containsSpawn(statement: Statement): boolean {
  let found = false;
  walkPlainStatements(statement, (part) => {
    if (isPrimitiveStatement(part, 'spawn')) found = true;
  });
  return found;
}
