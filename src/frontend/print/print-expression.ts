/**
 * Expressions as C text, with as few parentheses as the grammar needs and gcc's -Wparentheses advises. Each operand is
 * first stripped of the casts that its context makes by itself (leave-out-casts.ts); any cast still there is written.
 *
 * Chains that the user can make arbitrarily long (binary operators to the left, `?:` to the right, postfix operators)
 * are printed by loops, not by recursion.
 */

import type { Expression, IntegerExpression } from '../../program/tree.ts';
import type { Type } from '../../program/types.ts';
import { assertNever, invariant } from '../../support/invariant.ts';
import { type PrintContext, printLabel, rememberText } from './context.ts';
import {
  bare,
  bareAssigned,
  bareCommon,
  bareCompound,
  bareCondition,
  bareDiscarded,
  bareIndex,
  bareOrdered,
  barePromoted,
  bareVariadic,
} from './leave-out-casts.ts';
import { measuredPath, printTypeName } from './print-declarator.ts';
import { printString, renderFloat, renderInteger } from './print-literal.ts';
import { binaryPrecedence, needsParentheses, PRECEDENCE, parenthesize, type Rendered, rendered } from './rendered.ts';
import { isSpellingUsable } from './spelling.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/**
 * The text, in parentheses if its precedence is lower. The operand is written with all casts that are not mere decay.
 */
export function printExpressionAt(context: PrintContext, expression: Expression, atLeast: number): string {
  return parenthesize(render(context, expression), atLeast);
}

/** A value for an object of the same type: of an initializer, an assignment, an argument, `return`. */
export function printAssigned(context: PrintContext, expression: Expression): string {
  return printExpressionAt(context, bareAssigned(expression, context.dataModel), PRECEDENCE.assignment);
}

/** A condition; an assignment gets a second pair of parentheses, to say that it is meant. */
export function printCondition(context: PrintContext, expression: Expression): string {
  return rememberText(context, 'conditions', expression, () => {
    const condition = bareCondition(expression, context.dataModel);
    const text = printExpressionAt(context, condition, PRECEDENCE.comma);
    return condition.kind === 'assignment' ? `(${text})` : text;
  });
}

/** An expression whose value nobody uses. */
export function printDiscarded(context: PrintContext, expression: Expression): string {
  return rememberText(context, 'discarded', expression, () =>
    printExpressionAt(context, bareDiscarded(expression), PRECEDENCE.comma),
  );
}

/** The value of a `switch`. */
export function printPromoted(context: PrintContext, expression: Expression): string {
  return printExpressionAt(context, barePromoted(expression, context.dataModel), PRECEDENCE.comma);
}

function render(context: PrintContext, whole: Expression): Rendered {
  const expression = bare(whole);
  switch (expression.kind) {
    case 'integer':
      return renderIntegerExpression(context, expression);
    case 'float':
      return renderFloat(expression);
    case 'string':
      return rendered(printString(expression), PRECEDENCE.primary);
    case 'variable':
    case 'function':
      return rendered(context.names.mention(expression.symbol), PRECEDENCE.primary);
    case 'unary':
      return renderUnary(context, expression);
    case 'address':
      return renderPrefix(context, '&', expression.operand);
    case 'dereference':
      return renderPrefix(context, '*', expression.operand);
    case 'index':
    case 'member':
    case 'call':
      return renderPostfix(context, expression);
    case 'increment':
      return expression.isPrefix
        ? renderPrefix(context, expression.operator, expression.target)
        : renderPostfix(context, expression);
    case 'arithmetic':
    case 'pointer-offset':
    case 'pointer-difference':
    case 'comparison':
    case 'logical':
    case 'comma':
      return renderBinary(context, expression);
    case 'conditional':
      return renderConditional(context, expression);
    case 'assignment':
    case 'compound-assignment':
      return renderAssignment(context, expression);
    case 'builtin':
      return rendered(`${expression.name}(${printBuiltinArguments(context, expression)})`, PRECEDENCE.postfix);
    case 'va-arg': {
      const list = printExpressionAt(context, expression.list, PRECEDENCE.assignment);
      return rendered(`__builtin_va_arg(${list}, ${printTypeName(context, expression.type)})`, PRECEDENCE.postfix);
    }
    case 'cast':
      return renderCast(context, expression);
    case 'compound-literal': {
      const { symbol } = expression;
      const type = printTypeName(context, symbol.type);
      const initializer = context.printInitializer(context, symbol);
      const braced = initializer.startsWith('{') ? initializer : `{ ${initializer} }`;
      return rendered(`(${type})${braced}`, PRECEDENCE.postfix);
    }
    case 'statement-expression':
      return rendered(`(${context.printBlock(context, expression.body)})`, PRECEDENCE.primary);
    case 'variable-size': {
      const path = measuredPath(context, expression.measured);
      return rendered(`sizeof(${path ?? printTypeName(context, expression.measured)})`, PRECEDENCE.unary);
    }
    case 'label-address':
      return rendered(`&&${printLabel(context, expression.label)}`, PRECEDENCE.unary);
    default:
      return assertNever(expression);
  }
}

