/**
 * Attributes: GNU's `__attribute__((…))` and the `[[…]]` of C23, both into the same nodes. An argument that is not an
 * expression (a type, or whatever an attribute of another compiler takes) is passed over: nobody here reads it.
 */

import type { Attribute, Expression } from './ast.ts';
import { parseAssignmentExpression } from './expressions.ts';
import type { Parser } from './parser.ts';
import { skipTo } from './recover.ts';
import { startsTypeName } from './specifiers.ts';

const NONE: readonly Attribute[] = [];

export function atAttribute(p: Parser): boolean {
  const { kind, text } = p.token;
  if (kind === 'identifier') return text === '__attribute__' || text === '__attribute';
  return text === '[' && kind === 'punctuator' && p.peek(1).text === '[';
}

/** All attributes that stand here; often none. */
export function parseAttributes(p: Parser): readonly Attribute[] {
  if (!atAttribute(p)) return NONE;
  const attributes: Attribute[] = [];
  while (atAttribute(p)) {
    const isGnu = p.token.kind === 'identifier';
    if (isGnu) p.next();
    const outer = p.expect(isGnu ? '(' : '[');
    const inner = p.expect(isGnu ? '(' : '[');
    const closing = isGnu ? ')' : ']';
    while (!p.at(closing) && !p.atEnd()) {
      if (p.accept(',')) continue;
      attributes.push(parseAttribute(p));
      if (!p.at(closing)) p.expect(',', 'between attributes');
    }
    p.expectClosing(closing, inner);
    p.expectClosing(closing, outer);
  }
  return attributes;
}

/** Attributes from two places, without copying in the usual case that one of them is empty. */
export function joinAttributes(left: readonly Attribute[], right: readonly Attribute[]): readonly Attribute[] {
  if (right.length === 0) return left;
  return left.length === 0 ? right : [...left, ...right];
}

function parseAttribute(p: Parser): Attribute {
  if (p.token.kind !== 'identifier') p.failExpected('attribute name');
  const { text, loc } = p.next();
  let name = plainName(text);
  if (acceptDoubleColon(p)) {
    const { text: member } = p.next();
    name = name === 'gnu' ? plainName(member) : `${name}::${plainName(member)}`;
  }
  return { name, args: p.at('(') ? parseAttributeArguments(p) : [], loc };
}

function acceptDoubleColon(p: Parser): boolean {
  if (p.accept('::')) return true;
  if (!p.at(':') || p.peek(1).text !== ':') return false;
  p.next();
  p.next();
  return true;
}

function parseAttributeArguments(p: Parser): Expression[] {
  const opening = p.next();
  const args: Expression[] = [];
  p.enter();
  while (!p.at(')') && !p.atEnd()) {
    if (startsTypeName(p, p.token) || (p.token.kind === 'punctuator' && !startsExpression(p.token.text))) {
      skipTo(p, ',', ')');
    } else {
      args.push(parseAssignmentExpression(p));
    }
    if (!p.accept(',')) break;
  }
  p.leave();
  p.expectClosing(')', opening);
  return args;
}

function startsExpression(punctuator: string): boolean {
  return ['(', '-', '+', '!', '~', '&', '*'].includes(punctuator);
}

/** `__packed__` means `packed`. */
function plainName(text: string): string {
  return text.length > 4 && text.startsWith('__') && text.endsWith('__') ? text.slice(2, -2) : text;
}
