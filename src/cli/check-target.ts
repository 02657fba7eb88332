// What a check is about: the C file, its data model and the checks, from the options or from a task definition.

import { type CheckName, checkNames } from '../program/check-names.ts';
import type { FrontEndOptionValues } from './front-end-options.ts';
import { readProperty, readTask, readTaskProperties } from './property.ts';
import { readText } from './read-input.ts';

export interface TargetOptions extends FrontEndOptionValues {
  readonly check: readonly string[];
  readonly property: string | undefined;
}

export type Target =
  | {
      readonly kind: 'target';
      readonly file: string;
      readonly dataModel: '32' | '64';
      /** null: what is usual for the program. */
      readonly checks: readonly CheckName[] | null;
    }
  | { readonly kind: 'problem'; readonly message: string };

export function findTarget(operand: string, options: TargetOptions, isDataModelGiven: boolean): Target {
  let file = operand;
  let dataModel = options.dataModel as '32' | '64';
  let property = options.property === undefined ? null : readPropertyFile(options.property);
  if (/\.ya?ml$/.test(operand)) {
    const input = readText(operand);
    if (input.kind !== 'text') return { kind: 'problem', message: input.message };
    const task = readTask(operand, input.text);
    if (task.kind === 'problem') return task;
    file = task.inputFile;
    if (!isDataModelGiven) dataModel = task.dataModel ?? dataModel;
    property ??= readTaskProperties(task.propertyFiles);
  }
  if (property?.kind === 'problem') return property;
  const checks = property?.checks ?? (options.check.length > 0 ? chooseChecks(options.check) : null);
  return { kind: 'target', file, dataModel, checks };
}

function readPropertyFile(file: string): ReturnType<typeof readProperty> {
  const input = readText(file);
  return input.kind === 'text' ? readProperty(input.text, file) : { kind: 'problem', message: input.message };
}

function chooseChecks(words: readonly string[]): CheckName[] {
  const isAll = words.includes('all');
  return checkNames
    .filter(({ name, isDefault }) => isAll || words.includes(name) || (isDefault && words.includes('default')))
    .map(({ name }) => name);
}
