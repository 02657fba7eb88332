/** A piece of expression text with what its surroundings need to know to put parentheses around it, or not. */

export const PRECEDENCE = {
  comma: 1,
  assignment: 2,
  conditional: 3,
  logicalOr: 4,
  logicalAnd: 5,
  bitOr: 6,
  bitXor: 7,
  bitAnd: 8,
  equality: 9,
  relational: 10,
  shift: 11,
  additive: 12,
  multiplicative: 13,
  cast: 14,
  unary: 15,
  postfix: 16,
  primary: 17,
} as const;

export interface Rendered {
  readonly text: string;
  readonly precedence: number;
  /** The operator at the top, where compilers advise parentheses that the grammar does not need. */
  readonly operator: string;
}

export function rendered(text: string, precedence: number, operator = ''): Rendered {
  return { text, precedence, operator };
}

export function parenthesize(piece: Rendered, atLeast: number): string {
  return piece.precedence < atLeast ? `(${piece.text})` : piece.text;
}

const BINARY_PRECEDENCE: Readonly<Record<string, number>> = {
  ',': PRECEDENCE.comma,
  '||': PRECEDENCE.logicalOr,
  '&&': PRECEDENCE.logicalAnd,
  '|': PRECEDENCE.bitOr,
  '^': PRECEDENCE.bitXor,
  '&': PRECEDENCE.bitAnd,
  '==': PRECEDENCE.equality,
  '!=': PRECEDENCE.equality,
  '<': PRECEDENCE.relational,
  '>': PRECEDENCE.relational,
  '<=': PRECEDENCE.relational,
  '>=': PRECEDENCE.relational,
  '<<': PRECEDENCE.shift,
  '>>': PRECEDENCE.shift,
  '+': PRECEDENCE.additive,
  '-': PRECEDENCE.additive,
  '*': PRECEDENCE.multiplicative,
  '/': PRECEDENCE.multiplicative,
  '%': PRECEDENCE.multiplicative,
};

export function binaryPrecedence(operator: string): number {
  return BINARY_PRECEDENCE[operator] ?? PRECEDENCE.primary;
}

const COMPARISONS = ['==', '!=', '<', '>', '<=', '>='];
const COMPARISON_ADVICE: ReadonlySet<string> = new Set([...COMPARISONS, '!']);

/** The operators that gcc's -Wparentheses wants in parentheses below an operator. */
const ADVISED: ReadonlyMap<string, ReadonlySet<string>> = new Map<string, ReadonlySet<string>>([
  ['||', new Set(['&&'])],
  ['|', new Set(['&', '^', '+', '-', '!', ...COMPARISONS])],
  ['^', new Set(['&', '+', '-', '!', ...COMPARISONS])],
  ['&', new Set(['+', '-', '!', ...COMPARISONS])],
  ['<<', new Set(['+', '-'])],
  ['>>', new Set(['+', '-'])],
  ...COMPARISONS.map((operator) => [operator, COMPARISON_ADVICE] as const),
]);

/** Whether an operand whose top is `inner` stands in parentheses below `outer`, on the left or on the right. */
export function needsParentheses(
  inner: { precedence: number; operator: string },
  outer: string,
  isLeft: boolean,
): boolean {
  const precedence = binaryPrecedence(outer);
  if (isLeft ? inner.precedence < precedence : inner.precedence <= precedence) return true;
  return ADVISED.get(outer)?.has(inner.operator) ?? false;
}
