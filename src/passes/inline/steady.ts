/** Values that stay what they are while a callee runs, so that they can stand in the place of its parameters. */

import { PRIMITIVES } from '../../program/primitives.ts';
import type { Expression } from '../../program/tree.ts';
import { walkExpression } from '../../program/visit-tree.ts';

/** Larger expressions are better computed once. */
const NODE_LIMIT = 12;

/** Whether nothing that a callee does can change the value: constants, addresses, private variables of the caller. */
export function isSteady(value: Expression): boolean {
  let steady = true;
  let nodes = 0;
  walkExpression(value, {
    expression: (node) => {
      if (++nodes > NODE_LIMIT) steady = false;
      switch (node.kind) {
        case 'integer':
        case 'float':
        case 'string':
        case 'function':
        case 'cast':
        case 'address':
        case 'member':
        case 'unary':
        case 'arithmetic':
        case 'comparison':
        case 'pointer-offset':
          break;
        case 'builtin':
          if (node.name !== PRIMITIVES.self) steady = false;
          break;
        case 'variable':
          break;
        default:
          steady = false;
      }
    },
  });
  return steady && readsOnlyPrivate(value);
}

/** Every variable is either private, or mentioned for its address only. */
function readsOnlyPrivate(value: Expression): boolean {
  switch (value.kind) {
    case 'variable':
      return value.symbol.duration === 'automatic' && !value.symbol.addressTaken;
    case 'address':
      return isFixedPlace(value.operand);
    case 'cast':
      return value.castKind === 'array-to-pointer' ? isFixedPlace(value.operand) : readsOnlyPrivate(value.operand);
    case 'unary':
      return readsOnlyPrivate(value.operand);
    case 'arithmetic':
    case 'comparison':
      return readsOnlyPrivate(value.left) && readsOnlyPrivate(value.right);
    case 'pointer-offset':
      return readsOnlyPrivate(value.pointer) && readsOnlyPrivate(value.offset);
    case 'member':
      return false;
    default:
      return true;
  }
}

function isFixedPlace(lvalue: Expression): boolean {
  let at = lvalue;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'variable' || at.kind === 'function' || at.kind === 'string';
}
