/**
 * The road from a program as the user wrote it to the bounded program: all calls inlined, all loops unwound, one
 * function per thread, so that all jumps go forward and each statement runs at most once. This table is the whole of
 * it: dumps, timings and the help derive from its rows.
 *
 * With `keepLoops` the road is the same, but only loops that create threads are unwound, and rows that need forward
 * jumps are left out.
 */

import { asProgram, type BoundedProgram } from '../program/bounded-program.ts';
import type { BoundOptions } from '../program/bounds.ts';
import type { Program } from '../program/tree.ts';
import type { DiagnosticSink } from '../support/diagnostics.ts';
import { invariant } from '../support/invariant.ts';
import { NOWHERE } from '../support/source.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { duplicateThreads } from './duplicate-threads.ts';
import { hoistDeclarations } from './hoist-declarations.ts';
import { inlineCalls } from './inline-calls.ts';
import { labelVisibleStatements } from './label-visible-statements.ts';
import { createPassContext, type Pass } from './pass.ts';
import { propagateBeforeUnwinding, propagateConstants } from './propagate-constants.ts';
import { propagateCopies } from './propagate-copies.ts';
import { shrinkTables } from './shrink-tables.ts';
import { simplifyStatements } from './simplify-statements.ts';
import { straightenJumps } from './straighten-jumps.ts';
import { unifyVerifierNames } from './unify-verifier-names.ts';
import { unwindLoops } from './unwind-loops.ts';
import { watchAccesses } from './watch-accesses.ts';

export const PASSES: readonly Pass[] = [
  {
    name: 'hoist-declarations',
    summary: 'local variables at the top of their functions under unique names, initializers as assignments',
    page: 'docs/passes/hoist-declarations.md',
    on: 'source',
    run: hoistDeclarations,
  },
  {
    name: 'unify-verifier-names',
    summary: 'one spelling for assertions, assumptions, nondeterministic values, error labels and atomic sections',
    page: 'docs/passes/unify-verifier-names.md',
    on: 'source',
    run: unifyVerifierNames,
  },
  {
    name: 'simplify-statements',
    summary: 'expressions without side effects, one shared access a statement, only if, while and goto',
    page: 'docs/passes/simplify-statements.md',
    on: 'source',
    run: simplifyStatements,
  },
  {
    name: 'inline-calls',
    summary: 'all calls inlined, recursion up to the bound, function pointers by their possible targets',
    page: 'docs/passes/inline-calls.md',
    on: 'source',
    run: inlineCalls,
  },
  {
    name: 'propagate-before-unwinding',
    summary: 'constants in the place of variables, and no assignments that nobody reads, while loops still stand',
    page: 'docs/passes/propagate-constants.md',
    isFor: (seeks) => seeks !== 'race',
    on: 'source',
    run: propagateBeforeUnwinding,
  },
  {
    name: 'straighten-jumps',
    summary: 'forward jumps out of branches as branches, labels that nothing jumps to left out',
    page: 'docs/passes/straighten-jumps.md',
    on: 'source',
    run: straightenJumps,
  },
  {
    name: 'unwind-loops',
    summary: 'loops and backward jumps copied up to the bound, then cut off',
    page: 'docs/passes/unwind-loops.md',
    on: 'source',
    run: unwindLoops,
  },
  {
    name: 'duplicate-threads',
    summary: 'one function for each thread that can be created',
    page: 'docs/passes/duplicate-threads.md',
    on: 'threads',
    run: duplicateThreads,
  },
  {
    name: 'watch-accesses',
    summary: 'before each access that several threads make, which bytes it goes to; where data races are sought',
    page: 'docs/passes/watch-accesses.md',
    isFor: (seeks) => seeks === 'race',
    on: 'bounded',
    run: watchAccesses,
  },
  {
    name: 'propagate-constants',
    summary: 'constants and addresses in the place of the variables that hold nothing else',
    page: 'docs/passes/propagate-constants.md',
    on: 'bounded',
    run: propagateConstants,
  },
  {
    name: 'shrink-tables',
    summary: 'tables of the models with as many elements as there are threads',
    page: 'docs/passes/shrink-tables.md',
    on: 'bounded',
    run: shrinkTables,
  },
  {
    name: 'propagate-copies',
    summary: 'what no other thread writes is read where it is used, not before',
    page: 'docs/passes/propagate-copies.md',
    needsUnwound: true,
    on: 'bounded',
    run: propagateCopies,
  },
  {
    name: 'label-visible-statements',
    summary: 'a number for each statement that other threads can notice',
    page: 'docs/passes/label-visible-statements.md',
    on: 'bounded',
    run: labelVisibleStatements,
  },
];

export interface PipelineHooks {
  /** A clock in milliseconds, for the timings. */
  readonly now?: () => number;
  /** Called with the program after each pass, and with the time that it took. */
  readonly afterPass?: (pass: Pass, program: Program, milliseconds: number) => void;
}

/** Runs the passes; null when one of them refused something, which the sink then tells. */
export function boundProgram(
  program: Program,
  options: BoundOptions,
  sink: DiagnosticSink,
  hooks: PipelineHooks = {},
): BoundedProgram | null {
  try {
    return runPasses(PASSES, program, options, sink, hooks)?.bounded ?? null;
  } catch (fault) {
    if (!isStackOverflow(fault)) throw fault;
    sink.error(NOWHERE, 'too-deep', TOO_DEEP);
    return null;
  }
}

/** Only calls within calls get so deep: the text itself was not too deep for the parser. */
export const TOO_DEEP = 'the program is nested too deeply once its calls are inlined; lower the bound of recursion';

/** The program after the pass of this name, for tests. */
export function programAfter(
  name: string,
  program: Program,
  options: BoundOptions,
  sink: DiagnosticSink,
  hooks: PipelineHooks = {},
): Program | null {
  const end = PASSES.findIndex((pass) => pass.name === name) + 1;
  const after = runPasses(PASSES.slice(0, end), program, options, sink, hooks);
  return after && (after.bounded ? asProgram(after.bounded) : after.source);
}

function runPasses(
  passes: readonly Pass[],
  program: Program,
  options: BoundOptions,
  sink: DiagnosticSink,
  { now = () => 0, afterPass }: PipelineHooks,
): { readonly source: Program; readonly bounded: BoundedProgram | null } | null {
  const context = createPassContext(options, sink);
  let source = program;
  let bounded: BoundedProgram | null = null;
  for (const pass of passes) {
    if ((options.keepLoops && pass.needsUnwound) || pass.isFor?.(options.seeks) === false) continue;
    const start = now();
    if (pass.on === 'source') source = pass.run(source, context);
    else if (pass.on === 'threads') bounded = pass.run(source, context);
    else {
      invariant(bounded, 'a pass on threads comes after the one that finds them');
      bounded = pass.run(bounded, context);
    }
    const elapsed = now() - start;
    if (sink.hasErrors) return null;
    afterPass?.(pass, bounded ? asProgram(bounded) : source, elapsed);
  }
  return { source, bounded };
}
