/**
 * The options of the page: a table from which the form, the settings of a check and what a link carries derive. Only
 * what differs from the default is in a link; what a link has and nobody knows is left out and told.
 */

import { type CheckName, checkNames } from '../../src/program/check-names.ts';
import { DEFAULT_SETTINGS, type VerifySettings } from '../../src/verify/settings.ts';
import { element } from '../report/element.ts';

export interface PageOptions {
  readonly seconds: number;
  /** Null: grows. */
  readonly unwind: number | null;
  readonly rounds: number | null;
  readonly dataModel: 'LP64' | 'ILP32';
  readonly memoryModel: 'sc' | 'tso' | 'pso';
  readonly goal: 'verdict' | 'proof';
  /** Null: what is usual for the program. */
  readonly checks: readonly CheckName[] | null;
}

export const DEFAULT_OPTIONS: PageOptions = {
  seconds: 60,
  unwind: null,
  rounds: null,
  dataModel: 'LP64',
  memoryModel: 'sc',
  goal: 'verdict',
  checks: null,
};

interface NumberRow {
  readonly kind: 'number';
  readonly name: 'seconds' | 'unwind' | 'rounds';
  readonly label: string;
  readonly max: number;
}

interface ChoiceRow {
  readonly kind: 'choice';
  readonly name: 'dataModel' | 'memoryModel' | 'goal';
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

const ROWS: readonly (NumberRow | ChoiceRow)[] = [
  { kind: 'number', name: 'seconds', label: 'seconds', max: 3600 },
  { kind: 'number', name: 'unwind', label: 'unwind loops', max: 1000 },
  { kind: 'number', name: 'rounds', label: 'rounds', max: 1000 },
  {
    kind: 'choice',
    name: 'dataModel',
    label: 'data model',
    choices: [
      ['LP64', '64 bits'],
      ['ILP32', '32 bits'],
    ],
  },
  {
    kind: 'choice',
    name: 'memoryModel',
    label: 'memory',
    choices: [
      ['sc', 'sequentially consistent'],
      ['tso', 'TSO (x86)'],
      ['pso', 'PSO'],
    ],
  },
  {
    kind: 'choice',
    name: 'goal',
    label: 'look for',
    choices: [
      ['verdict', 'violations and proofs'],
      ['proof', 'a proof only'],
    ],
  },
];

export function toSettings({ seconds, checks, ...same }: PageOptions): VerifySettings {
  return { ...DEFAULT_SETTINGS, ...same, checks, timeLimitMs: seconds * 1000 };
}

/** What differs from the default, for a link. */
export function toParameters(options: PageOptions): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== DEFAULT_OPTIONS[name as keyof PageOptions]),
  );
}

/** Reads what a link carries: anybody may have written it. */
export function fromParameters(given: Readonly<Record<string, unknown>>): {
  readonly options: PageOptions;
  readonly ignored: readonly string[];
} {
  const ignored: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (isValid(name, value)) read[name] = value;
    else ignored.push(name);
  }
  return { options: { ...DEFAULT_OPTIONS, ...read }, ignored };
}

function isValid(name: string, value: unknown): boolean {
  if (name === 'checks') return Array.isArray(value) && value.length > 0 && value.every(isCheck);
  const row = ROWS.find((candidate) => candidate.name === name);
  if (row?.kind === 'choice') return row.choices.some(([choice]) => choice === value);
  return row !== undefined && Number.isInteger(value) && Number(value) >= 1 && Number(value) <= row.max;
}

function isCheck(value: unknown): boolean {
  return checkNames.some(({ name }) => name === value);
}

/** Fills the form once; `show` makes it tell other options. */
export function buildForm(form: HTMLFormElement, onChange: () => void): (options: PageOptions) => void {
  for (const row of ROWS) {
    const label = element('label', '', `${row.label} `);
    label.append(row.kind === 'number' ? numberInput(row) : choiceInput(row));
    form.append(label);
  }
  const checks = element('fieldset');
  checks.append(element('legend', '', 'checks (none chosen: the usual ones)'));
  for (const { name, summary } of checkNames) {
    const label = element('label');
    label.title = summary;
    const box = element('input');
    Object.assign(box, { type: 'checkbox', name: 'check', value: name });
    label.append(box, ` ${name}`);
    checks.append(label);
  }
  form.append(checks);
  form.addEventListener('input', onChange);
  form.addEventListener('submit', (event) => event.preventDefault());
  return (options) => {
    for (const { name } of ROWS) field(form, name).value = String(options[name] ?? '');
    for (const box of form.querySelectorAll<HTMLInputElement>('[name=check]'))
      box.checked = options.checks?.some((name) => name === box.value) ?? false;
  };
}

/** What the form says; what is out of range counts as the nearest that is not. */
export function readForm(form: HTMLFormElement): PageOptions {
  const number = ({ name, max }: NumberRow) => {
    const value = Math.round(Number(field(form, name).value));
    return value >= 1 ? Math.min(value, max) : DEFAULT_OPTIONS[name];
  };
  const values = ROWS.map((row) => [row.name, row.kind === 'number' ? number(row) : field(form, row.name).value]);
  const chosen = [...form.querySelectorAll<HTMLInputElement>('[name=check]:checked')].map(({ value }) => value);
  return { ...DEFAULT_OPTIONS, ...Object.fromEntries(values), checks: chosen.length > 0 ? chosen : null };
}

function field(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}

function numberInput({ name, max }: NumberRow): HTMLInputElement {
  const placeholder = DEFAULT_OPTIONS[name] === null ? 'grows' : '';
  return Object.assign(element('input'), { type: 'number', name, min: '1', max: String(max), placeholder });
}

function choiceInput({ name, choices }: ChoiceRow): HTMLSelectElement {
  const select = Object.assign(element('select'), { name });
  for (const [value, label] of choices) select.append(new Option(label, value));
  return select;
}
