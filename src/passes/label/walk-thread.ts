/**
 * Follows a thread through its text (forward-walk.ts) and notes what it does to memory that others touch,
 * each time with the facts that hold there: the locks that it holds, and the threads whose end it has waited for.
 *
 * A lock is any integer that a thread takes in an atomic section: there it has one of certain values, by an assumption
 * or a branch, and gets another one. The thread holds it from then on until it writes it again. Whether that keeps
 * others out depends on what they do; find-protected.ts judges.
 *
 * A thread waits for another by an assumption about the models' tables of threads, as pthread_join does.
 *
 * Statements that copies of a loop share are looked at once for the same facts.
 */

import type { DataModel } from '../../program/data-model.ts';
import { primitiveCall } from '../../program/primitives.ts';
import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../../program/tree.ts';
import { expressionsOf } from '../../program/visit-tree.ts';
import type { ObjectAccess, SharedMemory } from '../alias/find-shared-memory.ts';
import { rootOf } from '../alias/sharing.ts';
import { JumpFinder } from '../find-jumps.ts';
import { type FlowClient, ForwardWalk, type Sides } from '../forward-walk.ts';
import type { Fact, FactSets, Facts } from './facts.ts';
import type { IntegerPart, IntegerParts } from './integer-parts.ts';
import { SectionFacts } from './section-facts.ts';
import { type ThreadTables, waitedFor } from './thread-tables.ts';

/** Something that others can notice. */
export interface ThreadAccess extends ObjectAccess {
  readonly thread: number;
  readonly facts: Facts;
  readonly isInSection: boolean;
  /** Of a write, what is written, if it is a literal. */
  readonly value: bigint | null;
  /** Of a write in an atomic section, the values that the part can have had before it; null if these may be any. */
  readonly before: ReadonlySet<bigint> | null;
  /** Of a read in an atomic section: nothing comes of it unless the part has one of these values, as is assumed. */
  waitsFor: ReadonlySet<bigint> | null;
}

/** A write to one of the models' tables of threads. */
export interface TableWrite {
  readonly thread: number;
  readonly facts: Facts;
  readonly target: Expression;
  readonly value: bigint | null;
}

/** What all threads have in common. */
export interface Surroundings {
  readonly sharing: SharedMemory;
  readonly parts: IntegerParts;
  readonly sets: FactSets;
  readonly tables: ThreadTables;
  readonly model: DataModel;
}

/** How control comes to a place: with these facts, inside so many atomic sections. */
interface Way {
  readonly facts: Facts;
  readonly depth: number;
  /** null outside of atomic sections. Belongs to one way; where ways meet, nothing is known of the section. */
  readonly section: SectionFacts | null;
}

export class ThreadWalk implements FlowClient<Way, void> {
  readonly accesses: ThreadAccess[] = [];
  readonly tableWrites: TableWrite[] = [];
  /** The locks that the thread takes. */
  readonly taken = new Set<IntegerPart>();
  /** Whether something is done whose effect is not known. */
  isLost = false;

  readonly #thread: number;
  readonly #around: Surroundings;
  readonly #jumps = new JumpFinder();
  /** Whether other threads exist. */
  #started: boolean;
  readonly #walk: ForwardWalk<Way, void>;
  readonly #passed = new Map<Statement, { readonly before: Facts; readonly after: Facts | null }>();
  readonly #touches = new Map<Expression, readonly ObjectAccess[]>();
  readonly #lockVariables = new Set<VariableSymbol>();
  /** Reads in this atomic section of which nothing has come yet. */
  #pending: ThreadAccess[] = [];

  constructor(thread: number, around: Surroundings) {
    this.#thread = thread;
    this.#around = around;
    this.#started = thread > 0;
    this.#walk = new ForwardWalk<Way, void>(this, { facts: around.sets.none, depth: 0, section: null });
  }

  run({ body }: FunctionDefinition): void {
    this.items(body.items);
  }

