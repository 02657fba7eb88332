/**
 * Brings every function into a simple form: expressions have no side effects; statements are assignments, calls,
 * primitives, `if`, `while`, labels, jumps and `return`. A statement makes at most one access to memory that other
 * threads may touch, through temporaries and in an order of evaluation that C allows; with `atomicStatements`, a C
 * statement stays one step.
 *
 * The loops of the source get their names here, in the order of the text, and the number of iterations where it shows.
 * Functions that no execution can come to are left out.
 */

import { findSharedVariables } from '../analysis/sharing.ts';
import { block, declaration } from '../program/build-tree.ts';
import { NameScope } from '../program/fresh-symbols.ts';
import type { FunctionDefinition, LabelSymbol, Program, Statement, TopLevelItem } from '../program/tree.ts';
import { walkStatement } from '../program/visit-tree.ts';
import { findReachableFunctions } from './find-reachable-functions.ts';
import type { LoopInfo, PassContext } from './pass.ts';
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
    nameLoops(definition, program, context);
    if (!reachable.has(definition.symbol)) return [];
    const names = new NameScope([...globalNames, ...localNames(definition)]);
    const isAtomic = isAtomicFunction(definition.symbol.name);
    const splits = !context.options.atomicStatements && !isAtomic;
    const s = new Simplifier(context, program.dataModel, names, definition.symbol.name, sharing, splits);
    const { statements } = s.collect(() => simplifyItems(s, definition.body.items));
    const body = block([...s.locals.map(declaration), ...statements], definition.body.loc, definition.body.endLoc);
    return [{ ...item, definition: { ...definition, body } }];
  });
  return { ...program, items };
}

/** SV-COMP's convention: a function of such a name is one atomic step. */
export function isAtomicFunction(name: string): boolean {
  return name.startsWith('__VERIFIER_atomic_');
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

/** Loops in the order of their heads; a label that a later `goto` jumps back to is the head of a loop too. */
function nameLoops(definition: FunctionDefinition, program: Program, context: PassContext): void {
  const heads = backwardTargets(definition, context);
  let number = 0;
  const add = (statement: Statement, form: LoopInfo['form'], tripCount: number | null) => {
    context.loops.set(statement.loc, { name: `${definition.symbol.name}.${number++}`, form, tripCount });
  };
  walkStatement(definition.body, {
    statement: (statement) => {
      if (statement.kind === 'while' || statement.kind === 'do') add(statement, statement.kind, null);
      if (statement.kind === 'for') add(statement, 'for', findTripCount(statement, program.dataModel));
      if (statement.kind === 'label' && heads.has(statement.label)) add(statement, 'goto', null);
    },
  });
}

function backwardTargets(definition: FunctionDefinition, { labelNumbers }: PassContext): Set<LabelSymbol> {
  const placed = new Set<LabelSymbol>();
  const targets = new Set<LabelSymbol>();
  walkStatement(definition.body, {
    statement: (statement) => {
      if (statement.kind === 'label') placed.add(statement.label);
      if (statement.kind === 'goto' && placed.has(statement.label)) targets.add(statement.label);
      if (statement.kind !== 'computed-goto') return;
      for (const label of placed) if (labelNumbers.has(label)) targets.add(label);
    },
  });
  return targets;
}
