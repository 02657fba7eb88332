// What a check is about: the C files, their data model and the checks, from the options or from a task definition.
// Options are stronger than what a task says.

import { type CheckName, checkNames } from '../program/check-names.ts';
import type { FrontEndOptionValues } from './front-end-options.ts';
import { type ReadProperty, readProperty, readTaskProperties } from './property.ts';
import { readText } from './read-input.ts';
import { readTask } from './task-file.ts';

export interface TargetOptions extends Pick<FrontEndOptionValues, 'dataModel' | 'allowUndefined'> {
  readonly check: readonly string[];
  readonly property: readonly string[];
}

export interface Target {
  readonly kind: 'target';
  readonly files: readonly string[];
  /** A task says what data model it is for, and names all files that there are. */
  readonly frontEnd: Pick<FrontEndOptionValues, 'dataModel' | 'allowUndefined'>;
  /** The data model, by an option or by a task. */
  readonly isDataModelGiven: boolean;
  /** null: what is usual for the program. */
  readonly checks: readonly CheckName[] | null;
}

export type FoundTarget =
  | Target
  /** A file that cannot be read. */
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'problem'; readonly message: string };

/** The options must not have both `check` and `property`. */
export async function findTarget(
  operands: readonly string[],
  options: TargetOptions,
  isDataModelGiven: boolean,
): Promise<FoundTarget> {
  let files = operands;
  let isGiven = isDataModelGiven;
  let dataModel = options.dataModel as '32' | '64';
  let asked = readChecks(options);
  const operand = operands.find((name) => /\.ya?ml$/.test(name));
  if (operand !== undefined) {
    if (operands.length > 1) return { kind: 'problem', message: `'${operand}' is a task and stands alone` };
    const input = readText(operand);
    if (input.kind !== 'text') return { kind: 'unusable', message: input.message };
    const task = await readTask(operand, input.text);
    if (task.kind === 'problem') return task;
    files = task.inputFiles;
    if (!isDataModelGiven) dataModel = task.dataModel ?? dataModel;
    isGiven ||= task.dataModel !== null;
    asked ??= readTaskProperties(task.propertyFiles);
  }
  if (asked !== null && asked.kind !== 'checks') return asked;
  const allowUndefined = options.allowUndefined || operand !== undefined;
  const frontEnd = { dataModel, allowUndefined };
  return { kind: 'target', files, frontEnd, isDataModelGiven: isGiven, checks: asked?.checks ?? null };
}

/** What the options say; null if nothing. */
function readChecks({
  check,
  property,
}: TargetOptions): ReadProperty | Extract<FoundTarget, { kind: 'unusable' }> | null {
  if (check.length > 0) return { kind: 'checks', checks: chooseChecks(check) };
  if (property.length === 0) return null;
  const checks = new Set<CheckName>();
  for (const file of property) {
    const input = readText(file);
    if (input.kind !== 'text') return { kind: 'unusable', message: input.message };
    const read = readProperty(input.text, file);
    if (read.kind === 'problem') return read;
    for (const check of read.checks) checks.add(check);
  }
  return { kind: 'checks', checks: [...checks] };
}

function chooseChecks(words: readonly string[]): CheckName[] {
  const isAll = words.includes('all');
  return checkNames
    .filter(({ name, isDefault }) => isAll || words.includes(name) || (isDefault && words.includes('default')))
    .map(({ name }) => name);
}
