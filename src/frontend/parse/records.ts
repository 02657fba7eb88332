/**
 * Struct, union and enum specifiers. Members never shadow typedef names; enumerators do. A faulty member or enumerator
 * is dropped and the rest of the list is read on.
 */

import type {
  Attribute,
  Enumerator,
  EnumSpecifier,
  MemberDeclaration,
  MemberDeclarator,
  RecordSpecifier,
} from './ast.ts';
import { joinAttributes, parseAttributes } from './attributes.ts';
import { expectSemicolon, parseStaticAssertion } from './declarations.ts';
import { parseDeclarator, refuseNameLists } from './declarators.ts';
import { parseConditionalExpression } from './expressions.ts';
import type { Parser } from './parser.ts';
import { recovering, skipTo, skipToNextStatement } from './recover.ts';
import { parseSpecifiers, startsDeclaration, startsStaticAssertion } from './specifiers.ts';

/** `struct-or-union attributes tag { members } attributes`. */
export function parseRecordSpecifier(p: Parser): RecordSpecifier {
  const { text, loc } = p.next();
  const kind = text === 'union' ? 'union' : 'struct';
  let attributes = parseAttributes(p);
  const tag = p.isName(p.token) ? p.next().text : null;
  if (!p.at('{')) {
    if (tag === null) p.failExpected(`tag or '{' after '${kind}'`);
    return { kind, tag, members: null, attributes, pack: null, loc };
  }
  const opening = p.next();
  const members = parseMembers(p);
  // gcc lays the record out at its end: the limit in force there counts.
  const { pack } = p;
  p.expectClosing('}', opening);
  attributes = joinAttributes(attributes, parseAttributes(p));
  return { kind, tag, members, attributes, pack, loc };
}

function parseMembers(p: Parser): MemberDeclaration[] {
  const list: MemberDeclaration[] = [];
  p.enter();
  while (!p.at('}') && !p.atEnd()) {
    if (p.accept(';') || p.acceptKeyword('__extension__')) continue;
    const member = recovering(p, () => parseMemberDeclaration(p), skipToNextStatement);
    if (member) list.push(member);
  }
  p.leave();
  return list;
}

/** `member-declaration: specifier-qualifier-list member-declarators ;` */
function parseMemberDeclaration(p: Parser): MemberDeclaration {
  if (startsStaticAssertion(p)) return parseStaticAssertion(p);
  const { loc } = p;
  const attributes = parseAttributes(p);
  if (!startsDeclaration(p) && !p.isName(p.token)) p.failExpected('member declaration');
  const specifiers = parseSpecifiers(p, 'member', attributes);
  const declarators: MemberDeclarator[] = [];
  if (!p.at(';') && !p.at('}')) {
    do declarators.push(parseMemberDeclarator(p));
    while (p.accept(','));
  }
  // GNU C lets the last member go without its semicolon.
  if (!p.at('}') || declarators.length === 0) expectSemicolon(p, 'at end of member declaration');
  return { kind: 'members', specifiers, declarators, loc };
}

/** `member-declarator: declarator | declarator? : constant-expression`, with attributes. */
function parseMemberDeclarator(p: Parser): MemberDeclarator {
  const before: readonly Attribute[] = parseAttributes(p);
  const declarator = p.at(':') ? null : parseDeclarator(p, 'named');
  if (declarator !== null) refuseNameLists(p, declarator);
  const bitWidth = p.accept(':') ? parseConditionalExpression(p) : null;
  return { declarator, bitWidth, attributes: joinAttributes(before, parseAttributes(p)) };
}

/** `enum attributes tag { enumerators } attributes`. */
export function parseEnumSpecifier(p: Parser): EnumSpecifier {
  const { loc } = p.next();
  let attributes = parseAttributes(p);
  const tag = p.isName(p.token) ? p.next().text : null;
  if (!p.at('{')) {
    if (tag === null) p.failExpected("tag or '{' after 'enum'");
    return { kind: 'enum', tag, enumerators: null, attributes, loc };
  }
  const opening = p.next();
  const enumerators: Enumerator[] = [];
  p.enter();
  while (!p.at('}') && !p.atEnd()) {
    const enumerator = recovering(
      p,
      () => parseEnumerator(p),
      (at) => skipTo(at, ','),
    );
    if (enumerator) enumerators.push(enumerator);
    if (!p.accept(',') && !p.at('}')) {
      if (p.at(';') || p.atEnd()) break;
      p.errorHere("expected ',' or '}' after enumerator");
      skipTo(p, ',');
      p.accept(',');
    }
  }
  p.leave();
  p.expectClosing('}', opening);
  attributes = joinAttributes(attributes, parseAttributes(p));
  return { kind: 'enum', tag, enumerators, attributes, loc };
}

/** `enumerator: identifier attributes | identifier attributes = constant-expression`. Its scope starts after it. */
function parseEnumerator(p: Parser): Enumerator {
  const { text: name, loc } = p.expectName('enumerator');
  parseAttributes(p);
  const value = p.accept('=') ? parseConditionalExpression(p) : null;
  p.scope.declare(name, 'ordinary');
  return { name, value, loc };
}
