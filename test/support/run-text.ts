/** Runs a C text in the interpreter, threads one after another, and collects what it prints. */

import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import type { CheckName, Code } from '../../src/program/code.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { Machine } from '../../src/trace/interpreter/machine.ts';
import type { InputSource, Violation } from '../../src/trace/interpreter/state.ts';
import { collectOutput } from './output-functions.ts';

export interface RunOutcome {
  readonly status: Machine['status'];
  readonly reason: string;
  readonly violation: Violation | null;
  /** The line of the violation. */
  readonly line: number | null;
  /** One character for each byte. */
  readonly output: string;
}

const ZEROS: InputSource = { nondet: () => 0, byte: () => 0 };
const INSTRUCTION_LIMIT = 20_000_000;

export function runCode(
  code: Code,
  inputs: InputSource = ZEROS,
  checks: ReadonlySet<CheckName> = DEFAULT_LOWER_OPTIONS.checks,
): RunOutcome {
  const output = collectOutput(code);
  const machine = new Machine(compileProgram(code), { checks, inputs, externals: output.externals });
  while (machine.status === 'running' && machine.instructions < INSTRUCTION_LIMIT) {
    const thread = machine.runnable[0];
    if (!thread) break;
    machine.step(thread, INSTRUCTION_LIMIT);
  }
  const { status, reason, violation } = machine;
  const line = violation ? (code.sources.place(violation.loc)?.line ?? null) : null;
  return { status, reason, violation, line, output: output.text() };
}
