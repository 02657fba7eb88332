/** What Code keeps of a variable: without initializers and cleanup calls, which are trees of their own. */

import type { CodeVariable } from '../program/code.ts';
import type { VariableSymbol } from '../program/tree.ts';

export function codeVariable({ id, name, sourceName, type, isParameter, loc }: VariableSymbol): CodeVariable {
  return { id, name, ...(sourceName !== undefined && { sourceName }), type, isParameter, loc };
}
