/**
 * Jumps back into an inner block, or from one branch to another before it, as jumps back to a label of the enclosing
 * block, which unwinding knows how to repeat. A flag then leads on, forward, to where the jump was meant to go:
 *
 *     { inner: f(); }                  lifted: if (to_inner) { to_inner = 0; goto inner; } { inner: f(); }
 *     if (again) goto inner;           if (again) { to_inner = 1; goto lifted; }
 */

import {
  assign,
  block,
  declaration,
  goto,
  ifStatement,
  integer,
  labelStatement,
  variable,
} from '../../program/build-tree.ts';
import type { FreshSymbols, NameScope } from '../../program/fresh-symbols.ts';
import type { BlockStatement, LabelSymbol, Statement, VariableSymbol } from '../../program/tree.ts';
import { intType } from '../../program/type-operations.ts';
import { ifChain, itemsOf } from '../../program/visit-tree.ts';
import type { Loc } from '../../support/source.ts';

/** A place in the tree: the lists of statements around it, from outside, and the index in each. */
type TreePath = readonly { readonly list: object; readonly index: number }[];

/** A label that is jumped back to from outside its block. */
interface Lifted {
  readonly meant: LabelSymbol;
  readonly label: LabelSymbol;
  readonly flag: VariableSymbol;
  /** The list that both the label and the jump are in, and the item before which the new label stands. */
  readonly list: object;
  readonly index: number;
}

export function liftJumps(body: BlockStatement, fresh: FreshSymbols, names: NameScope): BlockStatement {
  const finder = new JumpPlaces();
  finder.visitList(body, body.items, []);
  const lifter = new JumpLifter(fresh, names);
  for (const { statement, place } of finder.jumps) lifter.add(statement, place, finder.labels.get(statement.label));
  return lifter.isIdle ? body : lifter.rebuild(body);
}

type Goto = Extract<Statement, { kind: 'goto' }>;

/** Where labels and the jumps back to them stand. */
class JumpPlaces {
  readonly labels = new Map<LabelSymbol, { readonly place: TreePath; readonly loc: Loc }>();
  /** Only those that come after their label in the text. */
  readonly jumps: { readonly statement: Goto; readonly place: TreePath }[] = [];

  /** The list belongs to the node: a block, or the statement whose only part it is. */
  visitList(node: object, items: readonly Statement[], around: TreePath): void {
    for (const [index, item] of items.entries()) this.#visit(item, [...around, { list: node, index }]);
  }

  #visit(statement: Statement, place: TreePath): void {
    switch (statement.kind) {
      case 'label':
        this.labels.set(statement.label, { place, loc: statement.loc });
        break;
      case 'goto':
        if (this.labels.has(statement.label)) this.jumps.push({ statement, place });
        break;
      case 'block':
        this.visitList(statement, statement.items, place);
        break;
      case 'while':
        this.visitList(statement.body, itemsOf(statement.body), place);
        break;
      case 'if': {
        const { arms, last } = ifChain(statement);
        for (const { then } of arms) this.visitList(then, itemsOf(then), place);
        if (last) this.visitList(last, itemsOf(last), place);
        break;
      }
      default:
        break;
    }
  }
}

class JumpLifter {
  readonly #fresh: FreshSymbols;
  readonly #names: NameScope;
  readonly #lifted: Lifted[] = [];
  readonly #ofJump = new Map<Goto, Lifted>();

  constructor(fresh: FreshSymbols, names: NameScope) {
    this.#fresh = fresh;
    this.#names = names;
  }

  get isIdle(): boolean {
    return this.#lifted.length === 0;
  }

  add(jump: Goto, from: TreePath, target: { readonly place: TreePath; readonly loc: Loc } | undefined): void {
    const to = target?.place ?? [];
    let depth = 0;
    while (depth < to.length && to[depth]?.list === from[depth]?.list) depth++;
    // The label's own list is around the jump: nothing to do.
    const common = to[depth - 1];
    if (!target || !common || depth === to.length) return;
    const { list, index } = common;
    const meant = jump.label;
    const known = this.#lifted.find((one) => one.meant === meant && one.list === list);
    this.#ofJump.set(jump, known ?? this.#lift(meant, list, index, target.loc));
  }

  #lift(meant: LabelSymbol, list: object, index: number, loc: Loc): Lifted {
    const label = this.#fresh.label(this.#names.claim(meant.name), loc);
    const flag = this.#fresh.variable({ name: `__lazuli_to_${label.name}`, type: intType, loc });
    const lifted = { meant, label, flag, list, index };
    this.#lifted.push(lifted);
    return lifted;
  }

  rebuild(body: BlockStatement): BlockStatement {
    const items = this.#list(body, body.items);
    const first = items.findIndex(({ kind }) => kind !== 'declaration');
    const flags = this.#lifted.map(({ flag }) => flag);
    const start = flags.map((flag) => assign(variable(flag, flag.loc), integer(0, flag.loc), flag.loc));
    const parts = [...flags.map(declaration), ...items.slice(0, first), ...start, ...items.slice(first)];
    return block(parts, body.loc, body.endLoc);
  }

  #list(node: object, items: readonly Statement[]): Statement[] {
    const here = this.#lifted.filter(({ list }) => list === node);
    return items.flatMap((item, index) => [
      ...here.filter((lifted) => lifted.index === index).flatMap(landing),
      ...this.#statement(item),
    ]);
  }

  #part(statement: Statement): Statement {
    return block(this.#list(statement, itemsOf(statement)), statement.loc);
  }

  #statement(statement: Statement): Statement[] {
    switch (statement.kind) {
      case 'goto': {
        const lifted = this.#ofJump.get(statement);
        if (!lifted) return [statement];
        const { loc } = statement;
        return [assign(variable(lifted.flag, loc), integer(1, loc), loc), goto(lifted.label, loc)];
      }
      case 'block':
        return [{ ...statement, items: this.#list(statement, statement.items) }];
      case 'while':
        return [{ ...statement, body: this.#part(statement.body) }];
      case 'if': {
        const { arms, last } = ifChain(statement);
        let otherwise = last && this.#part(last);
        for (const arm of arms.toReversed()) otherwise = { ...arm, then: this.#part(arm.then), otherwise };
        return [otherwise as Statement];
      }
      default:
        return [statement];
    }
  }
}

/** Where lifted jumps arrive, and what leads them on. */
function landing({ meant, label, flag }: Lifted): Statement[] {
  const { loc } = label;
  const onwards = [assign(variable(flag, loc), integer(0, loc), loc), goto(meant, loc)];
  return [labelStatement(label, loc), ifStatement(variable(flag, loc), onwards, null, loc)];
}
