/**
 * Reads what `cbmc --json-ui` prints: a JSON array of messages, results with their traces, and a final status. Written
 * for CBMC 5.12, whose `--stop-on-fail` gives one property with its trace where the other mode gives a list of all
 * properties.
 *
 * The output of a CBMC that was ended early is no JSON; then there is no answer, but its messages can still be read.
 */

import type { ContentField } from './allocated-contents.ts';
import {
  type BackendAnswer,
  type BackendStatistics,
  type BackendStep,
  NO_STATISTICS,
  type VerifierOutput,
} from './backend.ts';

interface CbmcMessage {
  readonly messageText?: string;
  readonly messageType?: string;
  readonly cProverStatus?: string;
  readonly result?: readonly CbmcProperty[];
  readonly trace?: readonly CbmcStep[];
  readonly description?: string;
}

interface CbmcProperty {
  readonly description?: string;
  readonly status?: string;
  readonly trace?: readonly CbmcStep[];
}

interface CbmcStep {
  readonly stepType?: string;
  readonly hidden?: boolean;
  readonly internal?: boolean;
  readonly sourceLocation?: CbmcLocation | null;
  readonly lhs?: unknown;
  readonly value?: CbmcValue | null;
  readonly function?: { readonly displayName?: string };
  readonly reason?: string;
}

interface CbmcLocation {
  readonly file?: string;
  readonly function?: string;
  readonly line?: string;
}

interface CbmcValue {
  readonly name?: string;
  readonly data?: string | boolean;
  readonly type?: string;
  readonly binary?: string;
  readonly elements?: readonly { readonly index: number; readonly value: CbmcValue }[];
  readonly members?: readonly { readonly name: string; readonly value: CbmcValue }[];
  /** Of a union, the one that is told. */
  readonly member?: { readonly name: string; readonly value: CbmcValue };
}

/** CBMC keeps the number of an object in the upper bits of a pointer, of which it takes 8 unless told otherwise. */
const TOO_MANY_OBJECTS = /^too many addressed objects/;
const MORE_OBJECTS =
  'CBMC numbers objects with fewer bits than the program needs: --backend-options="--object-bits 12" makes room for 4096';

export function readCbmcAnswer(output: VerifierOutput): BackendAnswer {
  const { stdout } = output;
  const messages = parseMessages(stdout);
  if (messages === null) return { kind: 'unknown', reason: explainNoAnswer(output) };
  const status = messages.find((message) => message.cProverStatus !== undefined)?.cProverStatus;
  const statistics = readCbmcStatistics(stdout);
  if (status === 'success') {
    return output.exitCode === 0
      ? { kind: 'safe', statistics }
      : { kind: 'unknown', reason: `CBMC reports success, but ends with exit code ${output.exitCode}` };
  }
  if (status === 'failure') {
    const { description = '', trace } = findFailure(messages) ?? {};
    return { kind: 'violation', description, steps: recordsOf<CbmcStep>(trace).flatMap(readStep), statistics };
  }
  const errors = messages
    .filter(({ messageType }) => messageType === 'ERROR')
    .map(({ messageText = '' }) => (TOO_MANY_OBJECTS.test(messageText) ? MORE_OBJECTS : messageText));
  return { kind: 'unknown', reason: errors.length > 0 ? errors.join('; ') : 'CBMC gave no verdict' };
}

/** The last message in a piece of output that tells how far CBMC is. */
export function readCbmcProgress(output: string): string | null {
  const texts = [...output.matchAll(MESSAGE_TEXT)].map(([, text = '']) => text);
  return texts.findLast((text) => TELLING.test(text)) ?? null;
}

/** The size of the largest formula that it solved. */
export function readCbmcStatistics(stdout: string): BackendStatistics {
  let statistics = NO_STATISTICS;
  for (const [, variables, clauses] of stdout.matchAll(/(\d+) variables, (\d+) clauses/g)) {
    if (Number(clauses) >= (statistics.clauses ?? 0)) {
      statistics = { variables: Number(variables), clauses: Number(clauses) };
    }
  }
  return statistics;
}

const MESSAGE_TEXT = /"messageText": "((?:[^"\\]|\\.)*)"/g;
const TELLING =
  /^(Parsing|Type-checking|Starting|size of program|Passing problem|Running propositional|Solving with|\d+ variables|Building error)/;

function parseMessages(stdout: string): readonly CbmcMessage[] | null {
  try {
    const parsed: unknown = JSON.parse(stdout);
    return Array.isArray(parsed) ? recordsOf<CbmcMessage>(parsed) : null;
  } catch {
    return null;
  }
}

/** What is no list of records has none. */
function recordsOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}

