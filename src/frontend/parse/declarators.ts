/**
 * Declarators: pointers, arrays, functions and parentheses around a name, or around none in type names. The tree is
 * built inside out: a suffix wraps what stands before it, pointers wrap the whole direct declarator.
 */

import type { Attribute, Declarator, ParameterDeclaration, Qualifiers, TypeName } from './ast.ts';
import { atAttribute, parseAttributes } from './attributes.ts';
import { parseAssignmentExpression } from './expressions.ts';
import { keyword } from './keywords.ts';
import type { Parser } from './parser.ts';
import { parseQualifiers, parseSpecifiers, startsDeclaration, startsTypeName } from './specifiers.ts';

/** Whether a declarator has a name: in declarations, in type names, in parameters. */
type NameMode = 'named' | 'abstract' | 'either';

interface Pointer {
  readonly qualifiers: Qualifiers;
  readonly attributes: readonly Attribute[];
}

/** `declarator: pointers direct-declarator`. */
export function parseDeclarator(p: Parser, mode: NameMode): Declarator {
  if (!p.at('*')) return parseDirectDeclarator(p, mode);
  const pointers: Pointer[] = [];
  while (p.accept('*')) {
    p.enter();
    pointers.push(parseQualifiers(p));
  }
  let declarator = parseDirectDeclarator(p, mode);
  for (const pointer of pointers.reverse()) declarator = { kind: 'pointer', ...pointer, inner: declarator };
  p.leave(pointers.length);
  return declarator;
}

/** `direct-declarator: identifier | ( declarator )`, with array and function suffixes. */
function parseDirectDeclarator(p: Parser, mode: NameMode): Declarator {
  const outer = p.startMeasure();
  let declarator = parseDeclaratorCore(p, mode);
  for (;;) {
    if (atAttribute(p) && p.at('[')) {
      declarator = { kind: 'attributed', attributes: parseAttributes(p), inner: declarator };
    } else if (p.at('[')) {
      declarator = parseArraySuffix(p, declarator);
    } else if (p.at('(')) {
      declarator = parseFunctionSuffix(p, declarator, mode);
    } else {
      break;
    }
    p.wrap();
  }
  p.endMeasure(outer);
  return declarator;
}

function parseDeclaratorCore(p: Parser, mode: NameMode): Declarator {
  const { loc } = p;
  if (p.at('(') && (mode === 'named' || startsNestedDeclarator(p))) {
    const opening = p.next();
    p.enter();
    const attributes = parseAttributes(p);
    const inner = parseDeclarator(p, mode);
    p.leave();
    p.expectClosing(')', opening);
    return attributes.length === 0 ? inner : { kind: 'attributed', attributes, inner };
  }
  if (mode !== 'abstract' && p.isName(p.token)) return { kind: 'name', name: p.next().text, loc };
  if (mode === 'named') p.failExpected("identifier or '('");
  return { kind: 'name', name: null, loc };
}

/** Where a name may be missing, `(` opens a nested declarator unless a parameter list (or its end) follows. */
function startsNestedDeclarator(p: Parser): boolean {
  const next = p.peek(1);
  if (next.kind === 'punctuator') return next.text === '*' || next.text === '(' || next.text === '[';
  return next.kind === 'identifier' && (keyword(next.text) === '__attribute__' || !startsTypeName(p, next));
}

/** `[ static? qualifiers size? ]`. */
function parseArraySuffix(p: Parser, inner: Declarator): Declarator {
  const opening = p.next();
  p.enter();
  let isStatic = p.acceptKeyword('static');
  const { qualifiers } = parseQualifiers(p);
  isStatic = p.acceptKeyword('static') || isStatic;
  const { loc } = opening;
  if (p.at('*') && p.peek(1).text === ']') {
    p.next();
    p.next();
    p.leave();
    return { kind: 'array', size: 'star', isStatic, qualifiers, inner, loc };
  }
  const size = p.at(']') ? null : parseAssignmentExpression(p);
  p.leave();
  p.expectClosing(']', opening);
  return { kind: 'array', size, isStatic, qualifiers, inner, loc };
}

