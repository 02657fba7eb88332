/**
 * The conditions of witnesses, as far as they are compared: conjunctions of a variable (or `\\result`) and an integer.
 * What else stands in a conjunction says nothing here; a condition that is 0 or `false` never holds.
 */

import type { WitnessCondition, WitnessPlace } from '../engines/check-options.ts';

export function readConditions(text: string): Pick<WitnessPlace, 'conditions' | 'isNever'> {
  const parts = text.split(/&&|;/).map(trim);
  const conditions = parts.flatMap(readCondition);
  return parts.some((part) => /^(?:0|false)$/.test(part)) ? { conditions, isNever: true } : { conditions };
}

const COMPARISON = /^(\\result|[A-Za-z_]\w*)\s*(==|!=|<=|>=|<|>|=)\s*\(?\s*(-?\d+)[uUlL]*\s*\)?$/;
const TURNED = /^\(?\s*(-?\d+)[uUlL]*\s*\)?\s*(==|!=|<=|>=|<|>)\s*(\\result|[A-Za-z_]\w*)$/;
const MIRRORED = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function readCondition(text: string): WitnessCondition[] {
  const plain = COMPARISON.exec(text);
  if (plain) {
    const [, name = '', sign = '', value = ''] = plain;
    return [{ name, relation: (sign === '=' ? '==' : sign) as WitnessCondition['relation'], value }];
  }
  const turned = TURNED.exec(text);
  if (!turned) return [];
  const [, value = '', sign = '==', name = ''] = turned;
  return [{ name, relation: MIRRORED[sign as WitnessCondition['relation']], value }];
}

/** Without blanks and the parentheses around the whole. */
function trim(text: string): string {
  let inner = text.trim();
  while (/^\([^()]*\)$/.test(inner)) inner = inner.slice(1, -1).trim();
  return inner;
}
