// What a check is about: the C files, their data model and the checks, from the options or from task definitions.
// Options are stronger than what a task says.
//
// A question is a program and what is asked of it. Files are linked to one program; a task is a program of its own, and
// so is each operand with `--each`. Each property is a question of its own: it gets its own verdict.

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type CheckName, checkNames } from '../program/check-names.ts';
import type { FrontEndOptionValues } from './front-end-options.ts';
import { isForTests, nameOfProperty, readProperty, readTaskProperty } from './property.ts';
import { readText } from './read-input.ts';
import { readTask, type TaskProperty } from './task-file.ts';

export interface TargetOptions extends Pick<FrontEndOptionValues, 'dataModel' | 'allowUndefined'> {
  readonly check: readonly string[];
  readonly property: readonly string[];
  /** Each operand is a program of its own. */
  readonly each?: boolean;
}

export interface CheckTarget {
  readonly kind: 'target';
  readonly files: readonly string[];
  /** A task says what data model it is for, and names all files that there are. */
  readonly frontEnd: Pick<FrontEndOptionValues, 'dataModel' | 'allowUndefined'>;
  /** The data model, by an option or by a task. */
  readonly isDataModelGiven: boolean;
  /** null: what is usual for the program. */
  readonly checks: readonly CheckName[] | null;
  /** The name of what is asked, where a property says it. */
  readonly property: string | null;
  /** What the task says that the answer is. */
  readonly expected: boolean | null;
}

/** A property of a task that Lazuli does not check. */
export interface Unanswerable {
  readonly kind: 'unanswerable';
  readonly files: readonly string[];
  readonly property: string;
  readonly reason: string;
}

type NotFound =
  /** A file that cannot be read. */
  { readonly kind: 'unusable'; readonly message: string } | { readonly kind: 'problem'; readonly message: string };

export type FoundTarget = CheckTarget | NotFound;
export type FoundQuestions =
  | { readonly kind: 'questions'; readonly questions: readonly (CheckTarget | Unanswerable)[] }
  | NotFound;

/** One program and everything that is asked of it, as one question; the options must not have both kinds of checks. */
export async function findTarget(
  operands: readonly string[],
  options: TargetOptions,
  isDataModelGiven: boolean,
): Promise<FoundTarget> {
  if (operands.filter(isTask).length > 1) return { kind: 'problem', message: 'one task at a time' };
  const found = await findQuestions(operands, options, isDataModelGiven);
  if (found.kind !== 'questions') return found;
  const targets: CheckTarget[] = [];
  for (const question of found.questions) {
    if (question.kind === 'unanswerable') return { kind: 'problem', message: question.reason };
    targets.push(question);
  }
  const [first] = targets as [CheckTarget];
  if (targets.length === 1) return first;
  return { ...first, checks: unite(targets), property: null, expected: null };
}

function unite(targets: readonly CheckTarget[]): CheckName[] {
  return [...new Set(targets.flatMap(({ checks }) => checks ?? []))];
}

export async function findQuestions(
  operands: readonly string[],
  options: TargetOptions,
  isDataModelGiven: boolean,
): Promise<FoundQuestions> {
  const asked = readAsked(options);
  if (asked !== null && 'kind' in asked) return asked;
  const { dataModel, allowUndefined } = options;
  const plain: Plain = { frontEnd: { dataModel, allowUndefined }, isDataModelGiven };
  const questions: (CheckTarget | Unanswerable)[] = [];
  for (const files of options.each ? operands.flatMap(listEach) : groupOperands(operands)) {
    if (typeof files === 'string') return { kind: 'problem', message: files };
    const [operand = ''] = files;
    const found = isTask(operand) ? await readTaskQuestions(operand, asked, plain) : ask(files, asked, plain);
    if ('kind' in found) return found;
    for (const question of found) questions.push(question);
  }
  return { kind: 'questions', questions };
}

function isTask(operand: string): boolean {
  return /\.ya?ml$/.test(operand);
}

