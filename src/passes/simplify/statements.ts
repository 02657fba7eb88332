/**
 * Statements in the simple form: assignments, calls, primitives, `if`, `while`, labels and jumps. `for` and `do` become
 * `while`, `switch` a chain of jumps into its body.
 *
 * A loop whose condition needs statements of its own is `while (1) { { …; if (!c) break; } body }`: a block that ends
 * so is the loop's head, which unwinding runs once more at the cut.
 */

import {
  block,
  cast,
  comparison,
  goto,
  ifStatement,
  integer,
  labelStatement,
  negated,
} from '../../program/build-tree.ts';
import { evaluateConstant, isTrue } from '../../program/evaluate-constant.ts';
import { meaningOfAsm } from '../../program/inline-assembly.ts';
import { atomicBegin, atomicEnd, fail, fence, isPrimitiveStatement } from '../../program/primitives.ts';
import type { Expression, LabelSymbol, Statement } from '../../program/tree.ts';
import { sizeType } from '../../program/type-operations.ts';
import { ifChain, itemsOf, walkStatement } from '../../program/visit-tree.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { simplifyEffects, simplifyValue } from './expressions.ts';
import type { JumpTargets, Simplifier } from './simplifier.ts';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** Emits the statement in the simple form. */
export function simplifyStatement(s: Simplifier, statement: Statement): void {
  switch (statement.kind) {
    case 'block':
      s.emit(block(s.collect(() => simplifyItems(s, statement.items)).statements, statement.loc, statement.endLoc));
      break;
    case 'declaration':
    case 'label':
    case 'goto':
      s.emit(statement);
      break;
    case 'expression':
      emitTogether(s, () => simplifyEffects(s, statement.expression), statement.loc);
      break;
    case 'empty':
      break;
    case 'if':
      simplifyIf(s, statement);
      break;
    case 'while':
      simplifyWhile(s, statement);
      break;
    case 'do':
      simplifyDo(s, statement);
      break;
    case 'for':
      simplifyFor(s, statement);
      break;
    case 'switch':
      simplifySwitch(s, statement);
      break;
    case 'break':
      s.emit(s.targets.breakLabel ? goto(s.targets.breakLabel(), statement.loc) : statement);
      break;
    case 'continue':
      s.emit(s.targets.continueLabel ? goto(s.targets.continueLabel(), statement.loc) : statement);
      break;
    case 'return': {
      const value = statement.value && s.fetched(valueTogether(s, statement.value, statement.loc));
      s.emit({ ...statement, value: value?.type.kind === 'void' ? null : value });
      break;
    }
    case 'asm': {
      const meaning = meaningOfAsm(statement);
      if (meaning.kind === 'fence') s.emit(fence(meaning.order, statement.loc));
      if (meaning.kind === 'unknown') s.refuse('this inline assembly is', statement.loc);
      break;
    }
    case 'computed-goto':
      simplifyComputedGoto(s, statement);
      break;
    case 'case':
    case 'default':
      // Taken by simplifySwitch; elsewhere the type checker has refused it.
      break;
    default:
      assertNever(statement);
  }
}

export function simplifyItems(s: Simplifier, items: readonly Statement[]): void {
  const outside = s.splits;
  for (const item of items) {
    simplifyStatement(s, item);
    // Within an atomic section nothing needs to be split. A section that begins and ends in different blocks is only
    // taken as one up to the end of the block.
    if (isPrimitiveStatement(item, 'atomicBegin')) s.splits = false;
    if (isPrimitiveStatement(item, 'atomicEnd')) s.splits = !s.context.options.atomicStatements;
  }
  s.splits = outside;
}

/** What one C statement becomes is one step when statements are atomic, unless it calls a function. */
function emitTogether(s: Simplifier, work: () => void, loc: Loc): void {
  const { statements } = s.collect(work);
  const together = s.context.options.atomicStatements && statements.length > 1 && !statements.some(isNoPartOfAStep);
  if (together) s.emitAll([atomicBegin(loc), ...statements, atomicEnd(loc)]);
  else s.emitAll(statements);
}

