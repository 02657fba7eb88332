// Real implementations of printf and its like for the interpreter, so that tests can compare what a program prints with
// what gcc's program prints. In verification, output functions have no effect: their models say so.

import type { Code } from '../../src/program/code.ts';
import type { Machine } from '../../src/trace/interpreter/machine.ts';
import type { External, Scalar } from '../../src/trace/interpreter/state.ts';

export interface Output {
  readonly externals: ReadonlyMap<string, External>;
  text(): string;
}

/** printf, puts and putchar that collect what is printed, one character for each byte. */
export function collectOutput(code: Code): Output {
  const parts: string[] = [];
  const word = code.dataModel === 'ILP32' ? 4 : 8;
  const print: External = (machine, args) => {
    const text = format(machine, readString(machine, Number(args[0])), Number(args[1]), word);
    parts.push(text);
    return text.length;
  };
  const externals = new Map<string, External>([
    ['printf', print],
    ['vprintf', print],
    [
      'puts',
      (machine, args) => {
        parts.push(`${readString(machine, Number(args[0]))}\n`);
        return 1;
      },
    ],
    [
      'putchar',
      (_, args) => {
        parts.push(String.fromCharCode(Number(args[0]) & 0xff));
        return Number(args[0]);
      },
    ],
  ]);
  return { externals, text: () => parts.join('') };
}

function readString(machine: Machine, address: number): string {
  let text = '';
  for (let at = address; at < machine.memory.top && machine.memory.bytes[at] !== 0; at++) {
    text += String.fromCharCode(machine.memory.bytes[at] as number);
  }
  return text;
}

const directive = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(hh|h|ll|l|j|z|t|L)?([diouxXcsfFeEgGpaA%])/g;

/** Formats as printf does; arguments lie one after another, each at a multiple of the word. */
function format(machine: Machine, template: string, first: number, word: number): string {
  let next = first;
  const take = (bytes: number): number => {
    const at = next;
    next += Math.ceil(bytes / word) * word;
    return at;
  };
  const integer = (length: string | undefined, signed: boolean): bigint => {
    const bits =
      length === 'll' || length === 'j' ? 64 : length === 'l' || length === 'z' || length === 't' ? 8 * word : 32;
    const value = BigInt(
      machine.memory.read(take(bits / 8), { kind: 'integer', bits: bits === 64 ? 64 : 32, signed, pointer: false }),
    );
    const narrow = length === 'hh' ? 8 : length === 'h' ? 16 : bits;
    return signed ? BigInt.asIntN(narrow, value) : BigInt.asUintN(narrow, value);
  };
  return template.replace(
    directive,
    (_, flags: string, width: string, precision: string, length: string, kind: string) => {
      if (kind === '%') return '%';
      let wide = width === '*' ? Number(integer(undefined, true)) : Number(width ?? 0);
      const digits =
        precision === '*' ? Number(integer(undefined, true)) : precision === undefined ? null : Number(precision);
      const left = flags.includes('-') || wide < 0;
      wide = Math.abs(wide);
      const text = formatOne(machine, kind, flags, digits, length, { integer, take, word });
      if (left) return text.padEnd(wide);
      const zero = flags.includes('0') && !'cs'.includes(kind) && (digits === null || 'feEgGF'.includes(kind));
      if (!zero || /^.?(nan|inf)/i.test(text)) return text.padStart(wide);
      const sign = /^[-+ ]?(?:0x)?/.exec(text)?.[0] ?? '';
      const rest = text.slice(sign.length);
      return sign + rest.padStart(wide - sign.length, '0');
    },
  );
}

interface Arguments {
  integer(length: string | undefined, signed: boolean): bigint;
  take(bytes: number): number;
  readonly word: number;
}

function formatOne(
  machine: Machine,
  kind: string,
  flags: string,
  digits: number | null,
  length: string | undefined,
  args: Arguments,
): string {
  const sign = (negative: boolean) => (negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '');
  switch (kind) {
    case 'd':
    case 'i': {
      const value = args.integer(length, true);
      return sign(value < 0n) + String(value < 0n ? -value : value).padStart(digits ?? 1, '0');
    }
    case 'o':
    case 'u':
    case 'x':
    case 'X': {
      const value = args.integer(length, false);
      const base = kind === 'o' ? 8 : kind === 'u' ? 10 : 16;
      const text = value.toString(base).padStart(digits ?? 1, '0');
      const prefix = flags.includes('#') && value !== 0n ? (kind === 'o' ? '0' : kind === 'u' ? '' : '0x') : '';
      return kind === 'X' ? (prefix + text).toUpperCase() : prefix + text;
    }
    case 'c':
      return String.fromCharCode(Number(args.integer(undefined, false)) & 0xff);
    case 's': {
      const text = readString(machine, readPointer(machine, args));
      return digits === null ? text : text.slice(0, digits);
    }
    case 'p': {
      const address = readPointer(machine, args);
      return address === 0 ? '(nil)' : `0x${address.toString(16)}`;
    }
    default: {
      const value = machine.memory.read(args.take(8), { kind: 'float', bits: 64 }) as number;
      return (
        sign(value < 0 || Object.is(value, -0)) + formatFloat(Math.abs(value), kind, digits ?? 6, flags.includes('#'))
      );
    }
  }
}

function readPointer(machine: Machine, args: Arguments): number {
  const value: Scalar = machine.memory.read(args.take(args.word), {
    kind: 'integer',
    bits: args.word === 8 ? 64 : 32,
    signed: false,
    pointer: true,
  });
  return Number(value);
}

function formatFloat(value: number, kind: string, digits: number, keepZeros: boolean): string {
  if (Number.isNaN(value)) return kind === 'G' || kind === 'E' || kind === 'F' ? 'NAN' : 'nan';
  if (!Number.isFinite(value)) return kind === 'G' || kind === 'E' || kind === 'F' ? 'INF' : 'inf';
  const exponential = (places: number) => value.toExponential(places).replace(/e([+-])(\d)$/, 'e$10$2');
  switch (kind) {
    case 'f':
    case 'F':
      return toFixed(value, digits);
    case 'e':
      return exponential(digits);
    case 'E':
      return exponential(digits).toUpperCase();
    default: {
      const places = digits === 0 ? 1 : digits;
      const exponent = value === 0 ? 0 : Number(/e([+-]\d+)$/.exec(value.toExponential(places - 1))?.[1]);
      let text = exponent < -4 || exponent >= places ? exponential(places - 1) : toFixed(value, places - 1 - exponent);
      if (!keepZeros && text.includes('.')) text = text.replace(/\.?0+(?=e|$)/, '');
      return kind === 'G' ? text.toUpperCase() : text;
    }
  }
}

/** Like Number.toFixed, also beyond 10^21. */
function toFixed(value: number, digits: number): string {
  if (value < 1e21) return value.toFixed(Math.min(digits, 100));
  return digits === 0 ? BigInt(value).toString() : `${BigInt(value)}.${'0'.repeat(digits)}`;
}