function renderIntegerExpression(context: PrintContext, expression: IntegerExpression): Rendered {
  const { spelling, value } = expression;
  if (spelling !== null && isSpellingUsable(context, spelling, value)) {
    if (/^\d+ \* /.test(spelling)) return rendered(spelling, PRECEDENCE.multiplicative, '*');
    const isOperator = /^[a-z_]+ *\(?/i.test(spelling) && /[ (]/.test(spelling);
    return rendered(spelling, isOperator ? PRECEDENCE.unary : PRECEDENCE.primary);
  }
  return renderInteger(value, expression.type, context.dataModel);
}

// ---------------------------------------------------------------- unary and casts

function renderUnary(context: PrintContext, expression: Of<'unary'>): Rendered {
  const { operator, operand } = expression;
  if (operator === '!') {
    return renderPrefixed(context, '!', bareCondition(operand, context.dataModel));
  }
  return renderPrefixed(context, operator, barePromoted(operand, context.dataModel));
}

function renderPrefix(context: PrintContext, operator: string, operand: Expression): Rendered {
  return renderPrefixed(context, operator, bare(operand));
}

/** `-` before `-x` or `--x` would be another token. */
function renderPrefixed(context: PrintContext, operator: string, operand: Expression): Rendered {
  const text = printExpressionAt(context, operand, PRECEDENCE.cast);
  const joins = /^[-+&]/.test(operator) && text[0] === operator[0];
  return rendered(joins ? `${operator} ${text}` : `${operator}${text}`, PRECEDENCE.unary, operator);
}

function renderCast(context: PrintContext, expression: Of<'cast'>): Rendered {
  const { operand } = expression;
  const inner =
    expression.castKind === 'to-bool' ? bareCondition(operand, context.dataModel) : castOperand(context, operand);
  const text = printExpressionAt(context, inner, PRECEDENCE.cast);
  return rendered(`(${printTypeName(context, expression.type)})${text}`, PRECEDENCE.cast);
}

/** Under a cast, an implicit conversion that keeps every value adds nothing. */
function castOperand(context: PrintContext, operand: Expression): Expression {
  return bareIndex(operand, context.dataModel);
}

// ---------------------------------------------------------------- binary operators

interface BinaryParts {
  readonly operator: string;
  readonly precedence: number;
  readonly left: Expression;
  readonly right: Expression;
}

/** The operator and the operands to be written, or null if the expression is no binary operator. */
function binaryParts(context: PrintContext, whole: Expression): BinaryParts | null {
  const expression = bare(whole);
  const { dataModel } = context;
  switch (expression.kind) {
    case 'arithmetic': {
      const { operator, left, right } = expression;
      if (operator === '<<' || operator === '>>') {
        return parts(operator, barePromoted(left, dataModel), barePromoted(right, dataModel));
      }
      return parts(operator, ...bareCommon(left, right, dataModel));
    }
    case 'comparison': {
      const { operator, left, right } = expression;
      const isEquality = operator === '==' || operator === '!=';
      return parts(operator, ...(isEquality ? bareCommon : bareOrdered)(left, right, dataModel));
    }
    case 'logical': {
      const { operator, left, right } = expression;
      return parts(operator, bareCondition(left, dataModel), bareCondition(right, dataModel));
    }
    case 'pointer-offset':
      return parts(expression.operator, bare(expression.pointer), bareIndex(expression.offset, dataModel));
    case 'pointer-difference':
      return parts('-', bare(expression.left), bare(expression.right));
    case 'comma':
      return parts(',', bareDiscarded(expression.left), bare(expression.right));
    default:
      return null;
  }
}

function parts(operator: string, left: Expression, right: Expression): BinaryParts {
  return { operator, precedence: binaryPrecedence(operator), left, right };
}

/** Goes down the left operands as long as they need no parentheses, then writes from the innermost one outwards. */
function renderBinary(context: PrintContext, expression: Expression): Rendered {
  const spine: BinaryParts[] = [];
  let next = binaryParts(context, expression);
  while (next !== null) {
    const outer = spine.at(-1);
    if (outer !== undefined && needsParentheses(next, outer.operator, true)) break;
    spine.push(next);
    next = binaryParts(context, next.left);
  }
  const innermost = spine.at(-1);
  const outermost = spine[0];
  invariant(innermost !== undefined && outermost !== undefined, 'a binary expression has an operator');
  let text = renderOperand(context, innermost.left, innermost.operator, true);
  for (let at = spine.length - 1; at >= 0; at--) {
    const { operator, right } = spine[at] as BinaryParts;
    const space = operator === ',' ? '' : ' ';
    text += `${space}${operator} ${renderOperand(context, right, operator, false)}`;
  }
  return rendered(text, outermost.precedence, outermost.operator);
}

function renderOperand(context: PrintContext, operand: Expression, operator: string, isLeft: boolean): string {
  const piece = render(context, operand);
  return needsParentheses(piece, operator, isLeft) ? `(${piece.text})` : piece.text;
}

// ---------------------------------------------------------------- postfix operators

/** Goes inwards and collects what stands behind the innermost operand. */
function renderPostfix(context: PrintContext, expression: Expression): Rendered {
  const suffixes: string[] = [];
  let at = expression;
  for (;;) {
    if (at.kind === 'index') {
      const index = bareIndex(at.index, context.dataModel);
      suffixes.push(`[${printExpressionAt(context, index, PRECEDENCE.comma)}]`);
      at = bare(at.base);
    } else if (at.kind === 'call') {
      suffixes.push(`(${printArguments(context, at)})`);
      if (isMismatched(at)) {
        const callee = `((${printTypeName(context, pointerToOldStyle(at))})${printExpressionAt(context, at.callee, PRECEDENCE.cast)})`;
        return rendered(callee + suffixes.reverse().join(''), PRECEDENCE.postfix);
      }
      at = bare(at.callee);
    } else if (at.kind === 'increment' && !at.isPrefix) {
      suffixes.push(at.operator);
      at = bare(at.target);
    } else if (at.kind === 'member') {
      const object = namedObject(at);
      const isArrow = object.kind === 'dereference';
      suffixes.push(`${isArrow ? '->' : '.'}${at.field.name}`);
      at = isArrow ? bare(object.operand) : object;
    } else {
      break;
    }
  }
  const operand = printExpressionAt(context, at, PRECEDENCE.postfix);
  return rendered(operand + suffixes.reverse().join(''), PRECEDENCE.postfix);
}

/**
 * Whether a function that was defined the old way is called with another number of arguments. C lets that pass, but the
 * printer gives the function a prototype: such a call is written through a pointer to `()`.
 */
function isMismatched(call: Of<'call'>): boolean {
  const callee = bare(call.callee);
  if (callee.kind !== 'function') return false;
  const { type, definition } = callee.symbol;
  if (type.kind !== 'function' || !type.oldStyle || definition === null) return false;
  return definition.parameters.length > 0 && definition.parameters.length !== call.args.length;
}

function pointerToOldStyle(call: Of<'call'>): Type {
  const plain = { qualifiers: 0, alias: null };
  const target: Type = {
    kind: 'function',
    result: call.type,
    parameters: [],
    variadic: false,
    oldStyle: true,
    ...plain,
  };
  return { kind: 'pointer', target, ...plain };
}

/** The object of a member, past the anonymous members that C lets one leave out. */
function namedObject(member: Of<'member'>): Expression {
  invariant(member.field.name !== null, 'an anonymous member cannot be named in C');
  let object = bare(member.object);
  while (object.kind === 'member' && object.field.name === null) object = bare(object.object);
  return object;
}

function printArguments(context: PrintContext, call: Of<'call'>): string {
  const calleeType = call.callee.type;
  const type = calleeType.kind === 'pointer' ? calleeType.target : calleeType;
  const known = type.kind === 'function' && !type.oldStyle ? type.parameters.length : 0;
  const texts = call.args.map((argument, at) => {
    if (at < known) return printAssigned(context, argument);
    return printExpressionAt(context, bareVariadic(argument, context.dataModel), PRECEDENCE.assignment);
  });
  return texts.join(', ');
}

/**
 * Builtins convert their operands by rules of their own, which the type checker applied. Those for floats take any of
 * them, and no other.
 */
function printBuiltinArguments(context: PrintContext, builtin: Of<'builtin'>): string {
  const texts = builtin.args.map((argument) => {
    const isConverted = argument.kind === 'cast' && argument.type.kind === 'float';
    return printAssigned(context, isConverted ? { ...argument, implicit: false } : argument);
  });
  return texts.join(', ');
}

// ---------------------------------------------------------------- conditionals and assignments

function renderConditional(context: PrintContext, whole: Of<'conditional'>): Rendered {
  const pieces: string[] = [];
  let at: Expression = whole;
  while (at.kind === 'conditional') {
    const condition = render(context, bareCondition(at.condition, context.dataModel));
    const [then, otherwise] = branches(context, at);
    const test = parenthesize(condition, PRECEDENCE.logicalOr);
    pieces.push(
      then === null ? `${test} ?: ` : `${test} ? ${printExpressionAt(context, then, PRECEDENCE.conditional)} : `,
    );
    at = bare(otherwise);
  }
  pieces.push(printExpressionAt(context, at, PRECEDENCE.conditional));
  return rendered(pieces.join(''), PRECEDENCE.conditional);
}

function branches(context: PrintContext, expression: Of<'conditional'>): readonly [Expression | null, Expression] {
  const { condition, then, otherwise } = expression;
  if (then === null) {
    const [, right] = bareCommon(condition, otherwise, context.dataModel);
    return [null, right];
  }
  if (expression.type.kind === 'void') return [bareDiscarded(then), bareDiscarded(otherwise)];
  return bareCommon(then, otherwise, context.dataModel);
}

function renderAssignment(context: PrintContext, expression: Of<'assignment' | 'compound-assignment'>): Rendered {
  const target = printExpressionAt(context, expression.target, PRECEDENCE.unary);
  const isCompound = expression.kind === 'compound-assignment';
  const value = isCompound ? compoundValue(context, expression) : bareAssigned(expression.value, context.dataModel);
  const text = printExpressionAt(context, value, PRECEDENCE.assignment);
  return rendered(`${target} ${isCompound ? expression.operator : ''}= ${text}`, PRECEDENCE.assignment);
}

function compoundValue(context: PrintContext, expression: Of<'compound-assignment'>): Expression {
  const { operator, target, value, computation } = expression;
  if (computation.kind === 'pointer') return bareIndex(value, context.dataModel);
  if (operator === '<<' || operator === '>>') return barePromoted(value, context.dataModel);
  return bareCompound(target, value, computation, context.dataModel);
}