/** A value, computed in one step when statements are atomic. */
function valueTogether(s: Simplifier, expression: Expression, loc: Loc): Expression {
  let value = expression;
  const compute = () => {
    const computed = s.collect(() => simplifyValue(s, expression));
    s.emitAll(computed.statements);
    const isRest = s.context.options.atomicStatements && computed.statements.length > 0 && s.count(computed.value) > 0;
    value = isRest ? s.save(computed.value) : computed.value;
  };
  emitTogether(s, compute, loc);
  return value;
}

function isNoPartOfAStep(statement: Statement): boolean {
  let found = false;
  walkStatement(statement, {
    statement: ({ kind }) => {
      if (kind === 'label' || kind === 'goto') found = true;
    },
    expression: (node) => {
      if (node.kind === 'call' || (node.kind === 'builtin' && node.name.startsWith('__lazuli_atomic'))) found = true;
    },
  });
  return found;
}

function bodyOf(s: Simplifier, statement: Statement): Statement[] {
  return s.collect(() => simplifyItems(s, itemsOf(statement))).statements;
}

function simplifyIf(s: Simplifier, statement: Of<'if'>): void {
  const { arms, last } = ifChain(statement);
  const simplified = arms.map((arm) => {
    const { value: condition, statements } = s.collect(() => valueTogether(s, arm.condition, arm.loc));
    return { statements, condition, then: bodyOf(s, arm.then), loc: arm.loc };
  });
  let otherwise: Statement[] = last ? bodyOf(s, last) : [];
  for (const arm of simplified.reverse()) {
    otherwise = [...arm.statements, oneIf(arm.condition, arm.then, otherwise, arm.loc)];
  }
  s.emitAll(otherwise);
}

/** `else if` stays one where nothing comes between. */
function oneIf(condition: Expression, then: Statement[], otherwise: Statement[], loc: Loc): Statement {
  const [only] = otherwise;
  if (otherwise.length === 1 && only?.kind === 'if') {
    return { kind: 'if', condition, then: block(then, loc), otherwise: only, loc };
  }
  return ifStatement(condition, then, otherwise, loc);
}

// ---------------------------------------------------------------- loops

/** Makes a label on demand, so that only those that are used appear. */
function lazyLabel(s: Simplifier, name: string, loc: Loc): { get: () => LabelSymbol; place: () => void } {
  let label: LabelSymbol | null = null;
  return {
    get: () => {
      label ??= s.newLabel(name, loc);
      return label;
    },
    place: () => {
      if (label) s.emit(labelStatement(label, loc));
    },
  };
}

function withTargets<T>(s: Simplifier, targets: JumpTargets, work: () => T): T {
  const before = s.targets;
  s.targets = targets;
  const result = work();
  s.targets = before;
  return result;
}

const INSIDE_LOOP: JumpTargets = { breakLabel: null, continueLabel: null };

function emitLoop(s: Simplifier, condition: Expression | null, emitBody: () => void, loc: Loc): void {
  const head = s.collect(() => condition && valueTogether(s, condition, condition.loc));
  const body = s.collect(emitBody).statements;
  const value = head.value ?? integer(1, loc);
  if (head.statements.length === 0) {
    s.emit({ kind: 'while', condition: value, body: block(body, loc), loc });
    return;
  }
  const leave = ifStatement(negated(value, loc), [{ kind: 'break', loc }], null, loc);
  const whole = [block([...head.statements, leave], loc), ...body];
  s.emit({ kind: 'while', condition: integer(1, loc), body: block(whole, loc), loc });
}

function simplifyWhile(s: Simplifier, statement: Of<'while'>): void {
  const { loc, condition, body } = statement;
  emitLoop(s, condition, () => withTargets(s, INSIDE_LOOP, () => simplifyItems(s, itemsOf(body))), loc);
}

function simplifyFor(s: Simplifier, statement: Of<'for'>): void {
  const { loc, step, body } = statement;
  for (const part of statement.init) simplifyStatement(s, part);
  const next = lazyLabel(s, 'next', loc);
  const emitBody = () => {
    const targets = { breakLabel: null, continueLabel: step ? next.get : null };
    withTargets(s, targets, () => simplifyItems(s, itemsOf(body)));
    next.place();
    if (step) emitTogether(s, () => simplifyEffects(s, step), loc);
  };
  emitLoop(s, statement.condition, emitBody, loc);
}

