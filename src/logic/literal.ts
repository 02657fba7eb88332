/**
 * Literals of a circuit: a variable or its negation in one signed integer, as in DIMACS. Variable 1 is the constant, so
 * that TRUE is 1 and FALSE is -1; 0 is no literal. The negation is the arithmetic one; `not` spares callers the cast.
 */

declare const literalBrand: unique symbol;
export type Literal = number & { readonly [literalBrand]: true };

export const TRUE = 1 as Literal;
export const FALSE = -1 as Literal;

export function not(literal: Literal): Literal {
  return -literal as Literal;
}

export function isConstant(literal: Literal): boolean {
  return literal === TRUE || literal === FALSE;
}

export function fromBoolean(value: boolean): Literal {
  return value ? TRUE : FALSE;
}
