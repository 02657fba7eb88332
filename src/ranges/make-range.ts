/**
 * What is known of one variable, or of one scalar part of it: its values, and what gives the least and the greatest of
 * them.
 */

import type { Execution } from '../execute/execution.ts';
import type { ObjectValues } from '../execute/value-recorder.ts';
import type { FunctionId, ObjectId, ScalarType } from '../program/code.ts';
import { partView, type ScalarPart } from '../program/scalar-parts.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';
import { bitsNeeded } from '../values/bit-shape.ts';
import type { ValueSet } from '../values/value-set.ts';
import { extractSet } from '../values/value-set-bits.ts';
import { type Given, joinValues, valuesOfPiece } from './object-values.ts';
import { type Extreme, findExtremes } from './range-extremes.ts';

/** Where a variable lives in the code. */
export type VariableStorage =
  | { readonly kind: 'register'; readonly function: FunctionId; readonly register: number }
  | { readonly kind: 'object'; readonly object: ObjectId; readonly part: ScalarPart }
  | {
      readonly kind: 'allocation';
      readonly creators: ReadonlySet<string>;
      readonly offset: number;
      readonly size: number;
      /** 0: just there; otherwise also every multiple of it further. */
      readonly step: number;
    }
  /** Part of an allocation that is taken to be of a type. */
  | { readonly kind: 'allocated-part'; readonly creators: ReadonlySet<string>; readonly part: ScalarPart };

export interface VariableRange {
  readonly kind: 'global' | 'local' | 'parameter' | 'allocation';
  /** The function of a local or parameter. */
  readonly function: string | null;
  /** As the user would write it: `stack.array[1].next`. */
  readonly name: string;
  readonly type: Type | ScalarType | null;
  readonly isFloat: boolean;
  readonly isPointer: boolean;
  readonly signed: boolean;
  /** How many bits the variable has, and how many of them vary. */
  readonly declaredBits: number;
  readonly neededBits: number;
  /** Empty when nothing ever gives it a value. */
  readonly set: ValueSet;
  readonly least: Extreme | null;
  readonly most: Extreme | null;
  /** Part of the bundled models, or of an object of a library type. */
  readonly isInternal: boolean;
  /** Where it is declared or allocated. */
  readonly loc: Loc;
  /** How many elements of long arrays it stands for. */
  readonly count: number;
  readonly storage: VariableStorage;
}

type Description = Omit<VariableRange, 'set' | 'neededBits' | 'least' | 'most'>;

export function makeRange(given: readonly Given[], description: Description): VariableRange {
  const width = given[0]?.set.width ?? Math.max(1, description.declaredBits);
  const set = joinValues(width, given);
  return { ...description, set, neededBits: bitsNeeded(set), ...findExtremes(given, description) };
}

/** What a part of an object holds, in all instances of the object, and how it is read. */
export function rangeOfPart(
  execution: Execution,
  instances: readonly ObjectValues[],
  part: ScalarPart,
  about: Pick<VariableRange, 'kind' | 'function' | 'name' | 'isInternal' | 'loc' | 'storage'>,
): VariableRange {
  const view = partView(part);
  const whole = instances.flatMap((values) => valuesOfPiece(execution, values, part));
  return makeRange(part.bits === null ? whole : bitsOfAll(whole, part.bits), {
    ...about,
    type: part.type,
    isFloat: part.type.kind === 'float',
    isPointer: part.type.kind === 'pointer',
    signed: view.signed,
    declaredBits: view.bits,
    count: part.repeats.reduce((product, { count }) => product * count, 1),
  });
}

/**
 * The values of a bit-field. A write to its neighbour writes back what was there: where that may be anything, it is the
 * uninitialised memory that gives it, not the write.
 */
function bitsOfAll(given: readonly Given[], { offset, width }: NonNullable<ScalarPart['bits']>): Given[] {
  const rank = ({ origin }: Given) => (origin.kind === 'assigned' ? 1 : 0);
  return given
    .map(({ origin, set }) => ({ origin, set: extractSet(set, offset, width) }))
    .sort((a, b) => rank(a) - rank(b));
}