function explainNoAnswer({ stdout, stderr, exitCode }: VerifierOutput): string {
  const text = `${stdout}\n${stderr}`;
  if (/bad_alloc|out of memory/i.test(text)) return 'CBMC ran out of memory';
  const option = /Unknown option: ([^\s"]+)/.exec(text)?.[1];
  if (option !== undefined) return `CBMC does not know the option ${option}`;
  const last = [...stdout.matchAll(MESSAGE_TEXT)].at(-1)?.[1];
  if (last !== undefined) return `the output of CBMC is incomplete; its last message: ${last}`;
  const [line] = /\S.*/.exec(text) ?? [];
  return line === undefined
    ? `CBMC gave no output (exit code ${exitCode})`
    : `the output of CBMC is none of CBMC (exit code ${exitCode}): ${shortenLine(line)}`;
}

const LINE_LENGTH = 100;

function shortenLine(line: string): string {
  return line.length <= LINE_LENGTH ? line.trim() : `${line.slice(0, LINE_LENGTH - 1).trim()}…`;
}

function findFailure(messages: readonly CbmcMessage[]): CbmcProperty | undefined {
  for (const message of messages) {
    if (message.trace !== undefined) return message;
    const failed = recordsOf<CbmcProperty>(message.result).find(({ status }) => status === 'FAILURE');
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/**
 * Of what CBMC hides, the initial values of variables are of interest; they belong to no function. Assignments to
 * allocated objects it takes for internal. The first of them, hidden too, tells all that lies in a new object.
 */
function readStep(step: CbmcStep): BackendStep[] {
  if (step.internal && !isAllocated(step.lhs)) return [];
  if (step.hidden && step.stepType !== 'assignment') return [];
  if (step.hidden && step.internal) {
    const object = readTarget(step.lhs);
    return /^dynamic_object\d+$/.test(object)
      ? [{ kind: 'allocation', object, contents: readContents(step.value) }]
      : [];
  }
  // The lines of CBMC's own library are none of the file.
  const isOwn = step.sourceLocation?.file?.startsWith('<') ?? false;
  const line = isOwn ? 0 : Number(step.sourceLocation?.line ?? 0);
  const inFunction = step.hidden ? '' : (step.sourceLocation?.function ?? '');
  switch (step.stepType) {
    case 'function-call':
      return [{ kind: 'call', callee: step.function?.displayName ?? '', line }];
    case 'function-return':
      return [{ kind: 'return', callee: step.function?.displayName ?? '' }];
    case 'assignment':
      return [{ kind: 'assignment', line, inFunction, target: readTarget(step.lhs), value: readValue(step.value) }];
    case 'failure':
      return [{ kind: 'failure', line, inFunction, description: step.reason ?? '' }];
    case 'location-only':
      return line === 0 ? [] : [{ kind: 'location', line, inFunction }];
    default:
      return [];
  }
}

function isAllocated(lhs: unknown): boolean {
  return typeof lhs === 'string' && /\bdynamic_object\d+/.test(lhs);
}

/** The scalars of an object in the order of their places; CBMC makes members of the padding, too. */
function readContents(value: CbmcValue | null | undefined): ContentField[] {
  if (value === undefined || value === null) return [];
  if (value.elements !== undefined) return value.elements.flatMap((each) => readContents(each.value));
  if (value.members !== undefined) return value.members.flatMap((each) => readContents(each.value));
  if (value.member !== undefined) return [{ kind: 'union', member: readContents(value.member.value) }];
  if (value.name === 'pointer') {
    const target = typeof value.data === 'string' ? readPointer(value.data).replace(/^&/, '') : null;
    return [{ kind: 'pointer', target }];
  }
  const { binary } = value;
  return binary === undefined || !/^[01]+$/.test(binary) ? [] : [readNumber(binary, value)];
}

/** CBMC's truth values are the lowest bit of any byte. */
function readNumber(binary: string, { type, data }: CbmcValue): ContentField {
  const value = type === '_Bool' ? BigInt(data === 'TRUE' ? 1 : 0) : BigInt(`0b${binary}`);
  return { kind: 'number', bits: binary.length, value };
}

/** CBMC writes indices as C constants: `s.b[1l]`. What is accessed through another type becomes `s+4`. */
export function readTarget(lhs: unknown): string {
  if (typeof lhs !== 'string') return '';
  const bytes = /^byte_extract_\w+_endian\((.*), (\d+)[uUlL]*, [^,]*\)$/.exec(lhs);
  if (bytes !== null) return `${readTarget(bytes[1])}${bytes[2] === '0' ? '' : `+${bytes[2]}`}`;
  return lhs.replace(/\[(-?\d+)[uUlL]+\]/g, '[$1]');
}

/** More elements than this help nobody. */
const SHOWN_ELEMENTS = 16;

function readValue(value: CbmcValue | null | undefined): string {
  if (value === undefined || value === null) return '?';
  if (value.elements !== undefined) return `{ ${shorten(value.elements.map((each) => readValue(each.value)))} }`;
  if (value.members !== undefined) {
    const members = value.members.filter(({ name }) => !name.startsWith('$pad'));
    return `{ ${shorten(members.map((each) => `.${each.name} = ${readValue(each.value)}`))} }`;
  }
  const { data } = value;
  if (data === undefined) return '?';
  if (typeof data === 'boolean') return data ? '1' : '0';
  if (value.type === '_Bool') return data === 'TRUE' ? '1' : '0';
  if (value.name === 'integer') return readInteger(data, value);
  return value.name === 'pointer' ? readPointer(data) : data;
}

/** `7u` is 7; a character such as `'x'` is the number that its bits are. */
function readInteger(data: string, { binary, type = '' }: CbmcValue): string {
  if (!data.startsWith("'") || binary === undefined) return data.replace(/^(-?\d+)[uUlL]+$/, '$1');
  const bits = BigInt(`0b${binary}`);
  return String(type.includes('unsigned') ? bits : BigInt.asIntN(binary.length, bits));
}

function shorten(texts: readonly string[]): string {
  return texts.length <= SHOWN_ELEMENTS ? texts.join(', ') : `${texts.slice(0, SHOWN_ELEMENTS).join(', ')}, …`;
}

/** `((signed int *)NULL)` is NULL; an object's name stands for its address. */
function readPointer(data: string): string {
  const bare = /^\(\([^()]*\)\s*(.*)\)$/.exec(data)?.[1] ?? data;
  const target = readTarget(bare).replace(/!\d+@\d+/g, '');
  return target !== 'NULL' && /^[A-Za-z_$]/.test(target) ? `&${target}` : target;
}
