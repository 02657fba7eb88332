/**
 * Whether the user's spelling of an integer constant can be written again: a character constant always, an enumerator if
 * its name leads to it here. A `sizeof` is written again if all its names are declared here and none was renamed.
 */

import type { PrintContext } from './context.ts';

const CHARACTER = /^(u8|[LuU])?'/;
const SIMPLE_NAME = /^[A-Za-z_$][\w$]*$/;

export function isSpellingUsable(context: PrintContext, spelling: string, value: bigint): boolean {
  if (CHARACTER.test(spelling)) return true;
  const { names } = context;
  if (names.isOpen) return true;
  if (!SIMPLE_NAME.test(spelling)) return false;
  const entity = names.lookUp(spelling);
  if (entity === undefined || 'kind' in entity) return false;
  return entity.enumerators?.some((enumerator) => enumerator.name === spelling && enumerator.value === value) ?? false;
}
