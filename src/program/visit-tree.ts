/**
 * Walking and rebuilding typed trees. The walks keep their own stack, and rebuilding loops along left operands and
 * `else if` chains, so that long sums and long chains do not overflow the stack; what the parser's limit on nesting
 * lets through otherwise is safe to recurse into.
 */

import { assertNever } from '../support/invariant.ts';
import type { AsmOperand, BlockStatement, Expression, Initializer, Statement } from './tree.ts';

// ---------------------------------------------------------------- children

const NO_OPERANDS: readonly Expression[] = [];

/**
 * The operands of an expression in the order of the text. A statement expression has none here: see `walkExpression`.
 */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'integer':
    case 'float':
    case 'string':
    case 'variable':
    case 'function':
    case 'statement-expression':
    case 'compound-literal':
    case 'variable-size':
    case 'label-address':
      return NO_OPERANDS;
    case 'unary':
    case 'address':
    case 'dereference':
    case 'cast':
      return [expression.operand];
    case 'index':
      return [expression.base, expression.index];
    case 'member':
      return [expression.object];
    case 'arithmetic':
    case 'pointer-difference':
    case 'comparison':
    case 'logical':
    case 'comma':
      return [expression.left, expression.right];
    case 'pointer-offset':
      return [expression.pointer, expression.offset];
    case 'conditional':
      return expression.then === null
        ? [expression.condition, expression.otherwise]
        : [expression.condition, expression.then, expression.otherwise];
    case 'assignment':
    case 'compound-assignment':
      return [expression.target, expression.value];
    case 'increment':
      return [expression.target];
    case 'call':
      return [expression.callee, ...expression.args];
    case 'builtin':
      return expression.args;
    case 'va-arg':
      return [expression.list];
    default:
      return assertNever(expression);
  }
}

/** Puts the operands on a stack, for walks that keep their own. */
export function pushChildren(expression: Expression, stack: Expression[]): void {
  const children = childrenOf(expression);
  for (let at = 0; at < children.length; at++) stack.push(children[at] as Expression);
}

type Rebuild = (child: Expression) => Expression;

/** The same node with its operands replaced; the node itself when none changed. */
export function mapChildren(expression: Expression, f: Rebuild): Expression {
  const before = childrenOf(expression);
  let after: Expression[] | null = null;
  for (let i = 0; i < before.length; i++) {
    const child = before[i] as Expression;
    const rebuilt = f(child);
    if (rebuilt !== child) after ??= before.slice(0, i);
    after?.push(rebuilt);
  }
  return after === null ? expression : withChildren(expression, after);
}

function withChildren(expression: Expression, children: readonly Expression[]): Expression {
  const first = children[0] as Expression;
  const second = children[1] as Expression;
  const third = children[2] as Expression;
  switch (expression.kind) {
    case 'unary':
    case 'address':
    case 'dereference':
    case 'cast':
      return { ...expression, operand: first };
    case 'index':
      return { ...expression, base: first, index: second };
    case 'member':
      return { ...expression, object: first };
    case 'arithmetic':
    case 'pointer-difference':
    case 'comparison':
    case 'logical':
    case 'comma':
      return { ...expression, left: first, right: second };
    case 'pointer-offset':
      return { ...expression, pointer: first, offset: second };
    case 'conditional':
      return expression.then === null
        ? { ...expression, condition: first, otherwise: second }
        : { ...expression, condition: first, then: second, otherwise: third };
    case 'assignment':
    case 'compound-assignment':
      return { ...expression, target: first, value: second };
    case 'increment':
      return { ...expression, target: first };
    case 'call':
      return { ...expression, callee: first, args: children.slice(1) };
    case 'builtin':
      return { ...expression, args: children };
    case 'va-arg':
      return { ...expression, list: first };
    default:
      return expression;
  }
}

/** The left operand of a chain such as a + b + c, along which recursion could be deep. */
export function leftOperand(expression: Expression): Expression | null {
  switch (expression.kind) {
    case 'arithmetic':
    case 'comparison':
    case 'logical':
    case 'comma':
      return expression.left;
    case 'pointer-offset':
      return expression.pointer;
    default:
      return null;
  }
}

/** Rebuilds from the leaves up: `f` gets each node with its operands already rebuilt. */
export function mapExpression(expression: Expression, f: Rebuild): Expression {
  const inner = (child: Expression) => mapExpression(child, f);
  if (leftOperand(expression) === null) return f(mapChildren(expression, inner));
  const spine: Expression[] = [];
  let at = expression;
  for (let next = leftOperand(at); next !== null; next = leftOperand(at)) {
    spine.push(at);
    at = next;
  }
  let result = f(mapChildren(at, inner));
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
    const left = leftOperand(node);
    const done = result;
    result = f(mapChildren(node, (child) => (child === left ? done : inner(child))));
  }
  return result;
}

