/**
 * Declaration specifiers: storage classes, qualifiers, function specifiers, attributes and the type, in any order. The
 * words of a basic type (`unsigned long int long`) are counted and turned into its canonical name at the end.
 *
 * An identifier is the type only if no type was seen before it: in `unsigned T`, T is what is declared.
 */

import type { Loc } from '../../support/source.ts';
import { suggest } from '../../support/suggest.ts';
import type { Token } from '../lex/token.ts';
import type { Attribute, Expression, Qualifiers, Specifiers, StorageClass, TypeName, TypeSpecifier } from './ast.ts';
import { atAttribute, joinAttributes, parseAttributes } from './attributes.ts';
import { basicType, type TypeWords } from './basic-type.ts';
import { parseTypeName } from './declarators.ts';
import { parseConditionalExpression, parseExpression } from './expressions.ts';
import { isSpecifierWord, keyword, PREDECLARED_TYPES, TYPE_WORDS } from './keywords.ts';
import type { Parser } from './parser.ts';
import { parseEnumSpecifier, parseRecordSpecifier } from './records.ts';

const NO_QUALIFIERS: Qualifiers = { const: false, volatile: false, restrict: false, atomic: false };
const NO_ATTRIBUTES: readonly Attribute[] = [];
const NO_ALIGNMENTS: readonly (TypeName | Expression)[] = [];

/** What the specifiers read so far say; becomes `Specifiers`. */
interface Draft {
  storage: StorageClass | null;
  threadLocal: boolean;
  inline: boolean;
  noreturn: boolean;
  qualifiers: Qualifiers;
  alignments: readonly (TypeName | Expression)[];
  attributes: readonly Attribute[];
  type: TypeSpecifier | null;
  words: TypeWords | null;
}

/** Whether a token can start a type name (or specifiers, if storage classes are allowed there). */
export function startsTypeName(p: Parser, token: Token): boolean {
  if (token.kind !== 'identifier') return false;
  const word = keyword(token.text);
  return word === undefined ? p.scope.isTypedef(token.text) : isSpecifierWord(word) || word === '__attribute__';
}

/** Whether a declaration starts at the current token, attributes and `__extension__` put aside. */
export function startsDeclaration(p: Parser): boolean {
  return startsTypeName(p, p.token) || isThreadLocalWord(p) || startsStaticAssertion(p) || startsUnknownType(p);
}

/** `static_assert` is a word of C23: before, a macro or an ordinary name. */
export function startsStaticAssertion(p: Parser): boolean {
  const { text } = p.token;
  if (text === '_Static_assert') return true;
  return text === 'static_assert' && p.token.kind === 'identifier' && !p.scope.isKnown(text) && p.peek(1).text === '(';
}

/** `thread_local` is a word of C23: before, a macro or an ordinary name. */
function isThreadLocalWord(p: Parser): boolean {
  const { text } = p.token;
  return text === 'thread_local' && !p.scope.isKnown(text) && p.peek(1).kind === 'identifier';
}

/** An undeclared name where the tokens after it (`foo x`, `foo *x;`) say that it was meant as a type. */
function startsUnknownType(p: Parser): boolean {
  if (!p.isName(p.token) || p.scope.isKnown(p.token.text)) return false;
  const next = p.peek(1);
  if (p.isName(next) || startsTypeName(p, next)) return true;
  if (next.text !== '*') return false;
  const afterName = p.peek(3).text;
  return p.isName(p.peek(2)) && !p.scope.isKnown(p.peek(2).text) && [';', '=', ',', '['].includes(afterName);
}

/** Where specifiers stand: members and type names take no storage class; only a declaration may go without a type. */
type SpecifierContext = 'external' | 'block' | 'parameter' | 'member' | 'type-name';

/** `declaration-specifiers` or `specifier-qualifier-list`. `attributes` were read before, when it was not yet clear
 *  what they belong to. */
