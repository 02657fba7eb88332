/**
 * Whether the user's spelling of an integer constant can be written again: a character constant always, an enumerator
 * if its name leads to it here, and a `sizeof` or a multiple of one if the names in it lead to types here that have
 * this size.
 */

import type { DataModel } from '../../program/data-model.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Type } from '../../program/types.ts';
import type { PrintContext } from './context.ts';

const CHARACTER = /^(u8|[LuU])?'/;
const NAME = /^[A-Za-z_$][\w$]*$/;
const SIZEOF = /^(?:(\d+) \* )?sizeof\((.*)\)$/;
const TAGGED = /^(?:struct|union) ([A-Za-z_$][\w$]*)$/;
/** Types that are spelled with keywords alone, pointers to them and arrays of them. */
const BASIC =
  /^((const|volatile|signed|unsigned|char|short|int|long|float|double|void|_Bool|__int128) ?)+[* ]*(\[\d+\])*$/;

export function isSpellingUsable(context: PrintContext, spelling: string, value: bigint): boolean {
  if (context.names.isOpen || CHARACTER.test(spelling)) return true;
  if (NAME.test(spelling)) return isEnumerator(context, spelling, value);
  const [, factor, measured] = SIZEOF.exec(spelling) ?? [];
  if (measured === undefined) return false;
  const count = BigInt(factor ?? '1');
  return count !== 0n && value % count === 0n && isMeasureUsable(context, measured, value / count);
}

function isEnumerator(context: PrintContext, name: string, value: bigint): boolean {
  const entity = context.names.lookUp(name);
  if (entity === undefined || 'kind' in entity) return false;
  return entity.enumerators?.some((enumerator) => enumerator.name === name && enumerator.value === value) ?? false;
}

/** Pointers have one size whatever they point to, but the names must be known. */
function isMeasureUsable(context: PrintContext, measured: string, value: bigint): boolean {
  if (BASIC.test(measured)) return true;
  const { names } = context;
  const stem = measured.replace(/ ?\*+$/, '');
  const isPointer = stem !== measured;
  const tag = TAGGED.exec(stem)?.[1];
  if (tag !== undefined) {
    const record = names.lookUpTag(tag);
    return record !== undefined && 'size' in record && (isPointer || BigInt(record.size) === value);
  }
  const typedef = NAME.test(stem) ? names.lookUp(stem) : undefined;
  if (typedef === undefined || !('kind' in typedef) || typedef.kind !== 'typedef-symbol') return false;
  return isPointer || hasSize(typedef.type, value, context.dataModel);
}

function hasSize(type: Type, value: bigint, model: DataModel): boolean {
  if (type.kind === 'array' && typeof type.length !== 'number') return false;
  return BigInt(sizeOf(type, model)) === value;
}
