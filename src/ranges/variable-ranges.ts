/**
 * The value analysis, seen from the program: for every variable, the values that it is ever given in the bounded
 * program. It is what symbolic execution knows when its value sets have become stable (execute/), joined over all
 * contexts, iterations and threads: globals, locals and allocations by their scalar parts.
 *
 * The answer over-approximates. Counted are initial values, assignments, stores, arguments, inputs, and what is read
 * before anything was assigned; memory that is written in other pieces than it is declared in is put together byte by
 * byte.
 */

import { executeProgram } from '../execute/execute-program.ts';
import type { ExecuteOptions, Execution } from '../execute/execution.ts';
import type { SteppedProgram } from '../execute/steps.ts';
import { type ObjectValues, type RegisterValues, type StoredValues, ValueRecorder } from '../execute/value-recorder.ts';
import type { Code, CodeFunction, CodeVariable, ScalarType } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import { type ScalarPart, scalarParts } from '../program/scalar-parts.ts';
import { hasVariableSize } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import { largestOf } from '../support/push-all.ts';
import { type Loc, NOWHERE } from '../support/source.ts';
import { makeRange, rangeOfPart, type VariableRange } from './make-range.ts';
import { fromPlaces, valuesOfPiece } from './object-values.ts';

export interface RangeAnalysis {
  readonly ranges: readonly VariableRange[];
  readonly program: SteppedProgram;
  /** The execution that found them, whose objects give addresses their names. */
  readonly execution: Execution;
  /** What was stored in objects that are not declared, and where they were made. */
  readonly allocated: readonly ObjectValues[];
}

/** Throws UnsupportedError or ExecutionLimitError. */
export function findVariableRanges(code: Code, options: ExecuteOptions): RangeAnalysis {
  const recorder = new ValueRecorder();
  const program = executeProgram(code, { ...options, recorder });
  const allocated = [...recorder.objects.values()].filter(({ object }) => object.declared === null);
  return { ranges: rangesOf(code, recorder), program, execution: recorder.execution, allocated };
}

/** The ranges of what a recorder was told. */
function rangesOf(code: Code, recorder: ValueRecorder): readonly VariableRange[] {
  return [...objectRanges(code, recorder), ...registerRanges(code, recorder)].sort(compareRanges);
}

const KIND_ORDER: readonly VariableRange['kind'][] = ['global', 'parameter', 'local', 'allocation'];

/** Globals first, then functions in the order of the source, then allocations; each in the order of declaration. */
export function compareRanges(a: VariableRange, b: VariableRange): number {
  const group = (range: VariableRange) => (range.kind === 'global' ? 0 : range.kind === 'allocation' ? 2 : 1);
  if (a.isInternal !== b.isInternal) return a.isInternal ? 1 : -1;
  if (group(a) !== group(b)) return group(a) - group(b);
  if (a.function !== b.function || a.loc !== b.loc) return a.loc - b.loc;
  return KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind);
}

// ---------------------------------------------------------------- registers

function registerRanges(code: Code, recorder: ValueRecorder): VariableRange[] {
  const ranges: VariableRange[] = [];
  for (const each of code.functions) {
    for (const [register, { variable, type }] of each.registers.entries()) {
      const values = recorder.registers.get(each)?.get(register);
      if (variable && (values || recorder.registers.has(each))) {
        ranges.push(registerRange(each, register, variable, type, values));
      }
    }
  }
  return ranges;
}

function registerRange(
  each: CodeFunction,
  register: number,
  variable: CodeVariable,
  type: ScalarType,
  values: RegisterValues | undefined,
): VariableRange {
  const given = values
    ? [...fromPlaces(values.assigned, 'assigned'), ...fromPlaces(values.uninitialised, 'uninitialised')]
    : [];
  return makeRange(given, {
    kind: variable.isParameter ? 'parameter' : 'local',
    function: each.name,
    name: variable.name,
    type: variable.type,
    isFloat: type.kind === 'float',
    isPointer: type.kind === 'integer' && type.pointer,
    signed: type.kind === 'integer' && type.signed,
    declaredBits: type.bits,
    isInternal: each.isModel,
    loc: variable.loc,
    count: 1,
    storage: { kind: 'register', function: each.id, register },
  });
}

// ---------------------------------------------------------------- objects

