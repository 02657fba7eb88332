/**
 * GNU attributes: which of them change meaning, and are honoured or refused; all others are hints that a verifier may
 * ignore. Refused are those that would change what the program does in ways the typed tree cannot say.
 */

import { evaluateInteger } from '../../program/evaluate-constant.ts';
import { integerSize, isSignedName, unsignedName } from '../../program/integer-range.ts';
import { floatType, integerType, withExactQualifiers } from '../../program/type-operations.ts';
import type { IntegerName, Type } from '../../program/types.ts';
import type { Attribute, Expression } from '../parse/ast.ts';
import { type Alias, type Checker, error, isError, refuse } from './checker.ts';
import { checkValue } from './expressions.ts';

/** What the attributes of one declaration or declarator say. */
export interface AttributeSummary {
  packed: boolean;
  /** The greatest alignment asked for, or null. */
  alignment: number | null;
  noreturn: boolean;
  gnuInline: boolean;
  weak: boolean;
  /** What the declaration is another name of. */
  alias: Alias | null;
  transparentUnion: boolean;
  /** The argument of `mode(...)`. */
  mode: string | null;
  /** `cleanup(f)`; only local variables heed it. */
  cleanup: Attribute | null;
  /** The priority among the functions that run before main, and among those that run after it; null for none. */
  beforeMain: number | null;
  afterMain: number | null;
}

const refused: ReadonlySet<string> = new Set(['vector_size', 'ifunc', 'scalar_storage_order', 'ms_struct']);

/** The alignment of a bare `aligned`: the greatest that the target uses for any basic type. */
const BIGGEST_ALIGNMENT = 16;

const none: Readonly<AttributeSummary> = Object.freeze({
  packed: false,
  alignment: null,
  noreturn: false,
  gnuInline: false,
  weak: false,
  alias: null,
  transparentUnion: false,
  mode: null,
  cleanup: null,
  beforeMain: null,
  afterMain: null,
});

/** Sums up the lists in order. */
export function readAttributes(c: Checker, ...lists: readonly (readonly Attribute[])[]): Readonly<AttributeSummary> {
  if (lists.every((list) => list.length === 0)) return none;
  const summary: AttributeSummary = { ...none };
  for (const list of lists) for (const attribute of list) readAttribute(c, attribute, summary);
  return summary;
}

function readAttribute(c: Checker, attribute: Attribute, summary: AttributeSummary): void {
  const { name, args, loc } = attribute;
  if (refused.has(name)) {
    refuse(c, loc, `the attribute '${name}'`);
    return;
  }
  switch (name) {
    case 'packed':
      summary.packed = true;
      break;
    case 'aligned':
      summary.alignment = Math.max(summary.alignment ?? 1, readAlignment(c, args[0]) ?? 1);
      break;
    case 'noreturn':
      summary.noreturn = true;
      break;
    case 'gnu_inline':
      summary.gnuInline = true;
      break;
    case 'weak':
      summary.weak = true;
      break;
    case 'alias':
      if (args[0]?.kind === 'string') summary.alias = { target: unquoteParts(args[0].parts), loc };
      else error(c, loc, 'attribute', "the attribute 'alias' takes the name of its target as a string");
      break;
    case 'transparent_union':
      summary.transparentUnion = true;
      break;
    case 'cleanup':
      // Which of two gcc takes depends on where they stand.
      if (summary.cleanup !== null) refuse(c, loc, "a second attribute 'cleanup' of one declaration");
      summary.cleanup = attribute;
      break;
    case 'constructor':
      summary.beforeMain = readPriority(c, args[0]);
      break;
    case 'destructor':
      summary.afterMain = readPriority(c, args[0]);
      break;
    case 'mode':
      if (args[0]?.kind === 'identifier') summary.mode = args[0].name.replace(/^__(.*)__$/, '$1');
      break;
  }
}

/** Functions without a priority come after those with one, which is at most 65535. */
const NO_PRIORITY = 65536;

function readPriority(c: Checker, argument: Expression | undefined): number {
  const value = argument === undefined ? null : checkValue(c, argument);
  if (value === null || isError(value)) return NO_PRIORITY;
  const priority = evaluateInteger(value, c.model);
  if (priority !== null && priority >= 0n && priority < NO_PRIORITY) return Number(priority);
  error(c, value.loc, 'attribute', 'a priority is an integer constant from 0 to 65535');
  return NO_PRIORITY;
}

function readAlignment(c: Checker, argument: Expression | undefined): number | null {
  return argument === undefined ? BIGGEST_ALIGNMENT : checkAlignmentValue(c, argument);
}

/** The value of `aligned(n)` or `_Alignas(n)`; null after a report. 0 asks for nothing. */
export function checkAlignmentValue(c: Checker, argument: Expression): number | null {
  const value = checkValue(c, argument);
  if (isError(value)) return null;
  const alignment = evaluateInteger(value, c.model);
  if (alignment === null) {
    error(c, argument.loc, 'not-constant', 'the requested alignment is not an integer constant');
    return null;
  }
  if (alignment === 0n) return null;
  if (alignment < 0n || alignment > 1n << 28n || (alignment & (alignment - 1n)) !== 0n) {
    error(c, argument.loc, 'invalid-alignment', `the requested alignment '${alignment}' is not a power of 2`);
    return null;
  }
  return Number(alignment);
}

const modeSizes: Readonly<Record<string, number>> = { QI: 1, byte: 1, HI: 2, SI: 4, DI: 8, TI: 16 };

/** `mode(DI)` and its like: an integer or floating type of that machine mode, with the signedness of the given one. */
export function applyMode(c: Checker, type: Type, mode: string, attributes: readonly Attribute[]): Type {
  const loc = attributes[0]?.loc;
  if (type.kind === 'float') {
    if (mode === 'SF') return withExactQualifiers(floatType('float'), type.qualifiers);
    if (mode === 'DF') return withExactQualifiers(floatType('double'), type.qualifiers);
    if (mode === 'XF') return withExactQualifiers(floatType('long double'), type.qualifiers);
    if (mode === 'TF') return withExactQualifiers(floatType('_Float128'), type.qualifiers);
  }
  const word = c.model === 'ILP32' ? 4 : 8;
  const size = mode === 'word' || mode === 'pointer' || mode === 'unwind_word' ? word : modeSizes[mode];
  if (size === undefined || type.kind !== 'integer') {
    if (loc !== undefined) refuse(c, loc, `the mode '${mode}'`);
    return type;
  }
  const candidates: readonly IntegerName[] = ['signed char', 'short', 'int', 'long', 'long long', '__int128'];
  const name = candidates.find((candidate) => integerSize(candidate, c.model) === size) ?? 'int';
  return withExactQualifiers(integerType(isSignedName(type.name) ? name : unsignedName(name)), type.qualifiers);
}

/** A name has no escape sequences. */
function unquoteParts(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/^"|"$/g, '')).join('');
}
