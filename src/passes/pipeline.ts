/**
 * The road from a program as the user wrote it to the bounded program: all calls inlined, all loops unwound, one
 * function per thread, so that all jumps go forward and each statement runs at most once. This table is the whole of
 * it: dumps, timings and the help derive from its rows.
 */

import type { Program } from '../program/tree.ts';
import type { DiagnosticSink } from '../support/diagnostics.ts';
import { duplicateThreads } from './duplicate-threads.ts';
import { hoistDeclarations } from './hoist-declarations.ts';
import { inlineCalls } from './inline-calls.ts';
import { labelVisibleStatements } from './label-visible-statements.ts';
import { type BoundOptions, createPassContext, type Pass, type PassContext, type ThreadInfo } from './pass.ts';
import { propagateBeforeUnwinding, propagateConstants } from './propagate-constants.ts';
import { propagateCopies } from './propagate-copies.ts';
import { shrinkTables } from './shrink-tables.ts';
import { simplifyStatements } from './simplify-statements.ts';
import { straightenJumps } from './straighten-jumps.ts';
import { unifyVerifierNames } from './unify-verifier-names.ts';
import { unwindLoops } from './unwind-loops.ts';

export const PASSES: readonly Pass[] = [
  {
    name: 'hoist-declarations',
    summary: 'local variables at the top of their functions under unique names, initializers as assignments',
    page: 'docs/passes/hoist-declarations.md',
    run: hoistDeclarations,
  },
  {
    name: 'unify-verifier-names',
    summary: 'one spelling for assertions, assumptions, nondeterministic values, error labels and atomic sections',
    page: 'docs/passes/unify-verifier-names.md',
    run: unifyVerifierNames,
  },
  {
    name: 'simplify-statements',
    summary: 'expressions without side effects, one shared access a statement, only if, while and goto',
    page: 'docs/passes/simplify-statements.md',
    run: simplifyStatements,
  },
  {
    name: 'inline-calls',
    summary: 'all calls inlined, recursion up to the bound, function pointers by their possible targets',
    page: 'docs/passes/inline-calls.md',
    run: inlineCalls,
  },
  {
    name: 'propagate-before-unwinding',
    summary: 'constants in the place of variables, and no assignments that nobody reads, while loops still stand',
    page: 'docs/passes/propagate-constants.md',
    run: propagateBeforeUnwinding,
  },
  {
    name: 'straighten-jumps',
    summary: 'forward jumps out of branches as branches, labels that nothing jumps to left out',
    page: 'docs/passes/straighten-jumps.md',
    run: straightenJumps,
  },
  {
    name: 'unwind-loops',
    summary: 'loops and backward jumps copied up to the bound, then cut off',
    page: 'docs/passes/unwind-loops.md',
    run: unwindLoops,
  },
  {
    name: 'duplicate-threads',
    summary: 'one function for each thread that can be created',
    page: 'docs/passes/duplicate-threads.md',
    run: duplicateThreads,
  },
  {
    name: 'propagate-constants',
    summary: 'constants and addresses in the place of the variables that hold nothing else',
    page: 'docs/passes/propagate-constants.md',
    run: propagateConstants,
  },
  {
    name: 'shrink-tables',
    summary: 'tables of the models with as many elements as there are threads',
    page: 'docs/passes/shrink-tables.md',
    run: shrinkTables,
  },
  {
    name: 'propagate-copies',
    summary: 'what no other thread writes is read where it is used, not before',
    page: 'docs/passes/propagate-copies.md',
    run: propagateCopies,
  },
  {
    name: 'label-visible-statements',
    summary: 'a number for each statement that other threads can notice',
    page: 'docs/passes/label-visible-statements.md',
    run: labelVisibleStatements,
  },
];

export interface PassReport {
  readonly name: string;
  readonly milliseconds: number;
}

export interface BoundedProgram {
  readonly program: Program;
  readonly threads: readonly ThreadInfo[];
  readonly context: PassContext;
  readonly reports: readonly PassReport[];
}

export interface PipelineHooks {
  /** A clock in milliseconds, for the timings. */
  readonly now?: () => number;
  /** Called with the program after each pass. */
  readonly afterPass?: (pass: Pass, program: Program) => void;
  /** The name of the pass to stop after. */
  readonly stopAfter?: string;
}

/** Runs the passes; null when one of them refused something, which the sink then tells. */
export function boundProgram(
  program: Program,
  options: BoundOptions,
  sink: DiagnosticSink,
  hooks: PipelineHooks = {},
): BoundedProgram | null {
  const context = createPassContext(options, sink);
  const reports: PassReport[] = [];
  const now = hooks.now ?? (() => 0);
  let current = program;
  for (const pass of PASSES) {
    const start = now();
    current = pass.run(current, context);
    reports.push({ name: pass.name, milliseconds: now() - start });
    if (sink.hasErrors) return null;
    hooks.afterPass?.(pass, current);
    if (hooks.stopAfter === pass.name) break;
  }
  return { program: current, threads: context.threads, context, reports };
}
