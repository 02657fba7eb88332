// The text of `--help`, for the tool and for a command. It is made from the tables of commands and options, so it
// cannot fall behind them.

import { exitCodeMeanings, exitCodes } from './exit-codes.ts';
import { longName, type Operands, type Option, type OptionTable } from './options.ts';

/** What the help of a command is made from. */
export interface CommandDescription {
  readonly name: string;
  readonly summary: string;
  readonly operands: Operands;
  readonly options: OptionTable;
  /** Prose after the options: examples, hints. Lines end where they should. */
  readonly notes?: string;
}

const width = 100;
const indent = 28;

export function printToolHelp(commands: readonly { readonly name: string; readonly summary: string }[]): string {
  return [
    'Lazuli checks multi-threaded C programs: it finds the interleaving that breaks one, or says how far there is none.\n',
    '\nUsage: lazuli COMMAND [OPTION…] FILE…\n',
    ...(commands.length > 0 ? ['\nCommands:\n'] : []),
    ...commands.map(({ name, summary }) => printRow(name, summary)),
    '\nOptions:\n',
    printRow('-h, --help', 'show this help, or that of a command'),
    printRow('-V, --version', 'show the version'),
    `\n${printExitCodes()}`,
    '\nNO_COLOR turns colours off, FORCE_COLOR turns them on.\n',
  ].join('');
}

export function printCommandHelp(command: CommandDescription): string {
  const groups = new Map<string, string[]>();
  const add = (group: string, row: string) => groups.set(group, [...(groups.get(group) ?? []), row]);
  for (const [key, option] of Object.entries(command.options)) {
    add(option.group ?? 'Options', printRow(printSpelling(key, option), printOptionHelp(option)));
  }
  add('Options', printRow('-h, --help', 'show this help'));
  return [
    `${command.summary}\n`,
    `\nUsage: lazuli ${command.name} [OPTION…]${printOperands(command.operands)}\n`,
    ...[...groups].map(([group, rows]) => `\n${group}:\n${rows.join('')}`),
    ...(command.notes === undefined ? [] : [`\n${command.notes.trimEnd()}\n`]),
    `\n${printExitCodes()}`,
  ].join('');
}

function printExitCodes(): string {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  const rows = names.map((name) => printRow(String(exitCodes[name]), exitCodeMeanings[name], 7));
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
      const choices = option.choices.join('|');
      return `${short}--${long}${option.implied === undefined ? `=${choices}` : `[=${choices}]`}`;
    }
    case 'list':
      return `${short}--${long}=LIST`;
  }
}

function printOptionHelp(option: Option): string {
  const choices = option.kind === 'list' ? `: ${option.choices.join(', ')}` : '';
  const repeated = option.kind === 'text' && option.repeated ? ' (may be repeated)' : '';
  const initial =
    option.kind === 'flag' || option.kind === 'list' || option.default === undefined
      ? ''
      : ` (default: ${option.defaultText ?? option.default})`;
  return `${option.help}${choices}${repeated}${initial}`;
}

/** Two columns; the right one is wrapped. A left part that is too long has a line of its own. */
function printRow(left: string, right: string, column = indent): string {
  const lines = wrap(right, width - column);
  const head = `  ${left}`;
  const pad = ' '.repeat(column);
  if (head.length + 2 > column) return `${head}\n${lines.map((line) => `${pad}${line}\n`).join('')}`;
  return lines.map((line, index) => `${index === 0 ? head.padEnd(column) : pad}${line}\n`).join('');
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
