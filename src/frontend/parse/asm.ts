/**
 * Inline assembly: statements (basic, extended, `goto`), labels on declarators, declarations at file scope. Texts are
 * kept as spelled between the quotes, adjacent literals joined.
 */

import type { AsmDeclaration, AsmOperand, AsmStatement } from './ast.ts';
import { parseExpression } from './expressions.ts';
import type { Parser } from './parser.ts';

/** `asm-statement: asm qualifiers ( template : outputs : inputs : clobbers : labels ) ;`, without the `;`. */
export function parseAsmStatement(p: Parser): AsmStatement {
  const { loc } = p.next();
  const qualifiers = parseAsmQualifiers(p);
  const opening = p.expect('(', "after 'asm'");
  const template = parseAsmText(p);
  const isBasic = p.at(')');
  const outputs = p.accept(':') ? parseAsmOperands(p) : [];
  const inputs = p.accept(':') ? parseAsmOperands(p) : [];
  const clobbers = p.accept(':') ? parseList(p, parseAsmText) : [];
  const labels = p.accept(':') ? parseList(p, (at) => at.expectName('label').text) : [];
  p.expectClosing(')', opening);
  return { kind: 'asm', ...qualifiers, template, isBasic, outputs, inputs, clobbers, labels, loc };
}

/** `asm("text");` outside of functions, without the `;`. */
export function parseAsmDeclaration(p: Parser): AsmDeclaration {
  const { loc } = p.next();
  parseAsmQualifiers(p);
  const opening = p.expect('(', "after 'asm'");
  const text = parseAsmText(p);
  p.expectClosing(')', opening);
  return { kind: 'asm-declaration', text, loc };
}

/** `asm("name")` after a declarator, or null. */
export function parseAsmLabel(p: Parser): string | null {
  if (!p.acceptKeyword('asm')) return null;
  const opening = p.expect('(', "after 'asm'");
  const text = parseAsmText(p);
  p.expectClosing(')', opening);
  return text;
}

/** One or more adjacent string literals, as one text without quotes. */
export function parseAsmText(p: Parser): string {
  if (p.token.kind !== 'string') p.failExpected('string literal');
  let text = '';
  while (p.token.kind === 'string') {
    const literal = p.next().text;
    text += literal.slice(literal.indexOf('"') + 1, -1);
  }
  return text;
}

function parseAsmQualifiers(p: Parser): { isVolatile: boolean; isGoto: boolean } {
  let isVolatile = false;
  let isGoto = false;
  for (;;) {
    if (p.acceptKeyword('volatile')) isVolatile = true;
    else if (p.acceptKeyword('goto')) isGoto = true;
    else if (!p.acceptKeyword('inline')) return { isVolatile, isGoto };
  }
}

function parseAsmOperands(p: Parser): AsmOperand[] {
  return parseList(p, () => {
    let name: string | null = null;
    if (p.at('[')) {
      const opening = p.next();
      name = p.expectName('operand name').text;
      p.expectClosing(']', opening);
    }
    const constraint = parseAsmText(p);
    const opening = p.expect('(', 'after operand constraint');
    p.enter();
    const value = parseExpression(p);
    p.leave();
    p.expectClosing(')', opening);
    return { name, constraint, value };
  });
}

/** Items separated by commas, up to `:` or `)`; there may be none. */
function parseList<T>(p: Parser, parseItem: (p: Parser) => T): T[] {
  const items: T[] = [];
  if (p.at(':') || p.at(')')) return items;
  do items.push(parseItem(p));
  while (p.accept(','));
  return items;
}
