/**
 * Expressions, from the comma down to postfix operators; primary expressions are in primary.ts.
 *
 * Binary operators are read by operator precedence with a stack of pending operators instead of a function for each
 * level: that is faster, and neither long chains nor the ten levels take space on the call stack.
 *
 * Places: operators stand for their expressions (`a + b` is at the `+`), except that a call is where its callee
 * starts, a member access where the member's name is, and a cast at its parenthesis.
 */

import type { Loc } from '../../support/source.ts';
import type { Token } from '../lex/token.ts';
import type { AssignmentOperator, BinaryOperator, Expression, UnaryOperator } from './ast.ts';
import { parseTypeName } from './declarators.ts';
import { parseInitializerList } from './initializers.ts';
import type { Parser } from './parser.ts';
import { parsePrimaryExpression } from './primary.ts';
import { reportUnknownType, startsTypeName } from './specifiers.ts';

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ...level(1, '||'),
  ...level(2, '&&'),
  ...level(3, '|'),
  ...level(4, '^'),
  ...level(5, '&'),
  ...level(6, '==', '!='),
  ...level(7, '<', '>', '<=', '>='),
  ...level(8, '<<', '>>'),
  ...level(9, '+', '-'),
  ...level(10, '*', '/', '%'),
]);

const ASSIGNMENTS: ReadonlySet<string> = new Set(['=', '*=', '/=', '%=', '+=', '-=', '<<=', '>>=', '&=', '^=', '|=']);

const UNARY: ReadonlySet<string> = new Set(['+', '-', '~', '!', '*', '&', '++', '--']);

function level(precedence: number, ...operators: readonly BinaryOperator[]): [string, number][] {
  return operators.map((operator) => [operator, precedence]);
}

/** `expression: assignment-expression , …` */
export function parseExpression(p: Parser): Expression {
  let left = parseAssignmentExpression(p);
  while (p.at(',')) {
    const { loc } = p.next();
    p.enter();
    const right = parseAssignmentExpression(p);
    p.leave();
    left = { kind: 'binary', operator: ',', left, right, loc };
  }
  return left;
}

/** `assignment-expression`. Whether the left side can be assigned to is for the type checker to say. */
export function parseAssignmentExpression(p: Parser): Expression {
  const target = parseConditionalExpression(p);
  const { kind, text, loc } = p.token;
  if (kind !== 'punctuator' || !ASSIGNMENTS.has(text)) return target;
  p.next();
  p.enter();
  const value = parseAssignmentExpression(p);
  p.leave();
  return { kind: 'assignment', operator: text as AssignmentOperator, target, value, loc };
}

/** `conditional-expression`, also `constant-expression`. A chain `a ? b : c ? d : e` is read in a loop. */
export function parseConditionalExpression(p: Parser): Expression {
  let condition = parseBinaryExpression(p);
  if (!p.at('?')) return condition;
  const arms: { condition: Expression; then: Expression | null; loc: Loc }[] = [];
  while (p.at('?')) {
    const { loc } = p.next();
    p.enter();
    const then = p.at(':') ? null : parseExpression(p);
    p.expect(':', "in conditional expression, to match the '?'");
    arms.push({ condition, then, loc });
    condition = parseBinaryExpression(p);
  }
  p.leave(arms.length);
  let result = condition;
  for (const arm of arms.reverse()) result = { kind: 'conditional', ...arm, otherwise: result };
  return result;
}

interface Pending {
  readonly left: Expression;
  readonly operator: Token;
  readonly precedence: number;
}

/** All binary operators above assignment. */
function parseBinaryExpression(p: Parser): Expression {
  let left = parseCastExpression(p);
  let precedence = precedenceOf(p.token);
  if (precedence === 0) return left;
  const pending: Pending[] = [];
  for (;;) {
    for (let last = pending.at(-1); last && last.precedence >= precedence; last = pending.at(-1)) {
      pending.pop();
      p.leave();
      const operator = last.operator.text as BinaryOperator;
      left = { kind: 'binary', operator, left: last.left, right: left, loc: last.operator.loc };
    }
    if (precedence === 0) return left;
    pending.push({ left, operator: p.next(), precedence });
    p.enter();
    left = parseCastExpression(p);
    precedence = precedenceOf(p.token);
  }
}

function precedenceOf(token: Token): number {
  return token.kind === 'punctuator' ? (PRECEDENCE.get(token.text) ?? 0) : 0;
}

/** `cast-expression: ( type-name ) cast-expression | unary-expression`, and compound literals. */
function parseCastExpression(p: Parser): Expression {
  if (!p.at('(') || !(startsTypeName(p, p.peek(1)) || isUnknownTypeInCast(p))) return parseUnaryExpression(p);
  const opening = p.next();
  p.enter();
  const type = parseTypeName(p);
  p.expectClosing(')', opening);
  const { loc } = opening;
  if (p.at('{')) {
    p.leave();
    const outer = p.startMeasure();
    const literal: Expression = { kind: 'compound-literal', type, initializer: parseInitializerList(p), loc };
    return parsePostfixOperators(p, literal, loc, outer);
  }
  const operand = parseCastExpression(p);
  p.leave();
  return { kind: 'cast', type, operand, loc };
}

