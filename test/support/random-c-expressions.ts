/** The expressions of random C programs: see random-c.ts for how they stay defined. */

import { integerRank, integerWidth, isSignedName } from '../../src/program/integer-range.ts';
import type { IntegerName } from '../../src/program/types.ts';
import type { Random } from '../../src/support/random.ts';

/** Something that can be assigned to, by its text. An array has a length and is indexed when used. */
export interface Variable {
  readonly text: string;
  readonly type: string;
  readonly length?: number;
  readonly isBitField?: boolean;
}

interface Typed {
  readonly text: string;
  readonly type: IntegerName;
  /** A variable or literal of a type narrower than int: products of two such do not overflow. */
  readonly isNarrow: boolean;
}

export interface Expressions {
  type(): IntegerName;
  literal(type: string): string;
  /** An expression that is fit for an object of the type, of at most this depth. */
  value(scope: readonly Variable[], depth: number, type: string): string;
  /** An expression of any integer type. */
  any(scope: readonly Variable[], depth: number): string;
  assignment(scope: readonly Variable[]): string;
  compoundAssignment(scope: readonly Variable[]): string;
  increment(scope: readonly Variable[]): string;
}

const NARROW: readonly IntegerName[] = ['char', 'signed char', 'unsigned char', 'short', 'unsigned short', '_Bool'];
const USUAL: readonly IntegerName[] = [...NARROW, 'int', 'int', 'unsigned int'];
const WIDE: readonly IntegerName[] = ['long', 'unsigned long', 'long long', 'unsigned long long'];
const FLOATS = /^(float|double)$/;
const COMPARISONS = ['<', '>', '<=', '>=', '==', '!=', '&&', '||'] as const;

export function createExpressions(
  random: Random,
  features: { readonly wideIntegers: boolean; readonly floats: boolean },
): Expressions {
  const types = features.wideIntegers ? [...USUAL, ...WIDE] : USUAL;

  const place = (variable: Variable, scope: readonly Variable[]): string => {
    if (variable.length === undefined) return variable.text;
    const index = random.chance(1, 2)
      ? String(random.below(variable.length))
      : `${atom(scope).text} & ${variable.length - 1}`;
    return `${variable.text}[${index}]`;
  };

  const integers = (scope: readonly Variable[]) =>
    scope.filter(({ type }) => !FLOATS.test(type) && type !== 'struct record');

  const literal = (type: string): string => {
    if (FLOATS.test(type)) return `${random.below(100)}.${random.pick(['0', '5', '25', '125'])}`;
    const magnitude = random.pick([0, 1, 2, 3, 7, 10, 100, 127]);
    if (NARROW.includes(type as IntegerName)) return String(magnitude);
    const large = random.chance(1, 4) ? random.word() >>> 1 : magnitude;
    const suffix = {
      'unsigned int': 'u',
      long: 'L',
      'unsigned long': 'UL',
      'long long': 'LL',
      'unsigned long long': 'ULL',
    }[type];
    return `${!type.startsWith('unsigned') && random.chance(1, 3) ? '-' : ''}${large}${suffix ?? ''}`;
  };

  const atom = (scope: readonly Variable[]): Typed => {
    const variables = integers(scope).filter(({ length }) => length === undefined);
    if (variables.length > 0 && random.chance(4, 5)) {
      const { text, type, isBitField } = random.pick(variables);
      // The promotion of a bit-field depends on its width; an int is what most of them become.
      const name = isBitField ? 'int' : (type as IntegerName);
      return { text: isBitField ? `(int)${text}` : text, type: name, isNarrow: NARROW.includes(name) };
    }
    const type = random.pick(['int', 'unsigned int', 'long long'] as const);
    const text = literal(type);
    return { text: text.startsWith('-') ? `(${text})` : text, type, isNarrow: false };
  };

  const leaf = (scope: readonly Variable[]): Typed => {
    const arrays = integers(scope).filter(({ length }) => length !== undefined);
    if (arrays.length === 0 || random.chance(4, 5)) return atom(scope);
    const variable = random.pick(arrays);
    const type = variable.type as IntegerName;
    return { text: place(variable, scope), type, isNarrow: NARROW.includes(type) };
  };

  const expression = (scope: readonly Variable[], depth: number): Typed => {
    if (depth <= 0) return leaf(scope);
    const kind = random.below(10);
    if (kind < 3)
      return wrapping(expression(scope, depth - 1), random.pick(['+', '-', '*']), expression(scope, depth - 1));
    if (kind < 5)
      return bitwise(expression(scope, depth - 1), random.pick(['&', '|', '^']), expression(scope, depth - 1));
    switch (kind) {
      case 5: {
        const [left, right] = [expression(scope, depth - 1), expression(scope, depth - 1)];
        return made(`(${left.text} ${random.pick(COMPARISONS)} ${right.text})`, 'int');
      }
      case 6: {
        const [test, left, right] = [expression(scope, depth - 1), expression(scope, depth - 1), leaf(scope)];
        return made(`(${test.text} ? ${left.text} : ${right.text})`, common(left.type, right.type));
      }
      case 7:
        return shifted(expression(scope, depth - 1), leaf(scope));
      case 8: {
        const left = expression(scope, depth - 1);
        const type = common(promote(left.type), 'int');
        return made(`(${left.text} ${random.pick(['/', '%'])} ((int)(${leaf(scope).text} & 15) + 1))`, type);
      }
      default:
        return unary(scope, depth);
    }
  };

  const unary = (scope: readonly Variable[], depth: number): Typed => {
    const operand = expression(scope, depth - 1);
    switch (random.below(4)) {
      case 0:
        return made(`!${operand.text}`, 'int');
      case 1:
        return made(`~${operand.text}`, promote(operand.type));
      case 2:
        return operand.isNarrow
          ? made(`-${operand.text}`, 'int')
          : made(`-(unsigned int)${operand.text}`, 'unsigned int');
      default: {
        const type = random.pick(types);
        return made(`(${type})${operand.text}`, type);
      }
    }
  };

  const target = (scope: readonly Variable[]): Variable => {
    const places = scope.filter(({ type }) => type !== 'struct record');
    const variable = random.pick(places);
    return { ...variable, text: place(variable, scope) };
  };

  const value = (scope: readonly Variable[], depth: number, type: string): string => {
    const floats = scope.filter((variable) => FLOATS.test(variable.type));
    if (!FLOATS.test(type) || floats.length === 0) return expression(scope, depth).text;
    const small = `(${leaf(scope).text} & 1023)`;
    return `${random.pick(floats).text} * ${random.pick(['0.5', '0.25f', '-0.125'])} + ${small}`;
  };

  return {
    type: () => random.pick(types),
    literal,
    value,
    any: (scope, depth) => expression(scope, depth).text,
    assignment: (scope) => {
      const { text, type } = target(scope);
      return `${text} = ${value(scope, 3, type)};`;
    },
    compoundAssignment: (scope) => {
      const { text, type } = target(scope);
      const right = expression(scope, 2);
      if (FLOATS.test(type)) return `${text} *= 0.5;`;
      const operator = random.pick(['|', '&', '^', '+', '-', '*', '<<', '>>'] as const);
      if (operator === '<<' || operator === '>>') {
        const left = operator === '<<' ? '|' : '>>';
        return `${text} ${left}= (${right.text} & 3);`;
      }
      const isBitwise = operator === '|' || operator === '&' || operator === '^';
      return `${text} ${operator}= ${isBitwise ? right.text : `(unsigned long long)${right.text}`};`;
    },
    increment: (scope) => {
      const { text, type } = target(scope);
      if (FLOATS.test(type) || NARROW.includes(type as IntegerName)) return `(${text})${random.pick(['++', '--'])};`;
      return type.startsWith('unsigned') ? `++${text};` : `${text} = (unsigned long long)${text} + 1;`;
    },
  };
}