// ---------------------------------------------------------------- walking

export interface TreeVisitor {
  readonly expression?: (expression: Expression) => void;
  readonly statement?: (statement: Statement) => void;
}

/** Visits every expression below (and those of statement expressions and of compound literals), outer ones first. */
export function walkExpression(expression: Expression, visitor: TreeVisitor): void {
  const stack: Expression[] = [expression];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    visitor.expression?.(at);
    if (at.kind === 'statement-expression') walkStatement(at.body, visitor);
    else if (at.kind === 'compound-literal' && at.symbol.initializer) walkInitializer(at.symbol.initializer, visitor);
    else {
      const children = childrenOf(at);
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Expression);
    }
  }
}

export function walkInitializer(initializer: Initializer, visitor: TreeVisitor): void {
  switch (initializer.kind) {
    case 'scalar':
    case 'characters':
      walkExpression(initializer.value, visitor);
      break;
    case 'array':
    case 'record':
      for (const item of initializer.items) walkInitializer(item.value, visitor);
      break;
  }
}

/** The expressions that stand directly in a statement. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'expression':
      return [statement.expression];
    case 'if':
    case 'while':
    case 'do':
      return [statement.condition];
    case 'for':
      return [statement.condition, statement.step].filter((part) => part !== null);
    case 'switch':
      return [statement.value];
    case 'return':
      return statement.value ? [statement.value] : [];
    case 'computed-goto':
      return [statement.target];
    case 'asm':
      return [...statement.outputs, ...statement.inputs].map((operand) => operand.value);
    default:
      return [];
  }
}

/** The statements directly below a statement, in the order of the text. */
export function statementsOf(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'block':
      return statement.items;
    case 'if':
      return statement.otherwise ? [statement.then, statement.otherwise] : [statement.then];
    case 'while':
    case 'do':
    case 'switch':
      return [statement.body];
    case 'for':
      return [...statement.init, statement.body];
    default:
      return [];
  }
}

/**
 * Visits every statement and expression below, in the order of the text; initializers and cleanups of local variables
 * included.
 */
export function walkStatement(statement: Statement, visitor: TreeVisitor): void {
  const stack: Statement[] = [statement];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    visitAlone(at, visitor);
    pushStatements(at, stack);
  }
}

/**
 * Like `walkStatement`, but a statement that occurs several times in the tree, as copies of loops share them, is
 * visited once.
 */
export function walkStatementOnce(statement: Statement, visitor: TreeVisitor): void {
  walkPlainStatementsOnce(statement, (part) => visitAlone(part, visitor));
}

/** Visits a statement and the expressions in it, but not the statements in it. */
function visitAlone(statement: Statement, visitor: TreeVisitor): void {
  visitor.statement?.(statement);
  switch (statement.kind) {
    case 'expression':
      walkExpression(statement.expression, visitor);
      break;
    case 'block':
    case 'label':
    case 'goto':
      break;
    case 'declaration':
      if (statement.item.kind === 'variable' && statement.item.isDefinition) {
        const { initializer, cleanup } = statement.item.symbol;
        if (initializer) walkInitializer(initializer, visitor);
        if (cleanup) walkExpression(cleanup, visitor);
      }
      break;
    default:
      for (const expression of expressionsOf(statement)) walkExpression(expression, visitor);
  }
}

/** Puts the statements directly below on a stack, the first one on top. */
function pushStatements(statement: Statement, stack: Statement[]): void {
  if (statement.kind === 'expression') return;
  const children = statementsOf(statement);
  for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Statement);
}

/**
 * Visits every statement below, in the order of the text, but not those inside expressions: simplified code has none
 * there. Nor what lies below statements that are not `entered`.
 */
export function walkPlainStatements(
  statement: Statement,
  visit: (statement: Statement) => void,
  entered: (statement: Statement) => boolean = () => true,
): void {
  const stack: Statement[] = [statement];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    visit(at);
    if (at.kind !== 'expression' && entered(at)) pushStatements(at, stack);
  }
}

/** The same, with a statement that occurs several times in the tree visited once. */
export function walkPlainStatementsOnce(statement: Statement, visit: (statement: Statement) => void): void {
  const seen = new Set<Statement>();
  const stack: Statement[] = [statement];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    visit(at);
    pushStatements(at, stack);
  }
}

// ---------------------------------------------------------------- rebuilding statements

