/**
 * Leaves out the assertions of checks that nobody asked for, so that a backend does not stop at them. What follows them
 * goes on, as it does in the embedded engine. Assertions about the bounds and about what the models leave out always
 * stay.
 */

import { type BoundedProgram, mapThreads } from '../program/bounded-program.ts';
import { type CheckName, isAskedFor, isCheckName } from '../program/check-names.ts';
import { primitiveOf } from '../program/primitives.ts';
import { textOfString } from '../program/string-text.ts';
import type { Expression, Statement } from '../program/tree.ts';
import { mapBlock } from '../program/visit-tree.ts';

export function dropAssertions(bounded: BoundedProgram, asked: ReadonlySet<CheckName>): BoundedProgram {
  const isDropped = (statement: Statement) => {
    if (statement.kind !== 'expression' || primitiveOf(statement.expression) !== 'assert') return false;
    const check = checkOf(statement.expression);
    return isAskedFor(check) && !asked.has(check);
  };
  const rebuild = {
    expression: (expression: Expression) => expression,
    statement: (statement: Statement) => (isDropped(statement) ? [] : [statement]),
  };
  return mapThreads(bounded, ({ function: definition }) => {
    return { ...definition, body: mapBlock(definition.body, rebuild) };
  });
}

/** The name of the check is the second argument of an assertion. */
function checkOf(assertion: Expression): CheckName {
  let at = assertion.kind === 'builtin' ? assertion.args[1] : undefined;
  while (at?.kind === 'cast') at = at.operand;
  const name = at?.kind === 'string' ? textOfString(at) : 'assertion';
  return isCheckName(name) ? name : 'assertion';
}
