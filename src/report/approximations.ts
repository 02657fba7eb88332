/**
 * What of a program is defined nowhere, and what it was taken for: sentences for the notes, and the condition that
 * stands in the line of a verdict that depends on it.
 */

import type { Approximation } from '../program/code.ts';

/** More names help nobody. */
const MOST_NAMES = 8;

export function describeApproximations(approximations: readonly Approximation[]): string[] {
  const taken = (meaning: Approximation['meaning']) => approximations.filter((one) => one.meaning === meaning);
  const notes: string[] = [];
  const say = (meaning: Approximation['meaning'], sentence: (names: string, isOne: boolean) => string) => {
    const found = taken(meaning);
    if (found.length > 0) notes.push(sentence(listNames(found), found.length === 1));
  };
  say('input', (names, isOne) => `${names} ${isOne ? 'is' : 'are'} taken to return any value and to change nothing.`);
  say(
    'outputs',
    (names, isOne) => `What ${names} ${isOne ? 'fills' : 'fill'} through pointers is taken to be anything.`,
  );
  say('contents', (names, isOne) => `${names} ${isOne ? 'is' : 'are'} taken to start with any contents.`);
  const missing = approximations.filter(({ isOwn }) => isOwn);
  if (missing.length > 0) {
    const them = missing.length === 1 ? 'it' : 'them';
    notes.push(`Defined nowhere: ${listNames(missing)}. If other files define ${them}, name these as well.`);
  }
  return notes;
}

/** What a verdict without a violation depends on: `, if …`, or nothing. */
export function conditionOf(approximations: readonly Approximation[]): string {
  const inputs = approximations.filter(({ meaning, isOwn }) => meaning === 'input' && isOwn);
  if (inputs.length === 0) return '';
  return `, if ${listNames(inputs)} ${inputs.length === 1 ? 'changes' : 'change'} nothing`;
}

/** What a violation depends on: the invented part of a program may be what breaks it. */
export function exceptionOf(approximations: readonly Approximation[]): string {
  const invented = approximations.filter(({ meaning, isOwn, isVoid }) => isOwn && (meaning !== 'input' || isVoid));
  if (invented.length === 0) return '';
  const isOne = invented.length === 1;
  return `, unless the definition${isOne ? '' : 's'} of ${listNames(invented)} exclude${isOne ? 's' : ''} it`;
}

function listNames(approximations: readonly Approximation[]): string {
  const names = approximations.slice(0, MOST_NAMES).map(({ name }) => `'${name}'`);
  const more = approximations.length - names.length;
  if (more > 0) return `${names.join(', ')} and ${more} more`;
  const last = names.pop();
  return names.length === 0 ? `${last}` : `${names.join(', ')} and ${last}`;
}
