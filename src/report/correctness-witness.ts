/**
 * Correctness witnesses in YAML 2.0 (`invariant_set`): what holds whenever a thread is at a line, in C. Only facts
 * about one place and over the program's own variables can be told there; a proof without such facts has an empty set,
 * which says no more than the verdict.
 */

import type { ProofInvariant } from '../outcome/invariant.ts';
import { printTask, quote, type WitnessTask } from './violation-witness.ts';

export function printCorrectnessWitness(invariant: ProofInvariant | null, task: WitnessTask): string {
  const entries = (invariant?.facts ?? []).flatMap(({ when, holds }) => {
    const [only] = when;
    if (when.length !== 1 || !only || holds === null) return [];
    const places = new Map(only.places.map((place) => [`${place.file}:${place.line}`, place]));
    return [...places.values()].map((place) => ({ place, holds }));
  });
  const content = entries.flatMap(({ place, holds }) => [
    '  - invariant:',
    '      type: location_invariant',
    '      location:',
    `        file_name: ${quote(place.file)}`,
    `        line: ${place.line}`,
    `      value: ${quote(holds)}`,
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