function made(text: string, type: IntegerName): Typed {
  return { text, type, isNarrow: false };
}

/** Types are those of LP64; what differs on ILP32 (long) is treated as possibly signed. */
function promote(type: IntegerName): IntegerName {
  return integerWidth(type, 'LP64') < 32 ? 'int' : type;
}

function common(left: IntegerName, right: IntegerName): IntegerName {
  const [a, b] = [promote(left), promote(right)];
  const higher = integerRank(a) >= integerRank(b) ? a : b;
  const lower = higher === a ? b : a;
  if (!isSignedName(higher) || isSignedName(lower)) return higher;
  if (integerRank(higher) > integerRank(lower)) return higher;
  return lower;
}

/** Sums and products: as they are where they cannot overflow, otherwise in an unsigned type. */
function wrapping(left: Typed, operator: string, right: Typed): Typed {
  const type = common(left.type, right.type);
  const squares = operator === '*' && left.type === 'unsigned short' && right.type === 'unsigned short';
  const isSafe = (left.isNarrow && right.isNarrow && !squares) || !isSignedName(type);
  if (isSafe) return made(`(${left.text} ${operator} ${right.text})`, type);
  const unsigned = integerWidth(type, 'LP64') > 32 ? 'unsigned long long' : 'unsigned int';
  return made(`(${left.text} ${operator} (${unsigned})${right.text})`, unsigned);
}

function bitwise(left: Typed, operator: string, right: Typed): Typed {
  return made(`(${left.text} ${operator} ${right.text})`, common(left.type, right.type));
}

function shifted(left: Typed, by: Typed): Typed {
  if (by.type === '_Bool') return made(`(${left.text} >> (${by.text} & 7))`, promote(left.type));
  return made(`((unsigned int)${left.text} << (${by.text} & 15))`, 'unsigned int');
}
