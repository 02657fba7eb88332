/**
 * The widths of variables for narrow-variables.ts, by the engine's value analysis. It executes the program as it was read; the emitted
 * one has copies of its variables, which remember what they are copies of. A variable gets the bits that its values need in all copies.
 *
 * Both must mean the same executions, so this is careful where they could differ:
 * - The loops run as often as the passes copy them, and only what the emitted program asserts is taken to hold.
 * - Threads have their numbers in values (locks know their owners): the numbers must agree.
 * - An address is another number for the verifier than for the engine. In a program that looks at addresses as numbers, nothing is narrowed.
 */

import type { ExecutionBounds, ExecutionLimits } from '../analysis/execute/execution.ts';
import type { ValueSet } from '../analysis/value-set.ts';
import * as sets from '../analysis/value-set.ts';
import { findVariableRanges, type ValueAnalysis, type VariableRange } from '../analysis/variable-ranges.ts';
import { DEFAULT_LOWER_OPTIONS } from '../passes/lower/context.ts';
import { lowerProgram } from '../passes/lower/lower-program.ts';
import type { BoundOptions } from '../passes/pass.ts';
import type { BoundedProgram } from '../passes/pipeline.ts';
import type { CheckName, Code, Loop } from '../program/code.ts';
import type { Expression, Program, VariableSymbol } from '../program/tree.ts';
import type { RecordDeclaration, Type } from '../program/types.ts';
import { walkInitializer, walkStatement } from '../program/visit-tree.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { type BitVector, type Narrowing, vectorOfInterval } from './narrow-variables.ts';

export type FoundWidths =
  | { readonly kind: 'widths'; readonly widthOf: Narrowing['widthOf'] }
  | { readonly kind: 'none'; readonly reason: string };

/** What the emitted program asserts: misuse of memory, for instance, does not end its executions. */
const EMITTED_CHECKS: ReadonlySet<CheckName> = new Set<CheckName>(['assertion', 'mutex', 'thread', 'unsupported']);

/** Throws UnsupportedError or ExecutionLimitError, as the value analysis does. `program` is what `bounded` was made from. */
export function findWidths(program: Program, bounded: BoundedProgram, limits: ExecutionLimits): FoundWidths {
  if (looksAtAddresses(bounded.program)) {
    return { kind: 'none', reason: 'the program looks at addresses as numbers, which the verifier chooses itself' };
  }
  const { options, fresh } = bounded.context;
  const { atomicStatements, errorLabels } = options;
  const lowering = { ...DEFAULT_LOWER_OPTIONS, checks: EMITTED_CHECKS, atomicStatements, errorLabels };
  const code = lowerProgram(program, lowering, new DiagnosticSink());
  if (code === null) return { kind: 'none', reason: 'the value analysis cannot read the program' };
  const analysis = findVariableRanges(code, { bounds: executionBounds(options), limits, checks: EMITTED_CHECKS });
  if (!hasSameThreads(analysis, bounded)) {
    return { kind: 'none', reason: 'the value analysis numbers the threads in another way' };
  }
  const values = joinByVariable(code, analysis.ranges);
  const widthOf = (symbol: VariableSymbol) => {
    const original = fresh.originalOf(symbol);
    const set = original && values.get(original);
    return set ? vectorOfSet(set) : null;
  };
  return { kind: 'widths', widthOf };
}

/** The bounds of the passes, or larger ones. */
function executionBounds(bounds: BoundOptions): ExecutionBounds {
  const { unwindset, unwind, forUnwind, whileUnwind } = bounds;
  const ofForm = ({ form }: Loop) => {
    if (form === 'goto') return Math.max(unwind, whileUnwind ?? unwind);
    return (form === 'for' ? forUnwind : whileUnwind) ?? unwind;
  };
  return {
    unwind: (loop) => unwindset.get(loop.name) ?? ofForm(loop),
    isStrict: (loop) => !bounds.unwindConstantLoops || unwindset.has(loop.name),
    recursion: (name) => unwindset.get(name) ?? unwind,
  };
}

