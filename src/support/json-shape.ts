/**
 * Values of JSON that somebody else wrote, taken for what they must be. Nothing is taken on trust: what is wrong is
 * told with its JSON path.
 */

/** What is wrong, and where; the message has both. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';

  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail(path, `must be an object, not ${describe(value)}`);
  return value as JsonObject;
}

export function asArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(path, `must be a list, not ${describe(value)}`);
  return value;
}

export function asText(value: unknown, path: string): string {
  if (typeof value !== 'string') fail(path, `must be a text, not ${describe(value)}`);
  return value;
}

export function asNumber(value: unknown, path: string, least: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
    fail(path, `must be a whole number of at least ${least}, not ${describe(value)}`);
  return value;
}

/** A number that may not fit a double. */
export function asCount(value: unknown, path: string): bigint {
  const isCount = typeof value === 'string' ? /^\d{1,1000}$/.test(value) : Number.isSafeInteger(value);
  if (!isCount || Number(value) < 0) fail(path, `must be a whole number, as text or not, but is ${describe(value)}`);
  return BigInt(value as string | number);
}

export function onlyKeys(value: JsonObject, path: string, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) fail(member(path, key), `is not known here; there are ${known.join(', ')}`);
  }
}

export function member(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

export function fail(path: string, message: string): never {
  throw new ShapeError(path, message);
}

/** Longer texts are no names. */
const MOST_NAME = 4096;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail('$', `no JSON: ${(error as Error).message}`);
  }
}

export function asShortText(value: unknown, path: string): string {
  const text = asText(value, path);
  if (text.length > MOST_NAME) fail(path, `must not be longer than ${MOST_NAME} characters`);
  return text;
}

/** Each member is read by its path. */
export function asList<T>(
  value: unknown,
  path: string,
  most: number,
  read: (value: unknown, path: string) => T,
): readonly T[] {
  const list = asArray(value, path);
  if (list.length > most) fail(path, `must not have more than ${most} members`);
  return list.map((each, i) => read(each, `${path}[${i}]`));
}

export function asPair(value: unknown, path: string): readonly [unknown, unknown] {
  const [first, second, ...more] = asArray(value, path);
  if (first === undefined || second === undefined || more.length > 0) fail(path, 'must be a list of two');
  return [first, second];
}

export function asFlag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') fail(path, `must be true or false, not ${describe(value)}`);
  return value;
}

/** A whole number from 0 on. */
export function asUpTo(value: unknown, path: string, most: number): number {
  const number = asNumber(value, path, 0);
  if (number > most) fail(path, `must not be larger than ${most}`);
  return number;
}

/** Any number from 0 on. */
export function asAmount(value: unknown, path: string, most: number): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= most))
    fail(path, `must be a number from 0 to ${most}, not ${describe(value)}`);
  return value;
}

export function asOneOf<T extends string>(value: unknown, path: string, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  if (found === undefined) fail(path, `must be one of ${words.join(', ')}, not ${describe(value)}`);
  return found;
}

export function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

/** For terminals: what somebody else wrote must not steer them. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}
