/** The steps of a page, from their compact form (src/report/html-data.ts). */

import { HOLE, type PageTrace, type StepTemplate } from '../../src/report/html-data.ts';

export interface StepValue {
  readonly kind: 'read' | 'write' | 'input';
  readonly name: string;
  readonly value: string;
}

export interface Step {
  readonly index: number;
  readonly template: StepTemplate;
  /** What happens, in words; perhaps nothing. */
  readonly effects: string;
  readonly values: readonly StepValue[];
}

export function decodeSteps({ steps, templates, texts }: PageTrace): Step[] {
  if (steps === '') return [];
  return steps.split(',').map((line, index) => {
    const [first = 0, ...numbers] = line.split(' ').map((number) => Number.parseInt(number, 36));
    const template = templates[first] as StepTemplate;
    const told = numbers.map((number) => texts[number] ?? '');
    // Every other part is the number of a value.
    const parts = template.effects.split(HOLE).map((part, at) => (at % 2 === 0 ? part : (told[Number(part)] ?? '')));
    const values = template.values.map(([kind, name], at) => ({ kind, name, value: told[at] ?? '' }));
    return { index, template, effects: parts.join(''), values };
  });
}