function objectRanges(code: Code, recorder: ValueRecorder): VariableRange[] {
  const instances = new Map<string, ObjectValues[]>();
  for (const values of recorder.objects.values()) {
    const { declared } = values.object;
    const key = declared ? `declared ${declared.id}` : `allocated ${values.place}`;
    const others = instances.get(key);
    if (others) others.push(values);
    else instances.set(key, [values]);
  }
  for (const declared of code.objects) {
    if (declared.duration !== 'static' || instances.has(`declared ${declared.id}`)) continue;
    const object = recorder.execution.staticObject(declared.id, 0);
    const values = { object, place: NOWHERE, function: null, stores: new Map(), uninitialised: new Map() };
    instances.set(`declared ${declared.id}`, [values]);
  }
  return [...instances.values()].flatMap((group) => {
    const { object } = group[0] as ObjectValues;
    return object.declared ? declaredRanges(code, recorder, group) : allocatedRanges(code, recorder, group);
  });
}

function declaredRanges(code: Code, recorder: ValueRecorder, group: readonly ObjectValues[]): VariableRange[] {
  const [{ object, function: owner }] = group as [ObjectValues];
  const { declared } = object;
  if (!declared?.variable || !declared.type || declared.isConstant) return [];
  const { variable } = declared;
  const type = withLength(declared.type, largestOf(group.map((values) => values.object.size)), code.dataModel);
  return scalarParts(type, code.dataModel).map((part) =>
    rangeOfPart(recorder.execution, group, part, {
      kind: declared.duration !== 'automatic' ? 'global' : variable.isParameter ? 'parameter' : 'local',
      function: owner?.name ?? null,
      name: variable.name + part.path,
      isInternal: declared.isModel || owner?.isModel === true || isLibraryPart(code, part),
      loc: variable.loc,
      storage: { kind: 'object', object: declared.id, part },
    }),
  );
}

/** An array of variable length has as many elements as fit into its longest instance. */
function withLength(type: Type, bytes: number, model: DataModel): Type {
  if (type.kind !== 'array' || typeof type.length === 'number' || hasVariableSize(type.element)) return type;
  const size = sizeOf(type.element, model);
  return size === 0 ? type : { ...type, length: Math.floor(bytes / size) };
}

/** The handles and objects of the thread routines: their insides are the models' business. */
const LIBRARY_TYPES = /^(pthread_(\w+_)?t|sem_t|mtx_t|cnd_t|thrd_t|once_flag)$/;

/** Parts of such objects, and members of records that come with the library. */
export function isLibraryPart(code: Code, { record, aliases }: ScalarPart): boolean {
  if (aliases.some((name) => LIBRARY_TYPES.test(name))) return true;
  return record !== null && code.sources.place(record.loc)?.inSystemHeader === true;
}

/** What a place of the source allocates is named by its line. */
export function nameOfAllocation({ sources }: Code, place: Loc): string {
  return `allocated@${sources.place(place)?.line ?? 0}`;
}

function allocatedRanges(code: Code, recorder: ValueRecorder, group: readonly ObjectValues[]): VariableRange[] {
  const creators = new Set(group.map(({ object }) => object.creator));
  const name = nameOfAllocation(code, group[0]?.place ?? NOWHERE);
  const pieces = new Map<string, StoredValues>();
  for (const { stores } of group) for (const [key, store] of stores) pieces.set(key, store);
  const largest = largestOf(group.map(({ object }) => object.size));
  const inOrder = [...pieces.values()].sort((a, b) => a.offset - b.offset || a.size - b.size || a.step - b.step);
  return inOrder.map((piece) => {
    const { offset, size, step, type } = piece;
    const count = step === 0 ? 1 : Math.floor((largest - offset - size) / step) + 1;
    const repeats = step === 0 ? [] : [{ count, stride: step }];
    const given = group.flatMap((values) => valuesOfPiece(recorder.execution, values, { offset, size, repeats }));
    return makeRange(given, {
      kind: 'allocation',
      function: null,
      name: `${name}+${offset}${step === 0 ? '' : ` step ${step}`}`,
      type,
      isFloat: type?.kind === 'float',
      isPointer: type?.kind === 'integer' && type.pointer,
      signed: type?.kind === 'integer' && type.signed,
      declaredBits: 8 * size,
      isInternal: group[0]?.place === NOWHERE,
      loc: group[0]?.place ?? NOWHERE,
      count,
      storage: { kind: 'allocation', creators, offset, size, step },
    });
  });
}
