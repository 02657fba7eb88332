/**
 * The state of simplifying one function: where statements go, the temporaries made so far, and which memory other
 * threads may touch. `count` tells how many accesses to such memory an expression makes; while `splits` is true, no
 * statement may make more than one.
 *
 * Who owns it: one run over one function, by the functions of this folder.
 */

import { assign, block, member, variable } from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import type { NameScope } from '../../program/fresh-symbols.ts';
import { isWeak } from '../../program/memory-model.ts';
import { accessBegin, atomicBegin, atomicEnd } from '../../program/primitives.ts';
import type { Expression, LabelSymbol, Statement, VariableSymbol } from '../../program/tree.ts';
import { unqualified } from '../../program/type-operations.ts';
import { QUALIFIER_ATOMIC } from '../../program/types.ts';
import { childrenOf, walkExpression, walkStatement } from '../../program/visit-tree.ts';
import { invariant } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import type { Loc } from '../../support/source.ts';
import type { SharedVariables } from '../alias/sharing.ts';
import type { PassContext } from '../pass.ts';
import { copyParts, othersInUnit, type PartsOf } from './copy-parts.ts';
import { isInHalves, readInHalves, storeInHalves } from './halves.ts';

/** Where `break` and `continue` lead, when they cannot stay what they are. */
export interface JumpTargets {
  readonly breakLabel: (() => LabelSymbol) | null;
  readonly continueLabel: (() => LabelSymbol) | null;
}

/** Casts of a record to its own type say nothing. */
function bareRecord(value: Expression): Expression {
  let at = value;
  while (at.kind === 'cast' && (at.castKind === 'record' || at.castKind === 'qualification')) at = at.operand;
  return at.type.kind === 'record' ? at : value;
}

function isPlace({ kind }: Expression): boolean {
  return kind === 'variable' || kind === 'member' || kind === 'index' || kind === 'dereference';
}

export class Simplifier {
  readonly context: PassContext;
  readonly model: DataModel;
  readonly names: NameScope;
  readonly functionName: string;
  readonly sharing: SharedVariables;
  /** The temporaries, to be declared at the top of the function. */
  readonly locals: VariableSymbol[] = [];
  /**
   * One statement makes at most one access to shared memory: not in atomic sections, nor when whole C statements are
   * atomic.
   */
  splits: boolean;
  targets: JumpTargets = { breakLabel: null, continueLabel: null };
  #out: Statement[] = [];
  readonly #temporaries = new Set<VariableSymbol>();
  readonly #counts = new WeakMap<Expression, number>();

  constructor(
    context: PassContext,
    model: DataModel,
    names: NameScope,
    functionName: string,
    sharing: SharedVariables,
    splits: boolean,
  ) {
    this.context = context;
    this.model = model;
    this.names = names;
    this.functionName = functionName;
    this.sharing = sharing;
    this.splits = splits;
  }

  emit(...statements: readonly Statement[]): void {
    this.emitAll(statements);
  }

