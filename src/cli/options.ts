// Options as a table: a command declares what it takes, and parsing, checking, `--help` and "did you mean" derive from
// that one declaration. The keys of the table are the keys of the parsed values, and the types of the values follow
// from the rows, so that a command cannot read an option that it did not declare.
//
// Understood: `--name value`, `--name=value`, `-n value`, `-nvalue`, clusters of short flags, `--no-name` for flags,
// `--` before operands, `-` as an operand, and options after operands. A value option takes the next argument whatever
// it looks like, so that `-r -3` is told what is wrong with -3. `-h` and `--help` belong to every command.
//
// A table with `acceptsCompilerOptions` also takes what C compilers take (compiler-options.ts).
//
// Left out on purpose: abbreviated long options (they break scripts when an option is added). parseArgs of node:util is
// not used because it knows no integers or choices and its messages do not help the user.

import { pushAll } from '../support/push-all.ts';
import { suggest } from '../support/suggest.ts';
import { readCompilerOption } from './compiler-options.ts';

interface Described {
  /** One letter, for `-x`. */
  readonly short?: string;
  /** The long spelling without dashes, where it is not the kebab case of the key. */
  readonly long?: string;
  readonly help: string;
  /** The heading in `--help` under which the option stands; by default "Options". */
  readonly group?: string;
  /** What `--help` says of the default, where the value alone would mislead. */
  readonly defaultText?: string;
}

/** True or false. A flag that is on by default is turned off by `--no-name`. */
export interface FlagOption extends Described {
  readonly kind: 'flag';
  readonly default?: boolean;
}

/** A number in a range, ends included; an integer unless `fraction` is set. */
export interface NumberOption extends Described {
  readonly kind: 'number';
  readonly value: string;
  readonly min: number;
  readonly max: number;
  readonly fraction?: true;
  readonly default?: number;
}

/** Any text. Without `repeated` the last one given wins. */
export interface TextOption extends Described {
  readonly kind: 'text';
  readonly value: string;
  readonly repeated?: true;
  readonly default?: string;
  /** The value that the option has when it stands alone; then a value can be given as `--name=value` only. */
  readonly implied?: string;
}

/** One of a few words. */
export interface ChoiceOption extends Described {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  readonly default?: string;
  readonly implied?: string;
  /** Each choice is a flag of its own (`--32`, `--64`) and the option has no name itself. */
  readonly asFlags?: true;
}

/** Several of a few words, separated by commas; repeated options add up. */
export interface ListOption extends Described {
  readonly kind: 'list';
  readonly choices: readonly string[];
}

export type Option = FlagOption | NumberOption | TextOption | ChoiceOption | ListOption;
export type OptionTable = Readonly<Record<string, Option>>;

type OptionalUnlessDefault<O, T> = O extends { readonly default: unknown } ? T : T | undefined;

type OptionValue<O extends Option> = O extends FlagOption
  ? boolean
  : O extends NumberOption
    ? OptionalUnlessDefault<O, number>
    : O extends TextOption
      ? O extends { readonly repeated: true }
        ? readonly string[]
        : OptionalUnlessDefault<O, string>
      : O extends ChoiceOption
        ? OptionalUnlessDefault<O, O['choices'][number]>
        : O extends ListOption
          ? readonly O['choices'][number][]
          : never;

export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: OptionValue<T[K]> };

/** The operands (files, mostly) that a command takes. */
export interface Operands {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** The key of an option that makes operands unnecessary. */
  readonly unless?: string;
  /** Options of C compilers are accepted. */
  readonly compiled?: boolean;
}

export type ParsedArguments<T extends OptionTable> =
  | {
      readonly kind: 'parsed';
      readonly options: OptionValues<T>;
      readonly operands: readonly string[];
      /** The keys of the options that the user gave, as opposed to defaults. */
      readonly given: ReadonlySet<keyof T>;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'problem'; readonly message: string };