/** Files are linked, tasks stand alone; a text says what is wrong. */
function groupOperands(operands: readonly string[]): (readonly string[] | string)[] {
  const tasks = operands.filter(isTask);
  if (tasks.length === 0) return [operands];
  if (tasks.length === operands.length) return tasks.map((task) => [task]);
  return [`'${tasks[0]}' is a task and stands alone; with --each every file is a program of its own`];
}

/** Of a folder its tasks, or, where it has none, its C files. */
function listEach(operand: string): (readonly string[] | string)[] {
  if (!statSync(operand, { throwIfNoEntry: false })?.isDirectory()) return [[operand]];
  const names = readdirSync(operand).sort();
  const tasks = names.filter(isTask);
  const chosen = tasks.length > 0 ? tasks : names.filter((name) => /\.[ci]$/.test(name));
  if (chosen.length === 0) return [`there is no program in '${operand}'`];
  return chosen.map((name) => [path.join(operand, name)]);
}

type Plain = Pick<CheckTarget, 'frontEnd' | 'isDataModelGiven'>;
/** Checks that are asked for together, under a name. */
type Asked = readonly Pick<CheckTarget, 'checks' | 'property'>[];

function ask(files: readonly string[], asked: Asked | null, plain: Plain): CheckTarget[] {
  const common = { kind: 'target', files, ...plain, expected: null } as const;
  return (asked ?? [{ checks: null, property: null }]).map((each) => ({ ...common, ...each }));
}

async function readTaskQuestions(
  file: string,
  asked: Asked | null,
  plain: Plain,
): Promise<(CheckTarget | Unanswerable)[] | NotFound> {
  const input = readText(file);
  if (input.kind !== 'text') return { kind: 'unusable', message: input.message };
  const task = await readTask(file, input.text);
  if (task.kind === 'problem') return task;
  const { inputFiles: files, dataModel, properties } = task;
  const model: Plain = {
    frontEnd: {
      dataModel: plain.isDataModelGiven ? plain.frontEnd.dataModel : (dataModel ?? plain.frontEnd.dataModel),
      allowUndefined: true,
    },
    isDataModelGiven: plain.isDataModelGiven || dataModel !== null,
  };
  const own = properties.filter((property) => !isForTests(property.file));
  if (asked !== null || own.length === 0) return withExpected(ask(files, asked, model), own);
  return own.map((property): CheckTarget | Unanswerable => {
    const read = readTaskProperty(property.file);
    const name = nameOfProperty(property.file);
    if (read.kind === 'problem') return { kind: 'unanswerable', files, property: name, reason: read.message };
    return { kind: 'target', files, ...model, checks: read.checks, property: name, expected: property.expected };
  });
}

/** Properties of the command line are often those of the task. */
function withExpected(targets: readonly CheckTarget[], properties: readonly TaskProperty[]): CheckTarget[] {
  return targets.map((target) => {
    const same = properties.find(({ file }) => nameOfProperty(file) === target.property);
    return { ...target, expected: same?.expected ?? null };
  });
}

/** What the options say; null if nothing. */
function readAsked({ check, property }: TargetOptions): Asked | NotFound | null {
  if (check.length > 0) return [{ checks: chooseChecks(check), property: null }];
  if (property.length === 0) return null;
  const asked: Pick<CheckTarget, 'checks' | 'property'>[] = [];
  for (const file of property) {
    const input = readText(file);
    if (input.kind !== 'text') return { kind: 'unusable', message: input.message };
    const read = readProperty(input.text, file);
    if (read.kind === 'problem') return read;
    asked.push({ checks: read.checks, property: nameOfProperty(file) });
  }
  return asked;
}

function chooseChecks(words: readonly string[]): CheckName[] {
  const isAll = words.includes('all');
  return checkNames
    .filter(({ name, isDefault }) => isAll || words.includes(name) || (isDefault && words.includes('default')))
    .map(({ name }) => name);
}
