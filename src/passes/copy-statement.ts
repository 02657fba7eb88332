/**
 * Copies of statements with labels of their own, for loops: `break` and `continue` become jumps. What has no labels and
 * jumps is not copied but shared.
 */

import { goto } from '../program/build-tree.ts';
import type { LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain } from '../program/visit-tree.ts';
import type { JumpFinder } from './find-jumps.ts';

export interface CopyContext {
  readonly jumps: JumpFinder;
  readonly labels: ReadonlyMap<LabelSymbol, LabelSymbol>;
  /** Where `break` leads; null when it stays. */
  readonly end: LabelSymbol | null;
  readonly next: LabelSymbol | null;
}

export function copyStatement(statement: Statement, context: CopyContext): Statement {
  if (!context.jumps.hasJumps(statement)) return statement;
  const { loc } = statement;
  const inner = (part: Statement) => copyStatement(part, context);
  switch (statement.kind) {
    case 'block':
      return { ...statement, items: statement.items.map(inner) };
    case 'if': {
      const { arms, last } = ifChain(statement);
      let otherwise = last && inner(last);
      for (const arm of arms.toReversed()) otherwise = { ...arm, then: inner(arm.then), otherwise };
      return otherwise as Statement;
    }
    case 'while': {
      // Its jumps are its own.
      const body = copyStatement(statement.body, { ...context, end: null, next: null });
      return { ...statement, body };
    }
    case 'label':
      return { ...statement, label: context.labels.get(statement.label) ?? statement.label };
    case 'goto':
      return { ...statement, label: context.labels.get(statement.label) ?? statement.label };
    case 'break':
      return context.end ? goto(context.end, loc) : statement;
    case 'continue':
      return context.next ? goto(context.next, loc) : statement;
    default:
      return statement;
  }
}