/** `( parameters )`, or the `( names )` of old C. Parameters have a scope of their own. */
function parseFunctionSuffix(p: Parser, inner: Declarator, mode: NameMode): Declarator {
  const opening = p.next();
  const { loc } = opening;
  if (p.accept(')')) {
    return { kind: 'function', parameters: [], variadic: false, oldStyleNames: [], inner, loc };
  }
  if (mode === 'named' && startsNameList(p)) {
    const oldStyleNames: string[] = [];
    do oldStyleNames.push(p.expectName('parameter name').text);
    while (p.accept(','));
    p.expectClosing(')', opening);
    return { kind: 'function', parameters: [], variadic: false, oldStyleNames, inner, loc };
  }
  const parameters: ParameterDeclaration[] = [];
  let variadic = false;
  p.scope.open();
  p.enter();
  do {
    variadic = p.accept('...');
    if (!variadic) parameters.push(parseParameter(p));
  } while (!variadic && p.accept(','));
  p.leave();
  p.scope.close();
  p.expectClosing(')', opening);
  return { kind: 'function', parameters, variadic, oldStyleNames: null, inner, loc };
}

/** Whether the rest up to `)` are names alone, none of them a type. */
function startsNameList(p: Parser): boolean {
  for (let at = 0; ; at += 2) {
    const token = p.peek(at);
    if (!p.isName(token) || p.isTypedefName(token)) return false;
    const { text } = p.peek(at + 1);
    if (text === ')') return true;
    if (text !== ',') return false;
  }
}

function parseParameter(p: Parser): ParameterDeclaration {
  const { loc } = p;
  const before = parseAttributes(p);
  if (!startsDeclaration(p) && !p.isName(p.token)) p.failExpected('parameter declaration');
  const specifiers = parseSpecifiers(p, 'parameter', before);
  const declarator = parseDeclarator(p, 'either');
  const name = nameOf(declarator);
  if (name !== null) p.scope.declare(name, 'ordinary');
  return { specifiers, declarator, attributes: parseAttributes(p), loc };
}

/** `type-name: specifier-qualifier-list abstract-declarator?`. */
export function parseTypeName(p: Parser): TypeName {
  const { loc } = p;
  const specifiers = parseSpecifiers(p, 'type-name');
  return { kind: 'type-name', specifiers, declarator: parseDeclarator(p, 'abstract'), loc };
}

/** The innermost node, which holds the name. */
function nameNode(declarator: Declarator): Extract<Declarator, { kind: 'name' }> {
  let at = declarator;
  while (at.kind !== 'name') at = at.inner;
  return at;
}

export function nameOf(declarator: Declarator): string | null {
  return nameNode(declarator).name;
}

/** The place of the name. */
export function locOf(declarator: Declarator): TypeName['loc'] {
  return nameNode(declarator).loc;
}

/** Reports lists of parameter names in a declarator that does not start a function definition. */
export function refuseNameLists(p: Parser, declarator: Declarator): void {
  for (let at = declarator; at.kind !== 'name'; at = at.inner) {
    if (at.kind === 'function' && at.oldStyleNames !== null && at.oldStyleNames.length > 0) {
      p.errorAt(at.loc, 'a parameter list without types is only allowed in a function definition');
    }
  }
}

/** If what is declared is a function (and not, say, a pointer to one): the node that says so. */
export function functionNode(declarator: Declarator): Extract<Declarator, { kind: 'function' }> | null {
  let nearest: Declarator | null = null;
  for (let at = declarator; at.kind !== 'name'; at = at.inner) if (at.kind !== 'attributed') nearest = at;
  return nearest?.kind === 'function' ? nearest : null;
}