function simplifyDo(s: Simplifier, statement: Of<'do'>): void {
  const { loc, condition } = statement;
  const next = lazyLabel(s, 'next', loc);
  const constant = evaluateConstant(condition, s.model);
  if (constant && !isTrue(constant)) {
    // `do { … } while (0)` runs once: both jumps lead behind it.
    const targets = { breakLabel: next.get, continueLabel: next.get };
    const { statements } = s.collect(() => withTargets(s, targets, () => simplifyItems(s, itemsOf(statement.body))));
    s.emit(block(statements, loc));
    next.place();
    return;
  }
  const emitBody = () => {
    withTargets(s, { breakLabel: null, continueLabel: next.get }, () => simplifyItems(s, itemsOf(statement.body)));
    next.place();
    const value = valueTogether(s, condition, condition.loc);
    s.emit(ifStatement(negated(value, loc), [{ kind: 'break', loc }], null, loc));
  };
  emitLoop(s, null, emitBody, loc);
}

/** A jump to each label of the function whose address is taken, by the number that stands for it. */
function simplifyComputedGoto(s: Simplifier, { target, loc }: Of<'computed-goto'>): void {
  const value = s.save(simplifyValue(s, target));
  const size = sizeType(s.model);
  for (const [label, { number, functionName }] of s.context.labelNumbers) {
    if (functionName !== s.functionName) continue;
    const place = cast(integer(number, loc, size), value.type, 'integer-to-pointer', loc, false);
    s.emit(ifStatement(comparison('==', value, place, loc), [goto(label, loc)], null, loc));
  }
  const message = 'a computed goto to something that is no label of the function';
  s.emitAll(fail('pointer', message, () => s.context.fresh.id(), loc));
}

// ---------------------------------------------------------------- switch

function simplifySwitch(s: Simplifier, statement: Of<'switch'>): void {
  const { loc } = statement;
  const value = s.save(valueTogether(s, statement.value, statement.loc));
  const end = lazyLabel(s, 'switch_end', loc);
  const jumps: Statement[] = [];
  let fallback: LabelSymbol | null = null;
  const place = (item: Of<'case'> | Of<'default'>): Statement => {
    const label = s.newLabel(item.kind === 'case' ? caseName(item) : 'switch_default', item.loc);
    if (item.kind === 'default') fallback = label;
    else jumps.push(ifStatement(caseCondition(value, item), [goto(label, item.loc)], null, item.loc));
    return labelStatement(label, item.loc);
  };
  const labelled = replaceCases(statement.body, place);
  const targets = { breakLabel: end.get, continueLabel: s.targets.continueLabel };
  const body = s.collect(() => withTargets(s, targets, () => simplifyItems(s, itemsOf(labelled)))).statements;
  s.emitAll([...jumps, goto(fallback ?? end.get(), loc), block(body, loc)]);
  end.place();
}

function caseName(item: Of<'case'>): string {
  const text = item.spelling ?? String(item.low);
  return `case_${text.replace(/-/g, 'minus_').replace(/\W+/g, '_')}`;
}

function caseCondition(value: Expression, item: Of<'case'>): Expression {
  const { low, high, loc } = item;
  const bound = (limit: bigint) => integer(limit, loc, value.type);
  if (low === high) return comparison('==', value, bound(low), loc);
  const left = comparison('>=', value, bound(low), loc);
  return {
    kind: 'logical',
    operator: '&&',
    left,
    right: comparison('<=', value, bound(high), loc),
    type: left.type,
    loc,
  };
}

/** The cases that belong to this switch, not to one inside it. */
function replaceCases(statement: Statement, place: (item: Of<'case'> | Of<'default'>) => Statement): Statement {
  const inner = (part: Statement) => replaceCases(part, place);
  switch (statement.kind) {
    case 'case':
    case 'default':
      return place(statement);
    case 'block':
      return { ...statement, items: statement.items.map(inner) };
    case 'if':
      return {
        ...statement,
        then: inner(statement.then),
        otherwise: statement.otherwise && inner(statement.otherwise),
      };
    case 'while':
    case 'do':
    case 'for':
      return { ...statement, body: inner(statement.body) };
    default:
      return statement;
  }
}