export function parseSpecifiers(
  p: Parser,
  context: SpecifierContext,
  attributes: readonly Attribute[] = NO_ATTRIBUTES,
): Specifiers {
  const loc = p.loc;
  const draft: Draft = {
    storage: null,
    threadLocal: false,
    inline: false,
    noreturn: false,
    qualifiers: NO_QUALIFIERS,
    alignments: NO_ALIGNMENTS,
    attributes,
    type: null,
    words: null,
  };
  while (p.token.kind === 'identifier' || atAttribute(p)) {
    const word = p.keyword();
    if (word === undefined ? !parseNamedSpecifier(p, draft, context) : !parseKeywordSpecifier(p, draft, word)) break;
  }
  const storageAllowed = context !== 'member' && context !== 'type-name';
  if (!storageAllowed && (draft.storage !== null || draft.threadLocal)) {
    p.errorAt(loc, 'storage class is not allowed here');
  }
  return {
    storage: draft.storage,
    threadLocal: draft.threadLocal,
    inline: draft.inline,
    noreturn: draft.noreturn,
    qualifiers: draft.qualifiers,
    alignments: draft.alignments,
    attributes: draft.attributes,
    type: finishType(p, draft, loc),
    loc,
  };
}

function finishType(p: Parser, draft: Draft, loc: Loc): TypeSpecifier {
  if (draft.words !== null) {
    if (draft.type !== null) p.errorAt(loc, 'two or more data types in declaration specifiers');
    return basicType(p, draft.words, loc);
  }
  return draft.type ?? { kind: 'implicit-int' };
}

/** An identifier that is not reserved (or an attribute in brackets). False: it is not part of the specifiers. */
function parseNamedSpecifier(p: Parser, draft: Draft, context: SpecifierContext): boolean {
  if (p.token.kind !== 'identifier') {
    draft.attributes = joinAttributes(draft.attributes, parseAttributes(p));
    return true;
  }
  if (isThreadLocalWord(p)) {
    p.next();
    draft.threadLocal = true;
    return true;
  }
  if (draft.type !== null || draft.words !== null) return false;
  const { text: name, loc } = p.token;
  if (p.scope.isTypedef(name)) {
    p.next();
    const predeclared = PREDECLARED_TYPES.get(name);
    draft.type = predeclared ? { kind: 'basic', name: predeclared } : { kind: 'typedef-name', name, loc };
    return true;
  }
  if (!isMeantAsType(p, draft, context)) return false;
  reportUnknownType(p, p.next());
  // In `unsgined int x` the type is still to come.
  if (!startsTypeName(p, p.token)) draft.type = { kind: 'basic', name: 'int' };
  return true;
}

/** Whether an undeclared name where a type may stand is a type, rather than the declarator after an implicit `int`. */
function isMeantAsType(p: Parser, draft: Draft, context: SpecifierContext): boolean {
  if (startsUnknownType(p)) return true;
  if (draft.storage !== null || context === 'block') return false;
  return context !== 'external' || p.peek(1).text === '*' || p.isName(p.peek(1));
}

/** Reports each unknown type name once; the parser takes it for `int`. */
export function reportUnknownType(p: Parser, token: Token): void {
  const { text: name, loc } = token;
  if (p.unknownTypes.has(name)) return;
  p.unknownTypes.add(name);
  const near = suggest(name, [...TYPE_WORDS, ...p.scope.typedefNames()]);
  p.errorAt(loc, `unknown type name '${name}'${near === null ? '' : `; did you mean '${near}'?`}`, 'undeclared');
}

function parseKeywordSpecifier(p: Parser, draft: Draft, word: string): boolean {
  switch (word) {
    case 'typedef':
    case 'extern':
    case 'static':
    case 'auto':
    case 'register':
      if (draft.storage !== null && draft.storage !== word) p.errorAt(p.loc, 'multiple storage classes in declaration');
      draft.storage = word;
      break;
    case '_Thread_local':
      draft.threadLocal = true;
      break;
    case 'inline':
      draft.inline = true;
      break;
    case '_Noreturn':
      draft.noreturn = true;
      break;
    case '__extension__':
      break;
    case '__attribute__':
      draft.attributes = joinAttributes(draft.attributes, parseAttributes(p));
      return true;
    case '_Alignas':
      draft.alignments = [...draft.alignments, parseAlignment(p)];
      return true;
    default:
      return parseQualifierOrType(p, draft, word);
  }
  p.next();
  return true;
}

