/**
 * The expression of `#if` and `#elif` (C11 6.10.1): arithmetic on 64 bits, signed or unsigned by C's usual rules, over
 * numbers, character constants, `defined` and the `__has_…` operators; identifiers left over after expansion count as
 * 0. Parsing and evaluation are one: operators are climbed by precedence, and `evaluate` is false in operands that C
 * leaves unevaluated, where a division by zero is no fault. Nesting is bounded because it is recursion.
 */

import type { Loc } from '../../support/source.ts';
import type { PreprocessingToken } from '../lex/token.ts';
import { hasFeature, isDefined } from './feature-tests.ts';
import { findHeader, readHeaderName } from './include.ts';
import { type IntegerValue, readCharacter, readInteger } from './read-constants.ts';
import type { Session } from './session.ts';

export interface ConditionResult {
  readonly value: boolean;
  /** The macro M when the whole expression is `!defined M`: then it may guard its file. */
  readonly notDefined: string | null;
}

const NESTING_LIMIT = 500;

/** A fault was found and reported; the condition counts as false. */
class ConditionFault extends Error {
  override readonly name = 'ConditionFault';
}

/** Evaluates the rest of the directive's line. */
export function evaluateCondition(session: Session, directive: PreprocessingToken): ConditionResult {
  const parser = new ConditionParser(session, directive);
  try {
    const value = parser.whole();
    return { value: value.bits !== 0n, notDefined: parser.notDefined };
  } catch (error) {
    if (error instanceof ConditionFault) return { value: false, notDefined: null };
    throw error;
  }
}

const PRECEDENCE: Readonly<Record<string, number>> = {
  ',': 1,
  '?': 2,
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '==': 8,
  '!=': 8,
  '<': 9,
  '>': 9,
  '<=': 9,
  '>=': 9,
  '<<': 10,
  '>>': 10,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
};

const UNARY: ReadonlySet<string> = new Set(['!', '~', '-', '+']);
const ZERO: IntegerValue = { bits: 0n, unsigned: false };

class ConditionParser {
  readonly #session: Session;
  readonly #directive: PreprocessingToken;
  #token: PreprocessingToken;
  #depth = 0;
  /** Tokens read so far, to recognise `!defined M`. */
  readonly #shape: string[] = [];
  #tested: string | null = null;

  constructor(session: Session, directive: PreprocessingToken) {
    this.#session = session;
    this.#directive = directive;
    this.#token = directive;
  }

  get notDefined(): string | null {
    return this.#shape.join(' ') === '! defined' ? this.#tested : null;
  }

  whole(): IntegerValue {
    this.#advance();
    if (this.#atEnd) this.#fault(this.#directive.loc, `#${this.#directive.text} with no expression`);
    const value = this.#expression(1, true);
    if (!this.#atEnd) {
      const { kind, text, loc } = this.#token;
      const known = kind === 'punctuator' && text !== '(' && text !== ')';
      this.#fault(loc, known ? `token '${text}' is not valid in a preprocessor expression` : `unexpected '${text}'`);
    }
    return value;
  }

  get #atEnd(): boolean {
    return this.#token.kind === 'end';
  }

  #advance(): void {
    this.#token = this.#session.expander.next();
    if (!this.#atEnd && this.#shape.length < 4) this.#shape.push(this.#token.text);
  }

