/**
 * Correctness witnesses in YAML 2.0 (`invariant_set`): what holds whenever a thread is at a line, in C. Only what was
 * confirmed for whatever thread is there may be told; a proof without such facts has an empty set, which says no more
 * than the verdict.
 */

import type { TracePlace } from '../trace/trace.ts';
import { printTask, quote, type WitnessTask } from './violation-witness.ts';

export interface ConfirmedInvariant {
  readonly place: Pick<TracePlace, 'file' | 'line'>;
  /** In C. */
  readonly condition: string;
}

export function printCorrectnessWitness(confirmed: readonly ConfirmedInvariant[], task: WitnessTask): string {
  const content = confirmed.flatMap(({ place, condition }) => [
    '  - invariant:',
    '      type: location_invariant',
    '      location:',
    `        file_name: ${quote(place.file)}`,
    `        line: ${place.line}`,
    `      value: ${quote(condition)}`,
    '      format: c_expression',
  ]);
  return [
    '- entry_type: invariant_set',
    ...printTask(task, '2.0'),
    content.length === 0 ? '  content: []' : '  content:',
    ...content,
    '',
  ].join('\n');
}
