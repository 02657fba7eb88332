/**
 * What is written for each native replay: the plan as data of C, and functions that the program calls and nobody
 * defines.
 */

import path from 'node:path';
import type { Trace } from '../../trace/trace.ts';
import type { Plan } from './plan.ts';

/** Files are told apart by their last names: the debug information has them with folders. */
export function numberFile(file: string): number {
  return numberText(path.basename(file));
}

export function numberText(text: string): number {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  return hash >>> 0;
}

const KINDS = { read: 'r', write: 'w', own: 'o', call: 'c', wake: 'k' } as const;

export function printPlan(
  { events, inputs, failingAllocations }: Plan,
  { violation: { check, thread } }: Trace,
  patienceSeconds: number,
): string {
  const rows = events.map(
    ({ thread, file, line, kind, object }) =>
      `  {${thread}, ${numberFile(file)}u, ${line}, '${KINDS[kind]}', ${object === '' ? 0 : numberText(object)}u},\n`,
  );
  const drawn = [...inputs].flatMap(([thread, values]) =>
    values.map(({ value, isFloat }) =>
      isFloat
        ? `  {${thread}, (long long)(${value}), ${value}},\n`
        : `  {${thread}, ${printInteger(value)}, ${value}.0},\n`,
    ),
  );
  const failing = failingAllocations.map(({ thread, index }) => `  {${thread}, ${index}},\n`);
  return `#include "runtime.h"
const struct lazuli_event lazuli_events[] = {
${rows.join('')}  {-1, 0, 0, 0, 0}};
const int lazuli_event_count = ${events.length};
const struct lazuli_input lazuli_inputs[] = {
${drawn.join('')}  {-1, 0, 0}};
const int lazuli_input_count = ${drawn.length};
const struct lazuli_failure lazuli_failures[] = {
${failing.join('')}  {-1, 0}};
const int lazuli_failure_count = ${failing.length};
const int lazuli_violator = ${check === 'deadlock' ? -1 : thread}, lazuli_is_deadlock = ${check === 'deadlock' ? 1 : 0};
const int lazuli_watches_locals = ${check === 'pointer' ? 1 : 0}, lazuli_watches_misuse = ${check === 'mutex' ? 1 : 0};
const int lazuli_patience_seconds = ${patienceSeconds};
`;
}

/** Of numbers beyond those that C writes with a sign, the bits. */
function printInteger(value: string): string {
  return `(long long)${BigInt.asUintN(64, BigInt(value))}ull`;
}

/** Functions that the program calls and nobody defines. */
export function printStubs(names: ReadonlySet<string>): string {
  return [...names]
    .map((name) => {
      if (/^__VERIFIER_error$|^reach_error$/.test(name))
        return `void lazuli_error_function(const char *);\nvoid ${name}(void) { lazuli_error_function("${name}"); }\n`;
      if (/^(?:__VERIFIER|__CPROVER|__ESBMC)_assume$|^assume$/.test(name))
        return `void lazuli_assume(int);\nvoid ${name}(int holds) { lazuli_assume(holds); }\n`;
      if (/^(?:__VERIFIER_|__CPROVER_|__ESBMC_)?assert$/.test(name))
        return `void lazuli_error_function(const char *);\nvoid ${name}(int holds) { if (!holds) lazuli_error_function("${name}"); }\n`;
      const section = /_atomic_(begin|end)$/.exec(name)?.[1];
      if (section !== undefined) {
        const inner = section === 'begin' ? 'enter_section' : 'leave_section';
        return `void ${inner}(void);\nvoid ${name}(void) { ${inner}(); }\n`;
      }
      if (/_(?:float|double)$/.test(name)) {
        const type = name.endsWith('_float') ? 'float' : 'double';
        return `double lazuli_input_real(void);\n${type} ${name}(void) { return lazuli_input_real(); }\n`;
      }
      return `long long lazuli_input_number(void);\nlong long ${name}(void) { return lazuli_input_number(); }\n`;
    })
    .join('');
}