export interface StatementRebuild {
  /** Each expression that stands directly in a statement. */
  readonly expression: (expression: Expression) => Expression;
  /** A statement in place of one whose parts are already rebuilt: nothing, one or several. */
  readonly statement: (statement: Statement) => readonly Statement[];
  /** If it is given, statements that occur several times in the tree are rebuilt once, and shared again. */
  readonly rebuilt?: Map<Statement, readonly Statement[]>;
}

/** Rebuilds a block from the inside out. */
export function mapBlock(body: BlockStatement, rebuild: StatementRebuild): BlockStatement {
  const items: Statement[] = [];
  for (let at = 0; at < body.items.length; at++) {
    const parts = mapStatement(body.items[at] as Statement, rebuild);
    for (let i = 0; i < parts.length; i++) items.push(parts[i] as Statement);
  }
  const isSame = items.length === body.items.length && items.every((item, i) => item === body.items[i]);
  return isSame ? body : { ...body, items };
}

export function mapStatement(statement: Statement, rebuild: StatementRebuild): readonly Statement[] {
  const { rebuilt } = rebuild;
  if (rebuilt === undefined) return rebuild.statement(mapParts(statement, rebuild));
  const known = rebuilt.get(statement);
  if (known !== undefined) return known;
  const result = rebuild.statement(mapParts(statement, rebuild));
  rebuilt.set(statement, result);
  return result;
}

function mapParts(statement: Statement, rebuild: StatementRebuild): Statement {
  switch (statement.kind) {
    case 'block':
      return mapBlock(statement, rebuild);
    case 'expression': {
      const expression = rebuild.expression(statement.expression);
      return expression === statement.expression ? statement : { ...statement, expression };
    }
    case 'if':
      return mapIf(statement, rebuild);
    case 'while':
    case 'do':
      return {
        ...statement,
        condition: rebuild.expression(statement.condition),
        body: mapBody(statement.body, rebuild),
      };
    case 'for':
      return {
        ...statement,
        init: statement.init.flatMap((part) => mapStatement(part, rebuild)),
        condition: statement.condition && rebuild.expression(statement.condition),
        step: statement.step && rebuild.expression(statement.step),
        body: mapBody(statement.body, rebuild),
      };
    case 'switch':
      return { ...statement, value: rebuild.expression(statement.value), body: mapBody(statement.body, rebuild) };
    case 'return':
      return statement.value ? { ...statement, value: rebuild.expression(statement.value) } : statement;
    case 'computed-goto':
      return { ...statement, target: rebuild.expression(statement.target) };
    case 'asm': {
      const operand = (part: AsmOperand) => ({ ...part, value: rebuild.expression(part.value) });
      return { ...statement, outputs: statement.outputs.map(operand), inputs: statement.inputs.map(operand) };
    }
    default:
      return statement;
  }
}

function mapBody(body: Statement, rebuild: StatementRebuild): Statement {
  return asOne(mapStatement(body, rebuild), body);
}

type IfStatement = Extract<Statement, { kind: 'if' }>;

/** The arms of `if … else if … else …`, so that a long chain can be looped over. */
export function ifChain(statement: IfStatement): {
  readonly arms: readonly IfStatement[];
  readonly last: Statement | null;
} {
  const arms: IfStatement[] = [statement];
  let last = statement.otherwise;
  while (last?.kind === 'if') {
    arms.push(last);
    last = last.otherwise;
  }
  return { arms, last };
}

function mapIf(statement: IfStatement, rebuild: StatementRebuild): Statement {
  const { arms, last } = ifChain(statement);
  let otherwise: Statement | null = last && mapBody(last, rebuild);
  for (let i = arms.length - 1; i >= 0; i--) {
    const arm = arms[i] as IfStatement;
    const then = mapBody(arm.then, rebuild);
    const condition = rebuild.expression(arm.condition);
    const isSame = condition === arm.condition && then === arm.then && otherwise === arm.otherwise;
    const built: IfStatement = isSame ? arm : { ...arm, condition, then, otherwise };
    if (i === 0) return built;
    otherwise = asOne(rebuild.statement(built), arm);
  }
  return statement;
}

/** Several statements as one: a block, unless there is exactly one. */
export function asOne(statements: readonly Statement[], place: Statement): Statement {
  const only = statements[0];
  if (only !== undefined && statements.length === 1) return only;
  return {
    kind: 'block',
    items: statements,
    loc: place.loc,
    endLoc: place.kind === 'block' ? place.endLoc : place.loc,
  };
}

/** The statements of a body: those of a block, or the one there is. */
export function itemsOf(statement: Statement): readonly Statement[] {
  if (statement.kind === 'block') return statement.items;
  return statement.kind === 'empty' ? [] : [statement];
}
