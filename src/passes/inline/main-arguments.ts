/**
 * What main is called with (program/main-arguments.ts), as the embedded engine has it (lower-program.ts). The values
 * are drawn in the same order and at the same place, so that counterexamples can be replayed.
 */

import {
  arithmetic,
  assign,
  comparison,
  converted,
  decayed,
  element,
  ifStatement,
  integer,
  variable,
  zeroOf,
} from '../../program/build-tree.ts';
import { ARGUMENT_LENGTH, MODELLED_ARGUMENTS, mostArguments } from '../../program/main-arguments.ts';
import { nondet } from '../../program/primitives.ts';
import type { Expression, FunctionDefinition, VariableSymbol } from '../../program/tree.ts';
import {
  arrayOf,
  charType,
  integerType,
  intType,
  isInteger,
  isScalar,
  pointerTo,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { walkStatement } from '../../program/visit-tree.ts';
import type { Loc } from '../../support/source.ts';
import type { PassContext } from '../pass.ts';
import type { RootInliner } from './root-inliner.ts';

/**
 * Emits what prepares the arguments of main; returns them. What is no `argc` or `argv`, or not looked at, holds
 * anything.
 */
export function prepareMainArguments(
  root: RootInliner,
  main: FunctionDefinition,
  context: PassContext,
): readonly Expression[] {
  const { loc } = main;
  const locals = main.parameters.map((parameter) => variable(root.newLocal(parameter), parameter.loc));
  const [argc, argv] = locals;
  const [, vector] = main.parameters;
  const newLocal: NewLocal = (name, type) =>
    variable(root.newLocal(context.fresh.variable({ name, type, loc, addressTaken: true })), loc);
  const isCounted = argc !== undefined && isInteger(argc.type);
  const isListed = isCounted && vector?.type.kind === 'pointer' && mentions(main, vector);
  if (isCounted) emitCount(root, argc, mostArguments(main), newLocal, loc);
  if (isListed && argv) emitVector(root, argc, argv, newLocal, loc);
  for (const other of locals.slice(isListed ? 2 : isCounted ? 1 : 0)) {
    if (isScalar(other.type)) root.emit(assign(other, nondet(other.type, other.loc), other.loc));
  }
  return locals;
}

type NewLocal = (name: string, type: Type) => Expression;

/** A remainder instead of an assumption, as in lowering: every value drawn is good. */
function emitCount(root: RootInliner, argc: Expression, most: number, newLocal: NewLocal, loc: Loc): void {
  const unsigned = integerType('unsigned int');
  const count = newLocal('argument_count', unsigned);
  root.emit(assign(count, nondet(unsigned, loc), loc));
  const rest = arithmetic('%', count, integer(most, loc, unsigned), loc);
  root.emit(assign(argc, converted(arithmetic('+', rest, integer(1, loc, unsigned), loc), argc.type), loc));
}

function emitVector(root: RootInliner, argc: Expression, argv: Expression, newLocal: NewLocal, loc: Loc): void {
  const table = newLocal('argument_vector', arrayOf(pointerTo(charType), MODELLED_ARGUMENTS + 1));
  for (let i = 0; i < MODELLED_ARGUMENTS; i++) {
    const text = newLocal(`argument_${i}`, arrayOf(charType, ARGUMENT_LENGTH));
    emitText(root, text, loc);
    const slot = element(table, integer(i, loc), loc);
    const exists = comparison('<', integer(i, loc), converted(argc, intType), loc);
    root.emit(
      ifStatement(exists, [assign(slot, decayed(text), loc)], [assign(slot, zeroOf(slot.type, loc), loc)], loc),
    );
  }
  const last = element(table, integer(MODELLED_ARGUMENTS, loc), loc);
  root.emit(assign(last, zeroOf(last.type, loc), loc));
  root.emit(assign(argv, decayed(table), loc));
}

/** Any characters, and the end. */
function emitText(root: RootInliner, text: Expression, loc: Loc): void {
  for (let at = 0; at < ARGUMENT_LENGTH - 1; at++) {
    root.emit(assign(element(text, integer(at, loc), loc), nondet(charType, loc), loc));
  }
  root.emit(assign(element(text, integer(ARGUMENT_LENGTH - 1, loc), loc), integer(0, loc), loc));
}

function mentions({ body }: FunctionDefinition, symbol: VariableSymbol): boolean {
  let found = false;
  walkStatement(body, {
    expression: (node) => {
      if (node.kind === 'variable' && node.symbol === symbol) found = true;
    },
  });
  return found;
}