/** Parses the arguments that follow a command's name. Never throws: what is wrong is a one-line message. */
export function parseArguments<T extends OptionTable>(
  table: T,
  operands: Operands,
  args: readonly string[],
): ParsedArguments<T> {
  const parser = new ArgumentParser(table, operands.compiled ?? false);
  const outcome = parser.run(args);
  if (outcome !== null) return outcome;
  const count = parser.operands.length;
  const isOptional = operands.unless !== undefined && parser.given.has(operands.unless);
  if (count < operands.min && !isOptional) return { kind: 'problem', message: `${operands.name} is missing` };
  if (count > operands.max) {
    return { kind: 'problem', message: `unexpected operand '${parser.operands[operands.max]}'` };
  }
  return {
    kind: 'parsed',
    options: parser.values as OptionValues<T>,
    operands: parser.operands,
    given: parser.given,
  };
}

/** The long spelling of an option, without dashes. */
export function longName(key: string, option: Option): string {
  return option.long ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** How a spelling on the command line acts: which option it sets, and to what if it carries no value. */
interface Spelling {
  readonly key: string;
  readonly option: Option;
  /** The value that the spelling stands for (`true` for `--flag`); undefined where a value must follow. */
  readonly fixed: boolean | string | undefined;
}

function collectSpellings(table: OptionTable): Map<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  for (const [key, option] of Object.entries(table)) {
    if (option.kind === 'choice' && option.asFlags) {
      for (const choice of option.choices) spellings.set(`--${choice}`, { key, option, fixed: choice });
      continue;
    }
    const long = longName(key, option);
    const fixed = option.kind === 'flag' ? true : undefined;
    spellings.set(`--${long}`, { key, option, fixed });
    if (option.short !== undefined) spellings.set(`-${option.short}`, { key, option, fixed });
    if (option.kind === 'flag') spellings.set(`--no-${long}`, { key, option, fixed: false });
  }
  return spellings;
}

type Stop = Exclude<ParsedArguments<OptionTable>, { readonly kind: 'parsed' }>;
type Value = boolean | number | string | readonly string[] | undefined;

/** The state of one parse: the arguments still to read and the values so far. */
class ArgumentParser<T extends OptionTable> {
  readonly values: Record<string, Value> = {};
  readonly operands: string[] = [];
  readonly given = new Set<keyof T>();
  readonly #spellings: ReadonlyMap<string, Spelling>;
  readonly #acceptsCompilerOptions: boolean;
  #rest: string[] = [];

  constructor(table: T, acceptsCompilerOptions: boolean) {
    this.#spellings = collectSpellings(table);
    this.#acceptsCompilerOptions = acceptsCompilerOptions;
    for (const [key, option] of Object.entries(table)) this.values[key] = initialValue(option);
  }

  /** Reads all arguments; returns why it stopped early, or null. */
  run(args: readonly string[]): Stop | null {
    this.#rest = [...args];
    for (let argument = this.#rest.shift(); argument !== undefined; argument = this.#rest.shift()) {
      if (argument === '--') {
        pushAll(this.operands, this.#rest.splice(0));
      } else if (argument === '-h' || argument === '--help') {
        return { kind: 'help' };
      } else if (!argument.startsWith('-') || argument === '-') {
        this.operands.push(argument);
      } else {
        const message = this.#readOption(argument);
        if (message !== null) return { kind: 'problem', message };
      }
    }
    return null;
  }

  #readOption(argument: string): string | null {
    const compiler = this.#acceptsCompilerOptions && !this.#isOurs(argument) ? readCompilerOption(argument) : null;
    switch (compiler?.kind) {
      case 'refused':
        return compiler.message;
      case 'ignored':
        if (compiler.takesNext) this.#rest.shift();
        return null;
      case 'flag':
        return this.#readLong(compiler.option);
      case 'translated':
        if (compiler.value !== null) this.#rest.unshift(compiler.value);
        return this.#readLong(compiler.option);
      case undefined:
        return argument.startsWith('--') ? this.#readLong(argument) : this.#readShort(argument);
    }
  }

