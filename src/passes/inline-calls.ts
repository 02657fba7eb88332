/**
 * Inlines every call. What remains are `main` and one function for each routine that a thread is started with, named
 * after it; calls of functions that have no body give any value.
 *
 * - An argument whose value cannot change during the call takes the place of the parameter; others are assigned to a
 *   variable of the parameter's name. The same goes for a local variable that is set once, at the start, to such a
 *   value. Branches that this decides are dropped, so that the models shrink to what the call needs.
 * - `return` is an assignment and a jump to the end of the inlined body.
 * - Recursion is followed up to the bound; what lies deeper is cut off like the iterations of a loop.
 * - A call through a pointer becomes a chain of comparisons with the functions whose address is taken and that fit; at
 *   its end is a violation. A start routine that is known only through a pointer is treated in the same way.
 */

import { decayed, variable } from '../program/build-tree.ts';
import { halt, THREAD_ENTRY } from '../program/primitives.ts';
import type { FunctionDefinition, FunctionSymbol, Program, TopLevelItem, VariableSymbol } from '../program/tree.ts';
import { functionType, pointerTo, voidType } from '../program/type-operations.ts';
import { NOWHERE } from '../support/source.ts';
import { Callees } from './inline/callees.ts';
import { prepareMainArguments } from './inline/main-arguments.ts';
import { RootInliner } from './inline/root-inliner.ts';
import type { PassContext } from './pass.ts';

export function inlineCalls(program: Program, context: PassContext): Program {
  const callees = new Callees(program, context);
  const main = callees.definitionNamed('main');
  if (!main) {
    context.sink.error(program.items[0]?.loc ?? NOWHERE, 'no-main', "the program has no function 'main'");
    return program;
  }
  const roots: FunctionDefinition[] = [inlineMain(callees, main)];
  for (let start = callees.nextStart(); start !== null; start = callees.nextStart()) {
    roots.push(inlineStart(callees, start));
  }
  const others = program.items.filter((item) => item.kind !== 'function');
  const functions = roots.map((definition): TopLevelItem => ({ kind: 'function', definition, loc: definition.loc }));
  return { ...program, items: [...others, ...functions] };
}

function inlineMain(callees: Callees, main: FunctionDefinition): FunctionDefinition {
  const root = new RootInliner(callees, callees.globalNames);
  const parameters = prepareMainArguments(root, main, callees.context);
  root.inline(main, parameters, null, main.loc);
  // The others do not outlive a main that returns: none of them waits for ever then.
  if (callees.context.options.seeks === 'deadlock') root.emit(halt(main.body.endLoc));
  return root.finish(main.symbol, [], main);
}

function inlineStart(callees: Callees, start: FunctionSymbol): FunctionDefinition {
  const definition = callees.definitionOf(start) as FunctionDefinition;
  const root = new RootInliner(callees, callees.globalNames);
  const { loc } = definition;
  const pointer = pointerTo(voidType);
  const name = root.names.claim('__lazuli_argument');
  const argument: VariableSymbol = {
    ...callees.context.fresh.variable({ name, type: pointer, loc }),
    isParameter: true,
  };
  const entry = callees.definitionNamed(THREAD_ENTRY);
  const startNode = decayed({ kind: 'function', symbol: start, type: start.type, loc });
  if (entry) root.inline(entry, [startNode, variable(argument, loc)], null, loc);
  else root.inline(definition, definition.parameters.length > 0 ? [variable(argument, loc)] : [], null, loc);
  const type = functionType(voidType, [pointer]);
  const symbol: FunctionSymbol = { ...start, id: callees.context.fresh.id(), type, definition: null, isInline: false };
  return root.finish(symbol, [argument], definition);
}
