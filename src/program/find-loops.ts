/**
 * The loops of a function and their names, `main.0`, `main.1`, …, in the order of the text: what `--unwindset` and
 * `--show-loops` speak of, on both roads. A label that a later `goto` jumps back to is the head of a loop, too, however
 * many jumps lead there.
 */

import type { Loc } from '../support/source.ts';
import type { FunctionDefinition, LabelSymbol, Statement } from './tree.ts';
import { walkStatement } from './visit-tree.ts';

export type LoopForm = 'while' | 'do' | 'for' | 'goto';

export interface SourceLoop {
  readonly name: string;
  readonly form: LoopForm;
  /** Of the loop statement or of the label. */
  readonly loc: Loc;
}

export function findLoops({ symbol, body }: FunctionDefinition): readonly SourceLoop[] {
  const heads = backwardTargets(body);
  const loops: SourceLoop[] = [];
  const add = (form: LoopForm, loc: Loc) => loops.push({ name: `${symbol.name}.${loops.length}`, form, loc });
  walkStatement(body, {
    statement: (statement) => {
      const { kind, loc } = statement;
      if (kind === 'while' || kind === 'do' || kind === 'for') add(kind, loc);
      if (kind === 'label' && heads.has(statement.label)) add('goto', loc);
    },
  });
  return loops;
}

/** The labels before some jump to them. A computed jump may go to every label whose address is taken. */
function backwardTargets(body: Statement): ReadonlySet<LabelSymbol> {
  const addressed = findAddressedLabels(body);
  const placed = new Set<LabelSymbol>();
  const targets = new Set<LabelSymbol>();
  walkStatement(body, {
    statement: (statement) => {
      if (statement.kind === 'label') placed.add(statement.label);
      if (statement.kind === 'goto' && placed.has(statement.label)) targets.add(statement.label);
      if (statement.kind === 'computed-goto') {
        for (const label of placed) if (addressed.has(label)) targets.add(label);
      }
    },
  });
  return targets;
}

/** Where a computed jump can go. */
export function findAddressedLabels(body: Statement): ReadonlySet<LabelSymbol> {
  const addressed = new Set<LabelSymbol>();
  walkStatement(body, {
    expression: (expression) => {
      if (expression.kind === 'label-address') addressed.add(expression.label);
    },
  });
  return addressed;
}
