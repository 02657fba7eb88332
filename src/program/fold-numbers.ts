/**
 * C's operations on numbers, by their spelling, for all who fold constants: on the tree, and while lowering. Integers
 * are computed without a limit: whoever asks wraps them, and says what a shift out of range is. Null: there is no such
 * result.
 */

export function integerResult(operator: string, left: bigint, right: bigint): bigint | null {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? null : left / right;
    case '%':
      return right === 0n ? null : left % right;
    case '<<':
      return right < 0n ? null : left << right;
    case '>>':
      return right < 0n ? null : left >> right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    default:
      return null;
  }
}

/** Computed as double. */
export function floatResult(operator: string, left: number, right: number): number | null {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return null;
  }
}

export function compareNumbers<N extends bigint | number>(operator: string, left: N, right: N): boolean | null {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    default:
      return null;
  }
}
