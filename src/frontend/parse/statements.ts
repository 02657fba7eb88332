/**
 * Statements. In a block, labels, `case` and `default` are items of their own; where C wants one statement (the body of
 * a loop, say), labels and what they label become a block. Chains of `else if` are read in a loop.
 */

import type { Loc } from '../../support/source.ts';
import { parseAsmStatement } from './asm.ts';
import type { Attribute, BlockStatement, Expression, Statement } from './ast.ts';
import { joinAttributes, parseAttributes } from './attributes.ts';
import { expectSemicolon, parseBlockDeclaration } from './declarations.ts';
import { parseConditionalExpression, parseExpression } from './expressions.ts';
import { type Parser, SyntaxFault } from './parser.ts';
import { recovering, skipTo, skipToNextStatement } from './recover.ts';
import { startsDeclaration } from './specifiers.ts';

/** `{ block-items }`, in a scope of its own. */
export function parseBlock(p: Parser): BlockStatement {
  p.scope.open();
  const block = parseFunctionBody(p);
  p.scope.close();
  return block;
}

/** `{ block-items }` in the scope that the parameters are in. */
export function parseFunctionBody(p: Parser): BlockStatement {
  const opening = p.expect('{');
  const items: Statement[] = [];
  p.enter();
  while (!p.at('}') && !p.atEnd()) {
    const item = recovering(p, () => parseBlockItem(p), skipToNextStatement);
    if (item) items.push(item);
  }
  p.leave();
  const closing = p.expectClosing('}', opening);
  return { kind: 'block', items, loc: opening.loc, endLoc: closing.loc };
}

/** `block-item: declaration | label | statement`. */
function parseBlockItem(p: Parser): Statement {
  const attributes = parseAttributes(p);
  const label = parseLabel(p);
  if (label !== null) return label;
  if (atDeclaration(p)) return parseBlockDeclaration(p, attributes);
  return parseUnlabelled(p, attributes);
}

/** Passes `__extension__`, which may stand before declarations and expressions and says nothing about meaning. */
function atDeclaration(p: Parser): boolean {
  if (p.token.kind !== 'identifier') return false;
  while (p.token.text === '__extension__') p.next();
  return startsDeclaration(p);
}

/** `label: identifier : | case constant-expression : | default :`, or null. */
function parseLabel(p: Parser): Statement | null {
  const { kind, text, loc } = p.token;
  if (kind !== 'identifier') return null;
  if (text === 'case') {
    p.next();
    const low = parseConditionalExpression(p);
    const high = p.accept('...') ? parseConditionalExpression(p) : null;
    p.expect(':', "after 'case'");
    return { kind: 'case', low, high, loc };
  }
  if (text === 'default') {
    p.next();
    p.expect(':', "after 'default'");
    return { kind: 'default', loc };
  }
  if (p.peek(1).text !== ':' || !p.isName(p.token)) return null;
  p.next();
  p.next();
  const attributes = p.atKeyword('__attribute__') ? parseAttributes(p) : [];
  return { kind: 'label', name: text, attributes, loc };
}

/** A statement where C wants exactly one. */
function parseStatement(p: Parser): Statement {
  p.enter();
  const { loc } = p;
  let attributes = parseAttributes(p);
  const labels: Statement[] = [];
  for (let label = parseLabel(p); label !== null; label = parseLabel(p)) labels.push(label);
  attributes = joinAttributes(attributes, parseAttributes(p));
  if (labels.length > 0 && (p.at('}') || p.atEnd())) p.failExpected('statement');
  const statement = atDeclaration(p) ? parseMisplacedDeclaration(p) : parseUnlabelled(p, attributes);
  p.leave();
  if (labels.length === 0) return statement;
  return { kind: 'block', items: [...labels, statement], loc, endLoc: p.previous.loc };
}

function parseMisplacedDeclaration(p: Parser): Statement {
  p.errorHere('expected statement: a declaration must stand in a block');
  return parseBlockDeclaration(p, []);
}

/** Every statement but labels and declarations; `attributes` stood before it. */
function parseUnlabelled(p: Parser, attributes: readonly Attribute[]): Statement {
  const { loc } = p;
  if (p.accept(';')) return { kind: 'empty', attributes, loc };
  if (p.at('{')) return parseBlock(p);
  const word = p.keyword();
  if (word === undefined) return parseExpressionStatement(p);
  switch (word) {
    case 'if':
      return parseIf(p);
    case 'while':
    case 'switch':
      return parseWhileOrSwitch(p, word);
    case 'do':
      return parseDo(p);
    case 'for':
      return parseFor(p);
    case 'goto':
      return parseGoto(p);
    case 'break':
    case 'continue':
      p.next();
      expectSemicolon(p, `after '${word}'`);
      return { kind: word, loc };
    case 'return': {
      p.next();
      const value = p.at(';') ? null : parseExpression(p);
      expectSemicolon(p, "after 'return' statement");
      return { kind: 'return', value, loc };
    }
    case 'asm': {
      const statement = parseAsmStatement(p);
      expectSemicolon(p, "after 'asm'");
      return statement;
    }
    case '__label__':
      return parseLocalLabels(p);
    case 'else':
      return p.fail("'else' without a previous 'if'");
    default:
      return parseExpressionStatement(p);
  }
}

