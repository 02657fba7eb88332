/**
 * Leaves out the assertions of checks that nobody asked for, so that a backend does not stop at them. What follows them
 * goes on, as it does in the embedded engine. Assertions about the bounds and about what the models leave out always
 * stay.
 */

import type { BoundedProgram } from '../passes/pipeline.ts';
import type { CheckName } from '../program/check-names.ts';
import { primitiveOf } from '../program/primitives.ts';
import { textOfString } from '../program/string-text.ts';
import type { Expression, Statement, TopLevelItem } from '../program/tree.ts';
import { mapBlock } from '../program/visit-tree.ts';

const ALWAYS: ReadonlySet<string> = new Set<CheckName>(['unwinding', 'unsupported']);

export function dropAssertions(bounded: BoundedProgram, asked: ReadonlySet<CheckName>): BoundedProgram {
  const isDropped = (statement: Statement) => {
    if (statement.kind !== 'expression' || primitiveOf(statement.expression) !== 'assert') return false;
    const check = checkOf(statement.expression);
    return !ALWAYS.has(check) && !asked.has(check as CheckName);
  };
  const rebuild = {
    expression: (expression: Expression) => expression,
    statement: (statement: Statement) => (isDropped(statement) ? [] : [statement]),
  };
  const items = bounded.program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    const { definition } = item;
    return { ...item, definition: { ...definition, body: mapBlock(definition.body, rebuild) } };
  });
  return { ...bounded, program: { ...bounded.program, items } };
}

/** The name of the check is the second argument of an assertion. */
function checkOf(assertion: Expression): string {
  let at = assertion.kind === 'builtin' ? assertion.args[1] : undefined;
  while (at?.kind === 'cast') at = at.operand;
  return at?.kind === 'string' ? textOfString(at) : 'assertion';
}