function parseQualifierOrType(p: Parser, draft: Draft, word: string): boolean {
  if (isQualifier(p, word)) {
    draft.qualifiers = withQualifier(draft.qualifiers, word);
    p.next();
    return true;
  }
  if (!isSpecifierWord(word)) return false;
  const { loc } = p;
  const type = parseTypeWord(p, draft, word);
  if (type === null) return true;
  if (draft.type !== null) p.errorAt(loc, 'two or more data types in declaration specifiers');
  draft.type = type;
  return true;
}

/** A word of a basic type goes to the draft and gives null; any other type specifier is parsed and returned. */
function parseTypeWord(p: Parser, draft: Draft, word: string): TypeSpecifier | null {
  switch (word) {
    case 'struct':
    case 'union':
      return parseRecordSpecifier(p);
    case 'enum':
      return parseEnumSpecifier(p);
    case 'typeof':
    case 'typeof_unqual':
      return parseTypeof(p, word === 'typeof_unqual');
    case '_Atomic':
      return parseAtomicType(p);
    case '__auto_type':
      p.next();
      return { kind: 'auto-type' };
    case '__builtin_va_list':
      p.next();
      return { kind: 'basic', name: '__builtin_va_list' };
    default: {
      const { text } = p.next();
      draft.words ??= [];
      draft.words.push(keyword(text) ?? text);
      return null;
    }
  }
}

/** `_Atomic` with a parenthesis right after it is a type specifier, otherwise a qualifier. */
function isQualifier(p: Parser, word: string): word is 'const' | 'volatile' | 'restrict' | '_Atomic' {
  return (
    word === 'const' || word === 'volatile' || word === 'restrict' || (word === '_Atomic' && p.peek(1).text !== '(')
  );
}

function withQualifier(qualifiers: Qualifiers, word: 'const' | 'volatile' | 'restrict' | '_Atomic'): Qualifiers {
  return {
    const: qualifiers.const || word === 'const',
    volatile: qualifiers.volatile || word === 'volatile',
    restrict: qualifiers.restrict || word === 'restrict',
    atomic: qualifiers.atomic || word === '_Atomic',
  };
}

/** The qualifiers and attributes after a `*` or in the brackets of an array parameter. */
export function parseQualifiers(p: Parser): { qualifiers: Qualifiers; attributes: readonly Attribute[] } {
  let qualifiers = NO_QUALIFIERS;
  let attributes = NO_ATTRIBUTES;
  for (;;) {
    const word = p.keyword();
    if (word !== undefined && isQualifier(p, word)) {
      qualifiers = withQualifier(qualifiers, word);
      p.next();
    } else if (atAttribute(p)) {
      attributes = joinAttributes(attributes, parseAttributes(p));
    } else {
      return { qualifiers, attributes };
    }
  }
}

/** `typeof ( expression )` or `typeof ( type-name )`. */
function parseTypeof(p: Parser, unqualified: boolean): TypeSpecifier {
  p.next();
  const opening = p.expect('(', "after 'typeof'");
  p.enter();
  const type: TypeSpecifier = startsTypeName(p, p.token)
    ? { kind: 'typeof-type', operand: parseTypeName(p), unqualified }
    : { kind: 'typeof-expression', operand: parseExpression(p), unqualified };
  p.leave();
  p.expectClosing(')', opening);
  return type;
}

/** `_Atomic ( type-name )`. */
function parseAtomicType(p: Parser): TypeSpecifier {
  p.next();
  const opening = p.next();
  p.enter();
  const operand = parseTypeName(p);
  p.leave();
  p.expectClosing(')', opening);
  return { kind: 'atomic-type', operand };
}

/** `_Alignas ( type-name )` or `_Alignas ( constant-expression )`. */
function parseAlignment(p: Parser): TypeName | Expression {
  p.next();
  const opening = p.expect('(', "after '_Alignas'");
  p.enter();
  const alignment = startsTypeName(p, p.token) ? parseTypeName(p) : parseConditionalExpression(p);
  p.leave();
  p.expectClosing(')', opening);
  return alignment;
}
