/**
 * Before a function is lowered: where its labels stand (which blocks enclose them, so that a `goto` knows which objects
 * it leaves), and which declarations some jump passes by (`switch (x) { int y; case 1: … }`): their variables must
 * exist from the start.
 */

import type { BlockStatement, LabelSymbol, Statement, VariableSymbol } from './tree.ts';

export interface JumpScopes {
  /** The blocks and `for` statements around each label. */
  readonly labelScopes: ReadonlyMap<LabelSymbol, ReadonlySet<object>>;
  /** Variables whose declaration a jump may pass by. */
  readonly skipped: ReadonlySet<VariableSymbol>;
}

/** A position: the blocks around it, from the outside in, and the index of the item in each. */
type Chain = readonly { readonly node: object; readonly index: number }[];

interface Walk {
  readonly labels: Map<LabelSymbol, Chain>;
  readonly gotos: { readonly chain: Chain; readonly label: LabelSymbol }[];
  /** They may go to any label. */
  readonly computedGotos: Chain[];
  /** Jumps whose target's position is known at once: from a switch to a case. */
  readonly jumps: { readonly from: Chain; readonly to: Chain }[];
}

export function findJumpScopes(body: BlockStatement): JumpScopes {
  const walk: Walk = { labels: new Map(), gotos: [], computedGotos: [], jumps: [] };
  visit(body, [], null, walk);
  const skipped = new Set<VariableSymbol>();
  for (const { from, to } of walk.jumps) collectSkipped(from, to, skipped);
  for (const { chain, label } of walk.gotos) collectSkipped(chain, walk.labels.get(label) ?? [], skipped);
  for (const from of walk.computedGotos) {
    for (const to of walk.labels.values()) collectSkipped(from, to, skipped);
  }
  const labelScopes = new Map<LabelSymbol, ReadonlySet<object>>();
  for (const [label, chain] of walk.labels) labelScopes.set(label, new Set(chain.map((step) => step.node)));
  return { labelScopes, skipped };
}

function visit(statement: Statement, chain: Chain, switchChain: Chain | null, walk: Walk): void {
  switch (statement.kind) {
    case 'block':
      statement.items.forEach((item, index) => {
        visit(item, [...chain, { node: statement, index }], switchChain, walk);
      });
      break;
    case 'if':
      visitIf(statement, chain, switchChain, walk);
      break;
    case 'while':
    case 'do':
      visit(statement.body, chain, switchChain, walk);
      break;
    case 'for':
      visit(statement.body, [...chain, { node: statement, index: statement.init.length }], switchChain, walk);
      break;
    case 'switch':
      visit(statement.body, chain, chain, walk);
      break;
    case 'case':
    case 'default':
      if (switchChain) walk.jumps.push({ from: switchChain, to: chain });
      break;
    case 'label':
      walk.labels.set(statement.label, chain);
      break;
    case 'goto':
      walk.gotos.push({ chain, label: statement.label });
      break;
    case 'computed-goto':
      walk.computedGotos.push(chain);
      break;
    default:
      break;
  }
}

function visitIf(first: Statement, chain: Chain, switchChain: Chain | null, walk: Walk): void {
  let statement: Statement | null = first;
  while (statement?.kind === 'if') {
    visit(statement.then, chain, switchChain, walk);
    statement = statement.otherwise;
  }
  if (statement) visit(statement, chain, switchChain, walk);
}

/** Declarations that stand before the target in its blocks and not before the jump. */
function collectSkipped(from: Chain, to: Chain, skipped: Set<VariableSymbol>): void {
  to.forEach(({ node, index }, depth) => {
    const passed = from[depth]?.node === node ? (from[depth]?.index ?? -1) : -1;
    const items = 'items' in node ? (node as BlockStatement).items : [];
    for (let i = passed + 1; i < index; i++) {
      const item = items[i];
      if (item?.kind !== 'declaration' || item.item.kind !== 'variable') continue;
      if (item.item.symbol.duration === 'automatic') skipped.add(item.item.symbol);
    }
  });
}