  get #facts(): Facts | null {
    return this.#walk.now?.facts ?? null;
  }

  get #depth(): number {
    return this.#walk.now?.depth ?? 0;
  }

  get #section(): SectionFacts | null {
    return this.#walk.now?.section ?? null;
  }

  #newSection(depth: number, like: SectionFacts | null = null): SectionFacts | null {
    return depth > 0 ? new SectionFacts(this.#around.parts, this.#around.model, like) : null;
  }

  // -------------------------------------------------------------- the walk

  meet(one: Way, other: Way): Way {
    return { facts: this.#around.sets.meet(one.facts, other.facts), depth: other.depth, section: null };
  }

  items(items: readonly Statement[]): void {
    for (let at = 0; at < items.length; at++) this.#item(items[at] as Statement);
  }

  #item(item: Statement): void {
    const before = this.#facts;
    if (before === null && !this.#jumps.hasLabels(item)) return;
    const isPlain = before !== null && this.#depth === 0 && this.#started && !this.#jumps.hasJumps(item);
    const passed = isPlain ? this.#passed.get(item) : undefined;
    if (passed && passed.before === before) {
      this.#walk.now = passed.after && { facts: passed.after, depth: 0, section: null };
      return;
    }
    this.#walk.statement(item);
    if (isPlain && this.#depth === 0) this.#passed.set(item, { before, after: this.#facts });
  }

  test({ condition }: Extract<Statement, { kind: 'if' }>): Sides<Way> {
    this.#note(condition);
    this.#pending = [];
    const { now } = this.#walk;
    if (!now?.section) return { then: now, otherwise: now };
    const otherwise = { ...now, section: this.#newSection(now.depth, now.section) };
    now.section.learn(condition, true);
    otherwise.section?.learn(condition, false);
    return { then: now, otherwise };
  }

  block(): void {}

  branches(): void {
    this.#forgetSection();
  }

  passed(statement: Statement): void {
    if (statement.kind !== 'label') return;
    this.#pending = [];
    this.#forgetSection();
  }

  #forgetSection(): void {
    const { now } = this.#walk;
    if (now) this.#walk.now = { ...now, section: this.#newSection(now.depth) };
  }

  other(statement: Statement): void {
    switch (statement.kind) {
      case 'expression':
        this.#expressionStatement(statement);
        break;
      case 'declaration':
      case 'empty':
        break;
      default:
        for (const expression of expressionsOf(statement)) this.#note(expression);
        this.#pending = [];
    }
  }

  #expressionStatement(statement: Extract<Statement, { kind: 'expression' }>): void {
    if (this.#facts === null) return;
    const { expression } = statement;
    const found = primitiveCall(statement);
    if (found?.primitive === 'fence') return;
    if (found?.primitive === 'spawn') this.#create(found.call.args[0]);
    this.#note(expression);
    if (!this.#isHarmless(expression) && found?.primitive !== 'assume') this.#pending = [];
    if (expression.kind === 'assignment') this.#assign(expression.target, expression.value);
    switch (found?.primitive) {
      case 'atomicBegin':
        this.#changeDepth(1);
        break;
      case 'atomicEnd':
        this.#changeDepth(-1);
        break;
      case 'assume':
        this.#assume(found.call.args[0] as Expression);
        break;
      case 'havoc':
      case 'zero':
        for (const target of found.call.args) this.#assign(target, null);
        break;
      case 'halt':
      case 'endThread':
        this.#walk.now = null;
        break;
      default:
        break;
    }
  }

  #changeDepth(by: number): void {
    const { now } = this.#walk;
    if (!now) return;
    const depth = Math.max(0, now.depth + by);
    const section = depth === 0 ? null : (now.section ?? this.#newSection(depth));
    this.#walk.now = { ...now, depth, section };
  }

  /** Whether nothing can fail or be decided by evaluating it: it copies a literal or what lies at a fixed place. */
  #isHarmless(expression: Expression): boolean {
    if (expression.kind !== 'assignment' || expression.target.kind !== 'variable') return false;
    let value = expression.value;
    while (value.kind === 'cast' && value.castKind === 'integer') value = value.operand;
    return value.kind === 'integer' || this.#around.parts.of(value) !== null;
  }

  #create(number: Expression | undefined): void {
    this.#started = true;
    if (number?.kind === 'integer') this.#add(`created ${Number(number.value)}`);
  }

  #assume(condition: Expression): void {
    if (condition.kind === 'integer' && condition.value === 0n) {
      this.#walk.now = null;
      return;
    }
    const joined = this.#section && waitedFor(condition, this.#section, this.#around.tables);
    if (joined !== null && this.#facts?.has(`created ${joined}`)) this.#add(`joined ${joined}`);
    this.#section?.learn(condition, true);
    for (const access of this.#pending) {
      const part = access.lvalue && this.#around.parts.of(access.lvalue);
      access.waitsFor = (part && this.#section?.valuesOf(part)) ?? null;
    }
  }

  // -------------------------------------------------------------- memory

  #add(fact: Fact): void {
    const { now } = this.#walk;
    if (now) this.#walk.now = { ...now, facts: this.#around.sets.with(now.facts, fact) };
  }

  /** Notes what others can notice of evaluating an expression. */
  #note(expression: Expression): void {
    if (this.#facts === null || !this.#started) return;
    const touches = this.#touches.get(expression) ?? this.#lookAt(expression);
    for (let at = 0; at < touches.length; at++) {
      const { object, kind, lvalue } = touches[at] as ObjectAccess;
      const isAssigned = expression.kind === 'assignment' && kind === 'write' && lvalue === expression.target;
      const value = isAssigned ? literal(expression.value) : null;
      const part = isAssigned && this.#section ? this.#around.parts.of(expression.target) : null;
      const before = part && this.#section ? this.#section.valuesOf(part) : null;
      const [thread, isInSection] = [this.#thread, this.#depth > 0];
      const access = { object, kind, lvalue, thread, facts: this.#facts, isInSection, value, before, waitsFor: null };
      this.accesses.push(access);
      if (kind === 'read' && this.#section) this.#pending.push(access);
    }
  }

  #lookAt(expression: Expression): readonly ObjectAccess[] {
    const touches = this.#around.sharing.touchedBy(this.#thread, expression);
    if (touches === null) this.isLost = true;
    const found = touches ?? [];
    this.#touches.set(expression, found);
    return found;
  }

  /** Something is written; `value` is null where it is not one expression. */
  #assign(target: Expression, value: Expression | null): void {
    if (this.#facts === null) return;
    const symbol = rootOf(target);
    if (symbol !== null && (this.#section !== null || this.#lockVariables.has(symbol))) {
      const part = this.#around.parts.of(target);
      if (part !== null) this.#write(part, value && literal(value));
    }
    this.#section?.assign(target, symbol, value);
    this.#writeTable(target, symbol, value);
  }

  /** Takes a lock, or lets it go. */
  #write(part: IntegerPart, value: bigint | null): void {
    const { now } = this.#walk;
    const before = this.#section?.valuesOf(part) ?? null;
    const isTaken = before !== null && value !== null && !before.has(value);
    if (isTaken) {
      this.taken.add(part);
      this.#lockVariables.add(part.symbol);
      this.#add(`holds ${part.id}`);
    } else if (now) this.#walk.now = { ...now, facts: this.#around.sets.without(now.facts, `holds ${part.id}`) };
  }

  #writeTable(target: Expression, symbol: VariableSymbol | null, value: Expression | null): void {
    const { finished, status } = this.#around.tables;
    if (this.#facts === null || symbol === null || (symbol !== finished && symbol !== status)) return;
    this.tableWrites.push({ thread: this.#thread, facts: this.#facts, target, value: value && literal(value) });
    if (symbol === finished) this.#add('finished');
  }
}

function literal(value: Expression): bigint | null {
  return value.kind === 'integer' ? value.value : null;
}
