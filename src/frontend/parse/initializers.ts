/**
 * Initializers: expressions, and lists in braces with designators (`.member`, `[index]`, GNU's `[low ... high]`, and
 * the old `member: value`).
 */

import type { Designator, Initializer, InitializerItem, InitializerList } from './ast.ts';
import { parseAssignmentExpression, parseConditionalExpression } from './expressions.ts';
import type { Parser } from './parser.ts';
import { recovering, skipTo } from './recover.ts';

/** `initializer: assignment-expression | { initializer-list? }`. */
export function parseInitializer(p: Parser): Initializer {
  if (p.at('{')) return parseInitializerList(p);
  return { kind: 'expression-initializer', value: parseAssignmentExpression(p) };
}

/** `{ designation? initializer , … }`; the last comma is optional, and so are the items. */
export function parseInitializerList(p: Parser): InitializerList {
  const opening = p.expect('{');
  const items: InitializerItem[] = [];
  p.enter();
  // After an error the rest of the list is skipped, so that its `}` is not taken for that of an enclosing block.
  recovering(
    p,
    () => parseInitializerItems(p, items),
    (at) => skipTo(at),
  );
  p.leave();
  p.expectClosing('}', opening);
  return { kind: 'initializer-list', items, loc: opening.loc };
}

function parseInitializerItems(p: Parser, items: InitializerItem[]): void {
  while (!p.at('}')) {
    const { loc } = p;
    const designators = parseDesignation(p);
    items.push({ designators, initializer: parseInitializer(p), loc });
    if (!p.accept(',') && !p.at('}')) p.failExpected("',' or '}'");
  }
}

const NO_DESIGNATORS: readonly Designator[] = [];

function parseDesignation(p: Parser): readonly Designator[] {
  if (p.at('.') || p.at('[')) {
    const designators = parseDesignators(p);
    // GNU C of old wrote `[index] value`, without the `=`.
    if (!p.accept('=') && designators.at(-1)?.kind === 'member') p.failExpected("'='");
    return designators;
  }
  if (p.token.kind === 'identifier' && p.peek(1).text === ':' && p.isName(p.token)) {
    const { text: name, loc } = p.next();
    p.next();
    return [{ kind: 'member', name, loc }];
  }
  return NO_DESIGNATORS;
}

/** One or more of `.member`, `[index]`, `[low ... high]`. */
export function parseDesignators(p: Parser): Designator[] {
  const designators: Designator[] = [];
  for (;;) {
    const { loc } = p;
    if (p.accept('.')) {
      designators.push({ kind: 'member', name: p.expectName('member name').text, loc });
    } else if (p.at('[')) {
      const opening = p.next();
      p.enter();
      const low = parseConditionalExpression(p);
      const high = p.accept('...') ? parseConditionalExpression(p) : null;
      p.leave();
      p.expectClosing(']', opening);
      designators.push(high === null ? { kind: 'index', index: low, loc } : { kind: 'range', low, high, loc });
    } else {
      return designators;
    }
  }
}