  emitAll(statements: readonly Statement[]): void {
    pushAll(this.#out, statements);
  }

  /** Runs `work` and returns the statements that it emits, which are not emitted. */
  collect<T>(work: () => T): { readonly value: T; readonly statements: Statement[] } {
    const before = this.#out;
    this.#out = [];
    const value = work();
    const statements = this.#out;
    this.#out = before;
    return { value, statements };
  }

  refuse(what: string, loc: Loc): void {
    this.context.sink.error(loc, 'unsupported', `${what} not supported by the passes from C to C`);
  }

  newLabel(name: string, loc: Loc): LabelSymbol {
    return this.context.fresh.label(this.names.claim(name), loc);
  }

  newTemporary(type: Expression['type'], loc: Loc): Expression {
    const name = this.names.claim('__lazuli_t');
    const symbol = this.context.fresh.variable({ name, type: unqualified(type), loc });
    this.locals.push(symbol);
    this.#temporaries.add(symbol);
    return variable(symbol, loc);
  }

  /** The value in a temporary, unless nothing that follows can change it. */
  save(value: Expression): Expression {
    if (this.isStable(value)) return value;
    const temporary = this.newTemporary(value.type, value.loc);
    this.store(temporary, value, value.loc);
    return temporary;
  }

  /** A record in shared memory as one that is private, for whoever copies it later in one go. */
  fetched(value: Expression): Expression {
    return this.splits && value.type.kind === 'record' && this.count(value) > 0 ? this.save(value) : value;
  }

  /**
   * Emits `target = value;`, part by part if it copies a record that others may touch; a bit-field with the others of
   * its unit.
   */
  store(target: Expression, whole: Expression, loc: Loc): void {
    const value = bareRecord(whole);
    if (isInHalves(this, target)) {
      storeInHalves(this, target, value, loc);
      return;
    }
    if (this.#isOrdered(target)) {
      this.emit(atomicBegin(loc), assign(target, value, loc), atomicEnd(loc));
      return;
    }
    if (this.#storeInUnit(target, value, loc)) return;
    const parts = this.#copyParts(target, value);
    if (parts === null) {
      this.emit(assign(target, value, loc));
      return;
    }
    // What leads to the records must not change when their first parts do.
    const to = this.stabilise(target);
    const from = this.stabilise(value);
    const isThrough = this.isSharedPlace(to) && this.isSharedPlace(from);
    for (const part of parts) this.#copyPart(part(to), part(from), isThrough, loc);
  }

  /** Under a weak memory model an assignment to an atomic object is a store and a fence. */
  #isOrdered(target: Expression): boolean {
    if (!this.splits || !isWeak(this.context.options.memoryModel)) return false;
    return (target.type.qualifiers & QUALIFIER_ATOMIC) !== 0 && this.isSharedPlace(target);
  }

  copiesInParts(target: Expression, value: Expression): boolean {
    return this.#copyParts(target, bareRecord(value)) !== null;
  }

  #copyParts(target: Expression, value: Expression): readonly PartsOf[] | null {
    if (!this.splits || target.type.kind !== 'record' || !isPlace(value)) return null;
    if ((target.type.qualifiers | value.type.qualifiers) & QUALIFIER_ATOMIC) return null;
    return this.isSharedPlace(target) || this.isSharedPlace(value) ? copyParts(target.type, this.model) : null;
  }

