/**
 * Brings every function into a simple form: expressions have no side effects; statements are assignments, calls,
 * primitives, `if`, `while`, labels, jumps and `return`. A statement makes at most one access to memory that other
 * threads may touch, through temporaries and in an order of evaluation that C allows; with `atomicStatements`, a C
 * statement stays one step.
 *
 * Of `for` loops the number of iterations is noted here, where the text shows it. Functions that no execution can come
 * to are left out.
 */

import { block, declaration } from '../program/build-tree.ts';
import { NameScope } from '../program/fresh-symbols.ts';
import type { FunctionDefinition, Program, TopLevelItem } from '../program/tree.ts';
import { isAtomicName } from '../program/verifier-names.ts';
import { walkStatement } from '../program/visit-tree.ts';
import { findSharedVariables } from './alias/sharing.ts';
import { findReachableFunctions } from './find-reachable-functions.ts';
import type { PassContext } from './pass.ts';
import { Simplifier } from './simplify/simplifier.ts';
import { simplifyItems } from './simplify/statements.ts';
import { findTripCount } from './simplify/trip-count.ts';

export function simplifyStatements(program: Program, context: PassContext): Program {
  const sharing = findSharedVariables(program);
  const globalNames = program.items.flatMap(nameOfItem);
  const reachable = findReachableFunctions(program);
  const items = program.items.flatMap((item): readonly TopLevelItem[] => {
    if (item.kind !== 'function') return [item];
    const { definition } = item;
    countTrips(definition, program, context);
    if (!reachable.has(definition.symbol)) return [];
    const names = new NameScope([...globalNames, ...localNames(definition)]);
    const isAtomic = isAtomicName(definition.symbol.name);
    const splits = !context.options.atomicStatements && !isAtomic;
    const s = new Simplifier(context, program.dataModel, names, definition.symbol.name, sharing, splits);
    const { statements } = s.collect(() => simplifyItems(s, definition.body.items));
    const body = block([...s.locals.map(declaration), ...statements], definition.body.loc, definition.body.endLoc);
    return [{ ...item, definition: { ...definition, body } }];
  });
  return { ...program, items };
}

function nameOfItem(item: TopLevelItem): string[] {
  if (item.kind === 'function') return [item.definition.symbol.name];
  return item.kind === 'variable' || item.kind === 'typedef' || item.kind === 'function-prototype'
    ? [item.symbol.name]
    : [];
}

function localNames(definition: FunctionDefinition): string[] {
  const names = definition.parameters.map(({ name }) => name);
  walkStatement(definition.body, {
    statement: (statement) => {
      if (statement.kind === 'declaration' && statement.item.kind === 'variable')
        names.push(statement.item.symbol.name);
      if (statement.kind === 'label') names.push(statement.label.name);
    },
  });
  return names;
}

function countTrips(definition: FunctionDefinition, program: Program, { loops }: PassContext): void {
  walkStatement(definition.body, {
    statement: (statement) => {
      const info = statement.kind === 'for' ? loops.get(statement.loc) : undefined;
      if (statement.kind !== 'for' || !info) return;
      loops.set(statement.loc, { ...info, tripCount: findTripCount(statement, program.dataModel) });
    },
  });
}