function hasSameThreads({ program }: ValueAnalysis, { threads }: BoundedProgram): boolean {
  return (
    program.threads.length === threads.length &&
    threads.every(({ startName, creator }, i) => {
      const other = program.threads[i];
      return other?.name === startName && (other.spawn?.thread ?? -1) === creator;
    })
  );
}

// ---------------------------------------------------------------- values

/** All values of a variable or of its elements; variables with parts of different widths are left out. */
function joinByVariable(code: Code, ranges: readonly VariableRange[]): ReadonlyMap<VariableSymbol, ValueSet> {
  const values = new Map<VariableSymbol, ValueSet>();
  const mixed = new Set<VariableSymbol>();
  for (const range of ranges) {
    const symbol = variableOf(code, range);
    if (!symbol) continue;
    const known = values.get(symbol);
    if (range.isFloat || range.isPointer || (known && known.width !== range.set.width)) mixed.add(symbol);
    else values.set(symbol, known ? sets.joinSets(known, range.set) : range.set);
  }
  for (const symbol of mixed) values.delete(symbol);
  return values;
}

function variableOf(code: Code, { storage }: VariableRange): VariableSymbol | null {
  switch (storage.kind) {
    case 'register':
      return code.functions[storage.function]?.registers[storage.register]?.variable ?? null;
    case 'object':
      return code.objects[storage.object]?.variable ?? null;
    case 'allocation':
      return null;
  }
}

/** By zeros or by the sign: whatever needs fewer bits. A variable without values is not known. */
function vectorOfSet(set: ValueSet): BitVector | null {
  if (sets.isEmpty(set)) return null;
  const unsigned = vectorOfInterval({ low: 0n, high: sets.maxUnsigned(set) });
  const low = sets.minSigned(set);
  const signed = low < 0n ? vectorOfInterval({ low, high: sets.maxSigned(set) }) : unsigned;
  return signed.bits < unsigned.bits ? signed : unsigned;
}

// ---------------------------------------------------------------- addresses as numbers

/** Whether a pointer is converted to an integer, or read as one by way of a union or a pointer to it. */
function looksAtAddresses({ items }: Program): boolean {
  let found = false;
  const expression = (node: Expression) => {
    if (node.kind === 'cast' && showsAddress(node)) found = true;
    if (node.kind === 'member' && node.object.type.kind === 'record') {
      if (mixesPointers(node.object.type.declaration)) found = true;
    }
  };
  for (const item of items) {
    if (item.kind === 'function') walkStatement(item.definition.body, { expression });
    else if (item.kind === 'variable' && item.symbol.initializer)
      walkInitializer(item.symbol.initializer, { expression });
  }
  return found;
}

function showsAddress({ castKind, operand, type }: Extract<Expression, { kind: 'cast' }>): boolean {
  if (castKind === 'pointer-to-integer') return !isNumber(operand);
  if (castKind !== 'pointer' || type.kind !== 'pointer' || operand.type.kind !== 'pointer') return false;
  return holdsIntegers(type.target) && holdsPointers(operand.type.target);
}

/** A pointer that was made from an integer just before. */
function isNumber(pointer: Expression): boolean {
  let at = pointer;
  while (at.kind === 'cast' && at.castKind === 'pointer') at = at.operand;
  return at.kind === 'cast' && (at.castKind === 'integer-to-pointer' || at.castKind === 'null-to-pointer');
}

function mixesPointers({ isUnion, fields }: RecordDeclaration): boolean {
  if (!isUnion || !fields) return false;
  return fields.some(({ type }) => holdsPointers(type)) && fields.some(({ type }) => !holdsPointers(type));
}

function holdsIntegers(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'enum';
}

/** Records hold what their members hold. */
function holdsPointers(type: Type): boolean {
  const pending: Type[] = [type];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'pointer') return true;
    if (at.kind === 'array') pending.push(at.element);
    if (at.kind === 'record') for (const field of at.declaration.fields ?? []) pending.push(field.type);
  }
  return false;
}
