/**
 * The part of a bounded check that does not depend on the schedule: symbolic execution of the program up to an
 * unwinding bound. One prepared program serves all numbers of rounds.
 */

import { type Experience, executeProgram } from '../../execute/execute-program.ts';
import type { ExecuteOptions } from '../../execute/execution.ts';
import { forgetValues } from '../../execute/forget-values.ts';
import { AddressSpaceFull } from '../../execute/knowledge.ts';
import { pruneSteps } from '../../execute/prune-steps.ts';
import type { SteppedProgram } from '../../execute/steps.ts';
import { undelayStores } from '../../execute/undelay-stores.ts';
import { ExecutionLimitError, UnsupportedError } from '../../execute/unsupported.ts';
import type { Code } from '../../program/code.ts';
import type { Loc } from '../../support/source.ts';
import type { ValueAnalysisChoice } from '../check-options.ts';

export type Prepared =
  | { readonly kind: 'prepared'; readonly program: SteppedProgram }
  /** The program needs something that the engine does not do; `loc` says where. */
  | { readonly kind: 'unsupported'; readonly reason: string; readonly loc: Loc }
  | { readonly kind: 'limit'; readonly reason: string };

export interface PrepareOptions extends ExecuteOptions {
  readonly valueAnalysis?: ValueAnalysisChoice;
}

export function prepare(code: Code, options: PrepareOptions, experience?: Experience): Prepared {
  try {
    const program = undelayStores(pruneSteps(executeProgram(code, options, experience)));
    return { kind: 'prepared', program: options.valueAnalysis === 'none' ? forgetValues(program) : program };
  } catch (fault) {
    if (fault instanceof UnsupportedError) return { kind: 'unsupported', reason: fault.message, loc: fault.loc };
    if (fault instanceof ExecutionLimitError) return { kind: 'limit', reason: fault.message };
    if (fault instanceof AddressSpaceFull)
      return { kind: 'limit', reason: 'the objects of the program do not fit its address space' };
    throw fault;
  }
}
