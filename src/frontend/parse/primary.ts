/**
 * Primary expressions: names, constants, strings, parentheses, statement expressions, `_Generic`, and the builtins that
 * take types and so have a syntax of their own. All other `__builtin_…` are names like any other.
 */

import type { Expression, TypeName } from './ast.ts';
import { parseTypeName } from './declarators.ts';
import { parseAssignmentExpression, parseExpression } from './expressions.ts';
import { parseDesignators } from './initializers.ts';
import type { Parser } from './parser.ts';
import { startsTypeName } from './specifiers.ts';
import { parseBlock } from './statements.ts';

export function parsePrimaryExpression(p: Parser): Expression {
  const { kind, text, loc } = p.token;
  switch (kind) {
    case 'identifier': {
      const word = p.keyword();
      if (word !== undefined) return parseKeywordExpression(p, word);
      if (p.scope.isTypedef(text)) p.fail(`unexpected type name '${text}': expected expression`);
      p.next();
      return { kind: 'identifier', name: text, loc };
    }
    case 'number':
    case 'character':
      p.next();
      return { kind, text, loc };
    case 'string': {
      const parts: string[] = [];
      while (p.token.kind === 'string') parts.push(p.next().text);
      return { kind: 'string', parts, loc };
    }
    default:
      if (p.at('(')) return parseParenthesized(p);
      return p.failExpected('expression');
  }
}

/** `( expression )` or GNU's `({ statements })`. */
function parseParenthesized(p: Parser): Expression {
  const opening = p.next();
  p.enter();
  const { loc } = opening;
  const inner: Expression = p.at('{') ? { kind: 'statement-expression', body: parseBlock(p), loc } : parseExpression(p);
  p.leave();
  p.expectClosing(')', opening);
  return inner;
}

function parseKeywordExpression(p: Parser, word: string): Expression {
  switch (word) {
    case '_Generic':
      return parseGeneric(p);
    case '__builtin_offsetof':
      return parseOffsetof(p);
    case '__builtin_va_arg': {
      const { loc } = p.token;
      return parseBuiltin(p, () => {
        const list = parseAssignmentExpression(p);
        p.expect(',');
        return { kind: 'va-arg', list, type: parseRequiredTypeName(p), loc };
      });
    }
    case '__builtin_types_compatible_p': {
      const { loc } = p.token;
      return parseBuiltin(p, () => {
        const left = parseRequiredTypeName(p);
        p.expect(',');
        return { kind: 'types-compatible', left, right: parseRequiredTypeName(p), loc };
      });
    }
    case '__builtin_choose_expr': {
      const { loc } = p.token;
      return parseBuiltin(p, () => {
        const condition = parseAssignmentExpression(p);
        p.expect(',');
        const then = parseAssignmentExpression(p);
        p.expect(',');
        return { kind: 'choose-expression', condition, then, otherwise: parseAssignmentExpression(p), loc };
      });
    }
    default:
      return p.failExpected('expression');
  }
}

/** The parentheses of a builtin, and the nesting. */
function parseBuiltin(p: Parser, parseInside: () => Expression): Expression {
  const { text } = p.next();
  const opening = p.expect('(', `after '${text}'`);
  p.enter();
  const expression = parseInside();
  p.leave();
  p.expectClosing(')', opening);
  return expression;
}

function parseRequiredTypeName(p: Parser): TypeName {
  if (!startsTypeName(p, p.token) && !p.isName(p.token)) p.failExpected('type name');
  return parseTypeName(p);
}

/** `__builtin_offsetof ( type-name , member designators )`. */
function parseOffsetof(p: Parser): Expression {
  const { loc } = p.token;
  return parseBuiltin(p, () => {
    const type = parseRequiredTypeName(p);
    p.expect(',');
    const { text: name, loc: nameLoc } = p.expectName('member name');
    return { kind: 'offsetof', type, path: [{ kind: 'member', name, loc: nameLoc }, ...parseDesignators(p)], loc };
  });
}

/** `_Generic ( control , type-name : value , default : value )`. */
function parseGeneric(p: Parser): Expression {
  const { loc } = p.token;
  return parseBuiltin(p, () => {
    const control = parseAssignmentExpression(p);
    const associations: { type: TypeName | null; value: Expression; loc: typeof loc }[] = [];
    while (p.accept(',')) {
      const at = p.loc;
      const type = p.acceptKeyword('default') ? null : parseRequiredTypeName(p);
      p.expect(':', "in '_Generic'");
      associations.push({ type, value: parseAssignmentExpression(p), loc: at });
    }
    if (associations.length === 0) p.failExpected("','");
    return { kind: 'generic', control, associations, loc };
  });
}
