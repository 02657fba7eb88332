/**
 * Checks the conventions of tree.ts on a whole program: types of operands and of assignments, labels that exist and
 * stand once, local variables that are declared in their function. Passes are validated by it in tests. It returns what
 * is wrong as texts, the first of each kind at each function; an empty list means that all is well.
 *
 * Left out: what only a type checker can say, such as whether a cast makes sense.
 */

import type { Expression, FunctionDefinition, LabelSymbol, Program, Statement, VariableSymbol } from './tree.ts';
import { isScalar, sameType, unqualified } from './type-operations.ts';
import type { Type } from './types.ts';
import { walkStatement } from './visit-tree.ts';

export function validateTree(program: Program): string[] {
  return program.items.flatMap((item) => (item.kind === 'function' ? validateFunction(item.definition) : []));
}

function validateFunction(definition: FunctionDefinition): string[] {
  const problems = new Set<string>();
  const report = (what: string) => problems.add(`${definition.symbol.name}: ${what}`);
  const declared = new Set<VariableSymbol>(definition.parameters);
  const placed = new Set<LabelSymbol>();
  const mentioned = new Set<VariableSymbol>();
  const jumps = new Set<LabelSymbol>();
  walkStatement(definition.body, {
    statement: (statement) => validateStatement(statement, declared, placed, jumps, report),
    expression: (node) => {
      if (node.kind === 'variable') mentioned.add(node.symbol);
      if (node.kind === 'compound-literal') declared.add(node.symbol);
      const fault = faultOf(node);
      if (fault) report(fault);
    },
  });
  for (const symbol of mentioned) {
    const isLocal = symbol.duration === 'automatic' || symbol.linkage === 'none';
    if (isLocal && !declared.has(symbol)) report(`the local variable ${symbol.name} is not declared`);
  }
  for (const label of jumps) if (!placed.has(label)) report(`the label ${label.name} is jumped to and stands nowhere`);
  return [...problems];
}

function validateStatement(
  statement: Statement,
  declared: Set<VariableSymbol>,
  placed: Set<LabelSymbol>,
  jumps: Set<LabelSymbol>,
  report: (what: string) => void,
): void {
  if (statement.kind === 'declaration' && statement.item.kind === 'variable') {
    const { symbol } = statement.item;
    if (declared.has(symbol) && symbol.duration === 'automatic') report(`${symbol.name} is declared twice`);
    declared.add(symbol);
  }
  if (statement.kind === 'goto') jumps.add(statement.label);
  if (statement.kind === 'label') {
    if (placed.has(statement.label)) report(`the label ${statement.label.name} stands twice`);
    placed.add(statement.label);
  }
}

function same(left: Type, right: Type): boolean {
  return sameType(unqualified(left), unqualified(right));
}

/** What is wrong with the node itself, its operands being right. */
function faultOf(node: Expression): string | null {
  switch (node.kind) {
    case 'assignment':
      return isScalar(node.target.type) && !same(node.target.type, node.value.type)
        ? 'a value assigned that has another type than its target'
        : null;
    case 'arithmetic': {
      const isShift = node.operator === '<<' || node.operator === '>>';
      if (!isShift && !same(node.left.type, node.right.type)) return `operands of ${node.operator} of different types`;
      return same(node.left.type, node.type) ? null : `a result of ${node.operator} of another type than its operands`;
    }
    case 'comparison':
      return isScalar(node.left.type) && isScalar(node.right.type)
        ? null
        : 'a comparison of something that is no scalar';
    case 'dereference':
      return node.operand.type.kind === 'pointer' ? null : 'a dereference of something that is no pointer';
    case 'index':
      return node.base.type.kind === 'pointer' ? null : 'an element of something that is no pointer';
    case 'member':
      return node.object.type.kind === 'record' ? null : 'a member of something that is no record';
    case 'pointer-offset':
      return node.pointer.type.kind === 'pointer' ? null : 'an offset to something that is no pointer';
    case 'call': {
      const { type } = node.callee;
      const target = type.kind === 'pointer' ? type.target : type;
      return target.kind === 'function' ? null : 'a call of something that is no function';
    }
    default:
      return null;
  }
}
