/** What both roads say of a function that is called and defined nowhere. */

import type { FunctionSymbol } from './tree.ts';

export function describeUndefined({ name, isNoreturn }: FunctionSymbol): string {
  const returns = isNoreturn ? 'ends the program' : 'returns any value';
  return `'${name}' is defined nowhere: it is taken as a function that ${returns} and changes no memory`;
}
