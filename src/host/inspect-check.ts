/**
 * What people want to see of a check from the inside: dumps of its stages, and the validators of code and steps. Texts
 * are sent to the command line, which writes them; they are the same in every run with the same bounds.
 */

import type { Observer } from '../engines/engine.ts';
import type { ExecuteOptions } from '../execute/execution.ts';
import { printSteps } from '../execute/print-steps.ts';
import type { SteppedProgram } from '../execute/steps.ts';
import { validateSteps } from '../execute/validate-steps.ts';
import type { Stage } from '../outcome/progress.ts';
import type { Code } from '../program/code.ts';
import { printCode } from '../program/print-code.ts';
import { validateCode } from '../program/validate-code.ts';
import { explainNoAnswer } from '../ranges/limit-analysis.ts';
import { findVariableRanges } from '../ranges/variable-ranges.ts';
import { printRanges } from '../report/ranges.ts';
import { printDimacsParts } from '../solver/dimacs.ts';
import { InvariantError } from '../support/invariant.ts';
import type { CheckDump } from './check-messages.ts';

export interface InspectOptions {
  readonly dumps: readonly CheckDump[];
  readonly validate: boolean;
  /** Several texts of one name follow one another in one file. */
  readonly send: (name: string, text: string) => void;
}

/** Looks at the lowered program. Throws when it is not valid and validation is wanted. */
export function inspectCode(code: Code, { dumps, validate, send }: InspectOptions): void {
  if (validate) refuseFaults('code', validateCode(code));
  if (dumps.includes('code')) send('code.txt', printCode(code));
}

export function createInspector(code: Code, options: InspectOptions): Pick<Observer, 'onSteps' | 'onClauses'> {
  const { dumps, validate, send } = options;
  return {
    onSteps(stage: Stage, program: SteppedProgram, executeOptions: ExecuteOptions) {
      if (validate) refuseFaults('steps', validateSteps(program));
      if (dumps.includes('steps')) send(`unwind-${stage.unwind}-steps.txt`, printSteps(program));
      if (!dumps.includes('intervals')) return;
      send(`unwind-${stage.unwind}-intervals.txt`, printIntervals(code, executeOptions, stage));
    },
    onClauses(stage: Stage, clauses: Int32Array, assumptions: readonly number[]) {
      if (!dumps.includes('cnf')) return;
      const name = `unwind-${stage.unwind}-rounds-${stage.rounds}.cnf`;
      for (const part of printDimacsParts(clauses, assumptions)) send(name, part);
    },
  };
}

/** What the ranges command cannot follow, the check may still be able to. */
function printIntervals(code: Code, options: ExecuteOptions, { unwind }: Stage): string {
  const unwinding = `${unwind} ${unwind === 1 ? 'time' : 'times'}`;
  try {
    return printRanges(findVariableRanges(code, options), { colours: false, columns: null, all: true, unwinding });
  } catch (fault) {
    const reason = explainNoAnswer(fault);
    if (reason === null) throw fault;
    return `unknown: ${reason}\n`;
  }
}

function refuseFaults(what: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new InvariantError(`the ${what} are not valid: ${faults.join('; ')}`);
}