  /** `-f 3` and `-r 3` are ours, `-fPIC` and `-rdynamic` are not. */
  #isOurs(argument: string): boolean {
    if (argument.startsWith('--')) return this.#spellings.has(argument.replace(/=.*/, ''));
    return this.#spellings.has(argument.slice(0, 2)) && !/^-(f[A-Za-z]|rdynamic)/.test(argument);
  }

  #readLong(argument: string): string | null {
    const equals = argument.indexOf('=');
    const name = equals < 0 ? argument : argument.slice(0, equals);
    const value = equals < 0 ? undefined : argument.slice(equals + 1);
    const spelling = this.#spellings.get(name);
    if (spelling === undefined) return this.#unknown(name);
    if (spelling.fixed !== undefined) {
      if (value !== undefined) return `${name} takes no value`;
      return this.#set(spelling, name, spelling.fixed);
    }
    return this.#readValue(spelling, name, value);
  }

  #readShort(argument: string): string | null {
    const name = argument.slice(0, 2);
    const tail = argument.slice(2);
    const spelling = this.#spellings.get(name);
    if (spelling === undefined) return this.#unknownShort(argument);
    if (spelling.fixed === undefined) {
      return this.#readValue(spelling, name, tail === '' ? undefined : tail.replace(/^=/, ''));
    }
    if (tail !== '') this.#rest.unshift(`-${tail}`);
    return this.#set(spelling, name, spelling.fixed);
  }

  #readValue(spelling: Spelling, name: string, attached: string | undefined): string | null {
    const { option } = spelling;
    if (attached !== undefined) return this.#set(spelling, name, attached);
    if ('implied' in option && option.implied !== undefined) return this.#set(spelling, name, option.implied);
    const next = this.#rest[0];
    if (next === undefined || this.#spellings.has(next)) return `${name} wants ${describeValue(option)}`;
    this.#rest.shift();
    return this.#set(spelling, name, next);
  }

  #set({ key, option }: Spelling, name: string, text: boolean | string): string | null {
    this.given.add(key);
    if (typeof text === 'boolean') {
      this.values[key] = text;
      return null;
    }
    const value = parseOptionValue(option, text);
    if (value === undefined) return `${name} wants ${describeValue(option)}, not '${text}'`;
    const old = this.values[key];
    this.values[key] = Array.isArray(value) && Array.isArray(old) ? [...old, ...value] : value;
    return null;
  }

  /** One letter is near to every other: only the long name with one dash, or the other case, is worth a guess. */
  #unknownShort(argument: string): string {
    const name = argument.slice(0, 2);
    const long = `-${argument.replace(/=.*/, '')}`;
    const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
    if (argument.length > 2 && this.#spellings.has(long)) return `unknown option ${argument} (did you mean ${long}?)`;
    return `unknown option ${name}${this.#spellings.has(other) ? ` (did you mean ${other}?)` : ''}`;
  }

  #unknown(name: string): string {
    const near = suggest(name, this.#spellings.keys());
    return `unknown option ${name}${near === null ? '' : ` (did you mean ${near}?)`}`;
  }
}

function initialValue(option: Option): Value {
  switch (option.kind) {
    case 'flag':
      return option.default ?? false;
    case 'text':
      return option.repeated ? [] : option.default;
    case 'list':
      return [];
    case 'number':
    case 'choice':
      return option.default;
  }
}

/** The value that a text stands for, or undefined if the option does not allow it. */
function parseOptionValue(option: Option, text: string): Value {
  switch (option.kind) {
    case 'flag':
      return undefined;
    case 'text':
      return option.repeated ? [text] : text;
    case 'choice':
      return option.choices.includes(text) ? text : undefined;
    case 'list': {
      const words = text.split(',');
      return words.every((word) => option.choices.includes(word)) ? words : undefined;
    }
    case 'number': {
      const shape = option.fraction ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
      const value = Number(text);
      return shape.test(text) && value >= option.min && value <= option.max ? value : undefined;
    }
  }
}

/** What an option wants, as a noun phrase for messages. */
function describeValue(option: Option): string {
  switch (option.kind) {
    case 'flag':
      return 'no value';
    case 'text':
      return `a value (${option.value})`;
    case 'choice':
      return `one of ${option.choices.join(', ')}`;
    case 'list':
      return `a list out of ${option.choices.join(',')}`;
    case 'number': {
      const noun = option.fraction ? 'a number' : 'an integer';
      return Number.isFinite(option.max)
        ? `${noun} from ${option.min} to ${option.max}`
        : `${noun} of at least ${option.min}`;
    }
  }
}