  #fault(loc: Loc, message: string): never {
    this.#session.sink.error(loc > 0 ? loc : this.#directive.loc, 'condition', message);
    throw new ConditionFault(message);
  }

  #enter(): void {
    if (++this.#depth > NESTING_LIMIT) {
      this.#fault(this.#token.loc, `expression nested more than ${NESTING_LIMIT} deep`);
    }
  }

  /** An expression of operators that bind at least as tightly as `floor`. */
  #expression(floor: number, evaluate: boolean): IntegerValue {
    this.#enter();
    let left = this.#unary(evaluate);
    for (;;) {
      const operator = this.#token;
      const precedence = operator.kind === 'punctuator' ? (PRECEDENCE[operator.text] ?? 0) : 0;
      if (precedence === 0 || precedence < floor) break;
      this.#advance();
      left = operator.text === '?' ? this.#choice(left, evaluate) : this.#binary(left, operator, precedence, evaluate);
    }
    this.#depth--;
    return left;
  }

  #choice(condition: IntegerValue, evaluate: boolean): IntegerValue {
    const holds = condition.bits !== 0n;
    const yes = this.#expression(1, evaluate && holds);
    if (this.#token.text !== ':') this.#fault(this.#token.loc, "'?' without following ':'");
    this.#advance();
    const no = this.#expression(2, evaluate && !holds);
    return { bits: holds ? yes.bits : no.bits, unsigned: yes.unsigned || no.unsigned };
  }

  #binary(left: IntegerValue, operator: PreprocessingToken, precedence: number, evaluate: boolean): IntegerValue {
    const truth = left.bits !== 0n;
    if (operator.text === '&&') {
      const right = this.#expression(precedence + 1, evaluate && truth);
      return boolean(truth && right.bits !== 0n);
    }
    if (operator.text === '||') {
      const right = this.#expression(precedence + 1, evaluate && !truth);
      return boolean(truth || right.bits !== 0n);
    }
    const right = this.#expression(precedence + 1, evaluate);
    const dividing = operator.text === '/' || operator.text === '%';
    if (dividing && right.bits === 0n) {
      if (evaluate) this.#fault(operator.loc, 'division by zero in #if');
      return ZERO;
    }
    return compute(operator.text, left, right);
  }

  #unary(evaluate: boolean): IntegerValue {
    const token = this.#token;
    if (token.kind === 'punctuator' && UNARY.has(token.text)) {
      this.#enter();
      this.#advance();
      const operand = this.#unary(evaluate);
      this.#depth--;
      return computeUnary(token.text, operand);
    }
    return this.#primary(evaluate);
  }

  #primary(evaluate: boolean): IntegerValue {
    const token = this.#token;
    switch (token.kind) {
      case 'number':
        this.#advance();
        return readInteger(token.text, this.#faultAt(token.loc));
      case 'character':
        this.#advance();
        return readCharacter(token.text, this.#faultAt(token.loc));
      case 'identifier':
        return this.#identifier(token);
      case 'punctuator':
        if (token.text === '(') {
          this.#advance();
          const value = this.#expression(1, evaluate);
          if (this.#token.text !== ')') this.#fault(token.loc, "missing ')' in expression");
          this.#advance();
          return value;
        }
        return this.#fault(token.loc, `operator '${token.text}' has no left operand`);
      case 'end':
        return this.#fault(this.#directive.loc, `#${this.#directive.text}: the expression ends too early`);
      default:
        return this.#fault(token.loc, `token ${token.text} is not valid in preprocessor expressions`);
    }
  }

  #faultAt(loc: Loc): (message: string) => never {
    return (message) => this.#fault(loc, message);
  }

  #identifier(token: PreprocessingToken): IntegerValue {
    let value = ZERO;
    if (token.text === 'defined') value = boolean(this.#defined(token));
    else if (token.text.startsWith('__has_')) value = this.#feature(token);
    this.#advance();
    return value;
  }

  /** `defined X` or `defined(X)`; leaves the last token of it current. */
  #defined(operator: PreprocessingToken): boolean {
    const { expander } = this.#session;
    let name = expander.take();
    const parenthesised = name.text === '(';
    if (parenthesised) name = expander.take();
    if (name.kind !== 'identifier') this.#fault(operator.loc, "operator 'defined' requires an identifier");
    if (parenthesised && expander.take().text !== ')') this.#fault(operator.loc, "missing ')' after 'defined'");
    this.#tested = name.text;
    return isDefined(this.#session.macros, name.text);
  }

  /** `__has_include(…)` and its kin; other identifiers of that form are 0 like any identifier. */
  #feature(operator: PreprocessingToken): IntegerValue {
    const { expander } = this.#session;
    const name = operator.text;
    if (!hasFeature('operator', name)) return ZERO;
    if (expander.take().text !== '(') this.#fault(operator.loc, `missing '(' after '${name}'`);
    let found: boolean;
    if (name === '__has_include' || name === '__has_include_next') {
      const header = readHeaderName(this.#session);
      if (!header) this.#fault(operator.loc, `operator '${name}' requires a header name`);
      const next = name === '__has_include_next' && this.#session.files.length > 1;
      found = findHeader(this.#session, { ...header, next }) !== null;
    } else {
      const operand = expander.next();
      if (operand.kind !== 'identifier') this.#fault(operator.loc, `operator '${name}' requires an identifier`);
      found = hasFeature(name === '__has_builtin' ? 'builtin' : 'attribute', operand.text);
    }
    if (expander.take().text !== ')') this.#fault(operator.loc, `missing ')' after '${name}'`);
    return boolean(found);
  }
}

function boolean(value: boolean): IntegerValue {
  return { bits: value ? 1n : 0n, unsigned: false };
}

function wrap(bits: bigint, unsigned: boolean): IntegerValue {
  return { bits: unsigned ? BigInt.asUintN(64, bits) : BigInt.asIntN(64, bits), unsigned };
}

function computeUnary(operator: string, operand: IntegerValue): IntegerValue {
  if (operator === '!') return boolean(operand.bits === 0n);
  if (operator === '~') return wrap(~operand.bits, operand.unsigned);
  return operator === '-' ? wrap(-operand.bits, operand.unsigned) : operand;
}

/** All binary operators but the lazy ones; the divisor is not 0. */
function compute(operator: string, left: IntegerValue, right: IntegerValue): IntegerValue {
  if (operator === ',') return right;
  if (operator === '<<' || operator === '>>') return shift(left, operator === '<<' ? right : computeUnary('-', right));
  const unsigned = left.unsigned || right.unsigned;
  const a = wrap(left.bits, unsigned).bits;
  const b = wrap(right.bits, unsigned).bits;
  switch (operator) {
    case '|':
      return wrap(a | b, unsigned);
    case '^':
      return wrap(a ^ b, unsigned);
    case '&':
      return wrap(a & b, unsigned);
    case '==':
      return boolean(a === b);
    case '!=':
      return boolean(a !== b);
    case '<':
      return boolean(a < b);
    case '>':
      return boolean(a > b);
    case '<=':
      return boolean(a <= b);
    case '>=':
      return boolean(a >= b);
    case '+':
      return wrap(a + b, unsigned);
    case '-':
      return wrap(a - b, unsigned);
    case '*':
      return wrap(a * b, unsigned);
    case '/':
      return wrap(a / b, unsigned);
    default:
      return wrap(a % b, unsigned);
  }
}

/** A shift to the left, or by a negative amount to the right, as gcc's preprocessor does it. */
function shift(left: IntegerValue, amount: IntegerValue): IntegerValue {
  const by = BigInt.asIntN(64, amount.bits);
  if (by >= 64n) return { bits: 0n, unsigned: left.unsigned };
  if (by <= -64n) return { bits: left.bits < 0n ? -1n : 0n, unsigned: left.unsigned };
  return wrap(by >= 0n ? left.bits << by : left.bits >> -by, left.unsigned);
}