function parseExpressionStatement(p: Parser): Statement {
  const { loc } = p;
  const expression = parseExpression(p);
  expectSemicolon(p, 'after expression');
  return { kind: 'expression', expression, loc };
}

/** `if ( expression ) statement else if … else statement`. */
function parseIf(p: Parser): Statement {
  const arms: { condition: Expression; then: Statement; loc: Loc }[] = [];
  let otherwise: Statement | null = null;
  do {
    const { loc } = p.next();
    const condition = parseCondition(p, 'if');
    const then = parseStatement(p);
    arms.push({ condition, then, loc });
    if (!p.acceptKeyword('else')) break;
    if (!p.atKeyword('if')) otherwise = parseStatement(p);
  } while (otherwise === null);
  for (const arm of arms.reverse()) otherwise = { kind: 'if', ...arm, otherwise };
  return otherwise as Statement;
}

/** `( expression )` after a word. When it is faulty, the statement after it is read all the same. */
function parseCondition(p: Parser, word: string): Expression {
  const opening = p.expect('(', `after '${word}'`);
  p.enter();
  const { loc } = p;
  const condition = recovering(
    p,
    () => {
      const expression = parseExpression(p);
      p.expectClosing(')', opening);
      return expression;
    },
    (at) => {
      skipTo(at, ')', '{');
      if (!at.accept(')') && !at.at('{')) throw new SyntaxFault(false);
    },
  );
  p.leave();
  return condition ?? { kind: 'number', text: '0', loc };
}

function parseWhileOrSwitch(p: Parser, word: 'while' | 'switch'): Statement {
  const { loc } = p.next();
  const value = parseCondition(p, word);
  const body = parseStatement(p);
  return word === 'while' ? { kind: 'while', condition: value, body, loc } : { kind: 'switch', value, body, loc };
}

function parseDo(p: Parser): Statement {
  const { loc } = p.next();
  const body = parseStatement(p);
  if (!p.acceptKeyword('while')) p.failExpected("'while' in 'do' statement");
  const condition = parseCondition(p, 'while');
  expectSemicolon(p, "after 'do' statement");
  return { kind: 'do', body, condition, loc };
}

/** `for ( init ; condition ; step ) statement`, in a scope of its own. */
function parseFor(p: Parser): Statement {
  const { loc } = p.next();
  const opening = p.expect('(', "after 'for'");
  p.scope.open();
  p.enter();
  const init = parseForInit(p);
  const condition = p.at(';') ? null : parseExpression(p);
  p.expect(';', "in 'for' statement");
  const step = p.at(')') ? null : parseExpression(p);
  p.leave();
  p.expectClosing(')', opening);
  const body = parseStatement(p);
  p.scope.close();
  return { kind: 'for', init, condition, step, body, loc };
}

function parseForInit(p: Parser): Extract<Statement, { kind: 'for' }>['init'] {
  if (p.accept(';')) return null;
  const attributes = parseAttributes(p);
  if (atDeclaration(p)) {
    const declaration = parseBlockDeclaration(p, attributes);
    if (declaration.kind !== 'function-definition') return declaration;
    p.fail("a function cannot be defined in a 'for' statement");
  }
  const expression = parseExpression(p);
  p.expect(';', "in 'for' statement");
  return expression;
}

/** `goto label ;` or GNU's `goto * expression ;`. */
function parseGoto(p: Parser): Statement {
  const { loc } = p.next();
  if (p.accept('*')) {
    p.enter();
    const target = parseExpression(p);
    p.leave();
    expectSemicolon(p, "after 'goto'");
    return { kind: 'computed-goto', target, loc };
  }
  const label = p.expectName("label or '*'").text;
  expectSemicolon(p, "after 'goto'");
  return { kind: 'goto', label, loc };
}

/** `__label__ identifier , … ;` */
function parseLocalLabels(p: Parser): Statement {
  const { loc } = p.next();
  const names: string[] = [];
  do names.push(p.expectName('label').text);
  while (p.accept(','));
  expectSemicolon(p, "after '__label__'");
  return { kind: 'local-labels', names, loc };
}