  /**
   * `isThrough`: both sides are shared, so that the value is kept in between. Bit-fields of one unit are one access.
   */
  #copyPart(to: readonly Expression[], from: readonly Expression[], isThrough: boolean, loc: Loc): void {
    const [onlyTo, onlyFrom] = [to[0], from[0]];
    if (to.length === 1 && onlyTo && onlyFrom && (isInHalves(this, onlyTo) || isInHalves(this, onlyFrom))) {
      this.store(onlyTo, isInHalves(this, onlyFrom) ? readInHalves(this, onlyFrom) : onlyFrom, loc);
      return;
    }
    if (!isThrough) {
      this.#together(
        to.map((place, i) => assign(place, from[i] as Expression, loc)),
        loc,
      );
      return;
    }
    const kept = this.#fetchTogether(from, loc);
    this.#together(
      to.map((place, i) => assign(place, kept[i] as Expression, loc)),
      loc,
    );
  }

  #together(statements: readonly Statement[], loc: Loc): void {
    if (statements.length > 1) this.emitAll([this.accessBegin(loc), ...statements, atomicEnd(loc)]);
    else this.emitAll(statements);
  }

  /** Begins a section that is one access of the machine; who waits for stores matters under weak memory only. */
  accessBegin(loc: Loc): Statement {
    return isWeak(this.context.options.memoryModel) ? accessBegin(loc) : atomicBegin(loc);
  }

  #fetchTogether(places: readonly Expression[], loc: Loc): Expression[] {
    const kept = places.map((place) => this.newTemporary(place.type, loc));
    this.#together(
      kept.map((temporary, i) => assign(temporary, places[i] as Expression, loc)),
      loc,
    );
    return kept;
  }

  /**
   * A bit-field is written with the others of its unit, which are read before: what is written to them in between is
   * lost.
   */
  #storeInUnit(target: Expression, value: Expression, loc: Loc): boolean {
    if (!this.splits || target.kind !== 'member' || target.field.bits === null || !this.isSharedPlace(target))
      return false;
    const others = othersInUnit(target, this.model);
    if (others.length === 0) return false;
    const to = this.stabilise(target);
    invariant(to.kind === 'member', 'a bit-field');
    const places = others.map((field) => member(to.object, field, loc));
    const kept = this.#fetchTogether(places, loc);
    const writes = places.map((place, i) => assign(place, kept[i] as Expression, loc));
    this.#together([assign(to, value, loc), ...writes], loc);
    return true;
  }

  /** The same place, whatever happens until it is used. */
  stabilise(lvalue: Expression): Expression {
    switch (lvalue.kind) {
      case 'member':
        return { ...lvalue, object: this.stabilise(lvalue.object) };
      case 'dereference':
        return { ...lvalue, operand: this.save(lvalue.operand) };
      case 'index':
        return { ...lvalue, base: this.saveBase(lvalue.base), index: this.save(lvalue.index) };
      default:
        return lvalue;
    }
  }

  /** The address of an array is not saved but the parts that lead to it are. */
  saveBase(base: Expression): Expression {
    if (base.kind === 'cast' && base.castKind === 'array-to-pointer')
      return { ...base, operand: this.stabilise(base.operand) };
    return this.save(base);
  }

  isTemporary(symbol: VariableSymbol): boolean {
    return this.#temporaries.has(symbol);
  }

  /** Whether the value is the same whenever it is computed: constants, addresses, temporaries. */
  isStable(value: Expression): boolean {
    switch (value.kind) {
      case 'integer':
      case 'float':
      case 'string':
      case 'function':
        return true;
      case 'variable':
        return this.isTemporary(value.symbol);
      case 'builtin':
        return value.args.length === 0 && value.name === '__lazuli_self';
      case 'address':
        return this.isStablePlace(value.operand);
      case 'cast':
        return value.castKind === 'array-to-pointer' ? this.isStablePlace(value.operand) : this.isStable(value.operand);
      case 'unary':
        return this.isStable(value.operand);
      case 'arithmetic':
      case 'comparison':
      case 'pointer-offset':
        return childrenOf(value).every((child) => this.isStable(child));
      default:
        return false;
    }
  }

  /** Whether an lvalue denotes the same object whenever it is reached. */
  isStablePlace(lvalue: Expression): boolean {
    switch (lvalue.kind) {
      case 'variable':
      case 'string':
        return true;
      case 'member':
        return this.isStablePlace(lvalue.object);
      case 'dereference':
        return this.isStable(lvalue.operand);
      case 'index':
        return this.isStable(lvalue.base) && this.isStable(lvalue.index);
      default:
        return false;
    }
  }

  // -------------------------------------------------------------- accesses to shared memory

  /** The number of accesses to memory that others may touch, when the expression is evaluated for its value. */
  count(expression: Expression): number {
    const known = this.#counts.get(expression);
    if (known !== undefined) return known;
    const result = this.#countAnew(expression);
    this.#counts.set(expression, result);
    return result;
  }

  #countAnew(expression: Expression): number {
    switch (expression.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        return this.countPlace(expression) + (this.isSharedPlace(expression) ? 1 : 0);
      case 'address':
        return this.countPlace(expression.operand);
      case 'cast':
        if (expression.castKind === 'array-to-pointer') return this.countPlace(expression.operand);
        return this.count(expression.operand);
      default: {
        let sum = 0;
        for (const child of childrenOf(expression)) sum += this.count(child);
        return sum;
      }
    }
  }

  /** The number of accesses needed to find out which object an lvalue denotes. */
  countPlace(lvalue: Expression): number {
    switch (lvalue.kind) {
      case 'member':
        return this.countPlace(lvalue.object);
      case 'dereference':
        return this.count(lvalue.operand);
      case 'index':
        return this.count(lvalue.base) + this.count(lvalue.index);
      case 'variable':
      case 'string':
        return 0;
      default:
        return this.count(lvalue);
    }
  }

  isSharedPlace(lvalue: Expression): boolean {
    let at = lvalue;
    for (;;) {
      if (at.kind === 'member') at = at.object;
      else if (at.kind === 'index' && at.base.kind === 'cast' && at.base.castKind === 'array-to-pointer') {
        at = at.base.operand;
      } else break;
    }
    if (at.kind === 'variable') return this.sharing.isShared(at.symbol);
    return at.kind === 'dereference' || at.kind === 'index';
  }

  // -------------------------------------------------------------- interference

  /** Whether the statements, run before the value is used, leave it as it was. */
  isUnaffected(value: Expression, statements: readonly Statement[]): boolean {
    if (statements.length === 0) return true;
    const assigned = new Set<VariableSymbol>();
    for (const statement of statements) {
      walkStatement(statement, {
        expression: (node) => {
          if (node.kind === 'assignment' && node.target.kind === 'variable') assigned.add(node.target.symbol);
        },
      });
    }
    let safe = true;
    walkExpression(value, {
      expression: (node) => {
        if (node.kind === 'dereference' || node.kind === 'index') safe = false;
        if (node.kind !== 'variable') return;
        const { symbol } = node;
        const isPlain = symbol.duration === 'automatic' && !symbol.addressTaken;
        if (!isPlain || assigned.has(symbol)) safe = false;
      },
    });
    return safe || this.isStable(value);
  }

  /** A block of what `work` emits. */
  blockOf(work: () => void, loc: Loc): Statement {
    return block(this.collect(work).statements, loc);
  }
}