/** `(foo *)`, or `(foo) x`, where foo is not declared: only as a type does it make sense. */
function isUnknownTypeInCast(p: Parser): boolean {
  const name = p.peek(1);
  if (!p.isName(name) || p.scope.isKnown(name.text)) return false;
  const after = p.peek(2).text;
  const operand = p.peek(3);
  const isOperand = operand.kind === 'number' || operand.kind === 'string' || p.isName(operand);
  const meant = after === '*' ? operand.text === ')' || operand.text === '*' : after === ')' && isOperand;
  if (meant) reportUnknownType(p, name);
  return meant;
}

/** `unary-expression`. */
function parseUnaryExpression(p: Parser): Expression {
  const { kind, text, loc } = p.token;
  if (kind === 'punctuator') {
    if (UNARY.has(text)) return parseUnaryOperator(p, text as UnaryOperator);
    if (text === '&&') {
      p.next();
      return { kind: 'label-address', label: p.expectName('label').text, loc };
    }
  } else if (kind === 'identifier') {
    switch (p.keyword()) {
      case 'sizeof':
        return parseSizeof(p, 'sizeof');
      case '_Alignof':
        return parseSizeof(p, 'alignof');
      case '__real__':
        return parseUnaryOperator(p, '__real__');
      case '__imag__':
        return parseUnaryOperator(p, '__imag__');
      case '__extension__':
        return parseExtension(p);
    }
  }
  return parsePostfixExpression(p);
}

function parseUnaryOperator(p: Parser, operator: UnaryOperator): Expression {
  const { loc } = p.next();
  p.enter();
  const operand = parseCastExpression(p);
  p.leave();
  return { kind: 'unary', operator, operand, loc };
}

/** `__extension__ cast-expression`: only silences warnings. */
function parseExtension(p: Parser): Expression {
  p.next();
  p.enter();
  const operand = parseCastExpression(p);
  p.leave();
  return operand;
}

/** `sizeof unary-expression | sizeof ( type-name )`, and the same for `_Alignof`. */
function parseSizeof(p: Parser, word: 'sizeof' | 'alignof'): Expression {
  const { loc } = p.next();
  p.enter();
  if (!p.at('(') || !startsTypeName(p, p.peek(1))) {
    const operand = parseUnaryExpression(p);
    p.leave();
    return { kind: `${word}-expression`, operand, loc };
  }
  const opening = p.next();
  const type = parseTypeName(p);
  p.expectClosing(')', opening);
  if (!p.at('{')) {
    p.leave();
    return { kind: `${word}-type`, operand: type, loc };
  }
  const outer = p.startMeasure();
  const initializer = parseInitializerList(p);
  const literal: Expression = { kind: 'compound-literal', type, initializer, loc: opening.loc };
  const operand = parsePostfixOperators(p, literal, opening.loc, outer);
  p.leave();
  return { kind: `${word}-expression`, operand, loc };
}

/** `postfix-expression`. */
function parsePostfixExpression(p: Parser): Expression {
  const { loc } = p;
  const outer = p.startMeasure();
  return parsePostfixOperators(p, parsePrimaryExpression(p), loc, outer);
}

/** The operators after an operand that starts at `start` and that is measured since `outer`. */
function parsePostfixOperators(p: Parser, operand: Expression, start: Loc, outer: number): Expression {
  let result = operand;
  while (p.token.kind === 'punctuator') {
    const next = parsePostfixOperator(p, result, start);
    if (next === null) break;
    p.wrap();
    result = next;
  }
  p.endMeasure(outer);
  return result;
}

function parsePostfixOperator(p: Parser, operand: Expression, start: Loc): Expression | null {
  const { text, loc } = p.token;
  switch (text) {
    case '(':
      return { kind: 'call', callee: operand, args: parseArguments(p), loc: start };
    case '[': {
      const opening = p.next();
      p.enter();
      const index = parseExpression(p);
      p.leave();
      p.expectClosing(']', opening);
      return { kind: 'index', base: operand, index, loc };
    }
    case '.':
    case '->': {
      p.next();
      const name = p.expectName('member name');
      return { kind: 'member', object: operand, name: name.text, arrow: text === '->', loc: name.loc };
    }
    case '++':
    case '--':
      p.next();
      return { kind: 'postfix', operator: text, operand, loc };
    default:
      return null;
  }
}

function parseArguments(p: Parser): Expression[] {
  const opening = p.next();
  const args: Expression[] = [];
  if (p.accept(')')) return args;
  p.enter();
  do args.push(parseAssignmentExpression(p));
  while (p.accept(','));
  p.leave();
  p.expectClosing(')', opening);
  return args;
}
