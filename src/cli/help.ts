// The text of `--help`, for the tool and for a command. It is made from the tables of commands and options, so it
// cannot fall behind them, and as wide as the terminal, within limits.

import { wrapText } from '../support/wrap-text.ts';
import { exitCodeMeanings, exitCodes } from './exit-codes.ts';
import { type ChoiceOption, longName, type Operands, type Option, type OptionTable } from './options.ts';

/** What the help of a command is made from. */
export interface CommandDescription {
  readonly name: string;
  readonly summary: string;
  readonly operands: Operands;
  readonly options: OptionTable;
  /** After the options: paragraphs of prose, one a line, and rows of two columns, which are indented. */
  readonly notes?: string;
}

const narrowest = 60;
const widest = 100;
const indent = 28;

/** `columns`: the width of the terminal, or null. */
function helpWidth(columns: number | null): number {
  return Math.max(narrowest, Math.min(widest, columns ?? widest));
}

export function printToolHelp(
  commands: readonly { readonly name: string; readonly summary: string }[],
  columns: number | null,
): string {
  const width = helpWidth(columns);
  const about =
    'Lazuli checks multi-threaded C programs: it finds the interleaving that breaks one, or says how far there is none.';
  return [
    printParagraph(about, width),
    '\nUsage: lazuli COMMAND [OPTION…] FILE…\n',
    ...(commands.length > 0 ? ['\nCommands:\n'] : []),
    ...commands.map(({ name, summary }) => printRow(name, summary, width)),
    '\nOptions:\n',
    printRow('-h, --help', 'show this help, or that of a command', width),
    printRow('-V, --version', 'show the version', width),
    `\n${printExitCodes(width)}`,
    '\nNO_COLOR turns colours off, FORCE_COLOR turns them on.\n',
  ].join('');
}

export function printCommandHelp(command: CommandDescription, columns: number | null): string {
  const width = helpWidth(columns);
  const groups = new Map<string, string[]>();
  const add = (group: string, row: string) => groups.set(group, [...(groups.get(group) ?? []), row]);
  for (const [key, option] of Object.entries(command.options)) {
    add(option.group ?? 'Options', printRow(printSpelling(key, option), printOptionHelp(option), width));
  }
  add('Options', printRow('-h, --help', 'show this help', width));
  return [
    printParagraph(command.summary, width),
    `\nUsage: lazuli ${command.name} [OPTION…]${printOperands(command.operands)}\n`,
    ...[...groups].map(([group, rows]) => `\n${group}:\n${rows.join('')}`),
    ...(command.notes === undefined ? [] : [`\n${printNotes(command.notes.trimEnd(), width)}`]),
    `\n${printExitCodes(width)}`,
  ].join('');
}

function printParagraph(text: string, width: number): string {
  return wrapText(text, width)
    .map((line) => `${line}\n`)
    .join('');
}

function printNotes(notes: string, width: number): string {
  return notes
    .split('\n')
    .map((line) => {
      const [, left, right] = /^ {2}(.*?\S {2,})(\S.*)$/.exec(line) ?? [];
      if (left === undefined || right === undefined) return printParagraph(line, width);
      return printRow(left.trimEnd(), right, width, 2 + left.length);
    })
    .join('');
}

function printExitCodes(width: number): string {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  const rows = names.map((name) => printRow(String(exitCodes[name]), exitCodeMeanings[name], width, 7));
  return `Exit codes:\n${rows.join('')}`;
}

function printOperands({ name, min, max }: Operands): string {
  if (max === 0) return '';
  const plural = max > 1 ? `${name}…` : name;
  return min === 0 ? ` [${plural}]` : ` ${plural}`;
}

function printSpelling(key: string, option: Option): string {
  if (option.kind === 'choice' && option.asFlags) return option.choices.map((choice) => `--${choice}`).join(', ');
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const long = longName(key, option);
  switch (option.kind) {
    case 'flag':
      return `${short}--${option.default ? 'no-' : ''}${long}`;
    case 'number':
      return `${short}--${long} ${option.value}`;
    case 'text':
      return `${short}--${long}${option.implied === undefined ? ` ${option.value}` : `[=${option.value}]`}`;
    case 'choice': {
      const choices = hasManyChoices(option) ? 'NAME' : option.choices.join('|');
      return `${short}--${long}${option.implied === undefined ? `=${choices}` : `[=${choices}]`}`;
    }
    case 'list':
      return `${short}--${long}=LIST`;
  }
}

/** Too many for the left column: they are listed in the right one. */
function hasManyChoices({ choices }: ChoiceOption): boolean {
  return choices.join('|').length > 40;
}

function printOptionHelp(option: Option): string {
  const isListed = option.kind === 'list' || (option.kind === 'choice' && hasManyChoices(option));
  const choices = isListed ? `: ${option.choices.join(', ')}` : '';
  const repeated = option.kind === 'text' && option.repeated ? ' (may be repeated)' : '';
  const initial =
    option.kind === 'flag' || option.kind === 'list' || option.default === undefined
      ? ''
      : ` (default: ${option.defaultText ?? option.default})`;
  return `${option.help}${choices}${repeated}${initial}`;
}

/** Two columns; the right one is wrapped. A left part that is too long has a line of its own. */
function printRow(left: string, right: string, width: number, column = indent): string {
  const lines = wrapText(right, width - column);
  const head = `  ${left}`;
  const pad = ' '.repeat(column);
  if (head.length + 2 > column) return `${head}\n${lines.map((line) => `${pad}${line}\n`).join('')}`;
  return lines.map((line, index) => `${index === 0 ? head.padEnd(column) : pad}${line}\n`).join('');
}
