/**
 * Where an assumption is a wait: in a thread routine of the models that has an atomic section of its own. Other models
 * only assume what their inputs can be, such as a time, also where the program calls them in a section.
 */

import type { CodeFunction } from './code.ts';

export function canWait({ isModel, instructions }: Pick<CodeFunction, 'isModel' | 'instructions'>): boolean {
  return isModel && instructions.some(({ kind }) => kind === 'atomic-begin');
}
