/**
 * Forward jumps over the rest of a list as branches: `if (c) { A; goto end; } B; end:` is
 * `if (c) { A; } else { B; } end:`. Such jumps come from `return` in inlined functions and from `continue`. A loop's
 * body without jumps is the same in all its copies, which later passes then treat once, and executions meet again
 * without a guard. Labels that nothing jumps to go.
 *
 * What moves into a branch must not be the target of a jump from elsewhere, and has no loops, all copies of which would
 * stand further to the right for one jump less. Left out: the jumps of a `switch`, for the first reason, and `break`. A
 * branch is not nested deeper than `DEPTH_LIMIT`, so that a function with hundreds of `return` stays readable.
 */

import { block } from '../program/build-tree.ts';
import type { FunctionDefinition, LabelSymbol, Program, Statement, TopLevelItem } from '../program/tree.ts';
import { ifChain, itemsOf, walkPlainStatements } from '../program/visit-tree.ts';
import { largestOf } from '../support/push-all.ts';
import { buildIf } from './build-if.ts';
import { countJumps, isEntered, type JumpCounts } from './find-jumps.ts';

type If = Extract<Statement, { kind: 'if' }>;

/** A label, or the loop whose next iteration `continue` leads to. */
type Target = LabelSymbol | 'next';

const DEPTH_LIMIT = 16;
const NOWHERE_NEAR: ReadonlySet<Target> = new Set();
const NEXT: ReadonlySet<Target> = new Set(['next']);

export function straightenJumps(program: Program): Program {
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    return { ...item, definition: new Straightener(item.definition).run() };
  });
  return { ...program, items };
}

class Straightener {
  readonly #definition: FunctionDefinition;
  /** How many jumps lead to each label. */
  readonly #jumps: JumpCounts;
  readonly #depths = new Map<Statement, number>();

  constructor(definition: FunctionDefinition) {
    this.#definition = definition;
    this.#jumps = countJumps([definition.body]);
  }

  run(): FunctionDefinition {
    const { body } = this.#definition;
    if (containsComputed(body)) return this.#definition;
    const straight = this.#items(body.items, NOWHERE_NEAR);
    return { ...this.#definition, body: block(this.#withoutUnusedLabels(straight), body.loc, body.endLoc) };
  }

  /** `after` are the labels that control comes to next when it runs off the end of the list. */
  #items(items: readonly Statement[], after: ReadonlySet<Target>): Statement[] {
    // From the end, in reverse order: what follows is straight already.
    const rest: Statement[] = [];
    for (let at = items.length - 1; at >= 0; at--) {
      const item = items[at] as Statement;
      const next = nextTargets(rest, after);
      if (isJumpTo(item, next)) this.#forget(item);
      else if (item.kind === 'if') rest.push(this.#absorb(this.#if(item, next), rest, after));
      else if (item.kind === 'block') rest.push({ ...item, items: this.#items(item.items, next) });
      else if (item.kind === 'while')
        rest.push({ ...item, body: block(this.#items(itemsOf(item.body), NEXT), item.body.loc) });
      else rest.push(item);
    }
    return rest.reverse();
  }

  #if(statement: If, next: ReadonlySet<Target>): If {
    const { arms, last } = ifChain(statement);
    let otherwise: Statement | null = last && block(this.#items(itemsOf(last), next), last.loc);
    if (otherwise?.kind === 'block' && otherwise.items.length === 0) otherwise = null;
    for (const arm of arms.toReversed()) {
      otherwise = { ...arm, then: block(this.#items(itemsOf(arm.then), next), arm.then.loc), otherwise };
    }
    return otherwise as If;
  }

  #forget(jump: Statement): void {
    if (jump.kind === 'goto') this.#jumps.set(jump.label, (this.#jumps.get(jump.label) ?? 1) - 1);
  }

  /**
   * Takes what one branch of `statement` jumps over from the rest of the list (which is in reverse order) and puts it
   * into the other branch.
   */
  #absorb(statement: If, rest: Statement[], after: ReadonlySet<Target>): If {
    const then = itemsOf(statement.then);
    const otherwise = statement.otherwise ? itemsOf(statement.otherwise) : [];
    const jumpsFromThen = isJump(then.at(-1));
    const jump = jumpsFromThen ? then.at(-1) : otherwise.at(-1);
    if (jump === undefined || !isJump(jump) || (jumpsFromThen && isJump(otherwise.at(-1)))) return statement;
    const from = findTarget(rest, jump, after);
    if (from === null) return statement;
    const skipped = rest.slice(from);
    if (skipped.length === 0 || skipped.some(containsLoop) || isEntered(skipped, this.#jumps)) return statement;
    const depth = 1 + largestOf(skipped.map((item) => this.#depths.get(item) ?? 0));
    if (depth > DEPTH_LIMIT) return statement;
    rest.length = from;
    this.#forget(jump);
    const other = [...(jumpsFromThen ? otherwise : then), ...skipped.reverse()];
    // At the end of the branch control now comes to the target.
    const straight = this.#items(other, nextTargets(rest, after));
    const short = (jumpsFromThen ? then : otherwise).slice(0, -1);
    const [thenNow, otherwiseNow] = jumpsFromThen ? [short, straight] : [straight, short];
    if (thenNow.length === 0 && otherwiseNow.length === 0) return { ...statement, then: block([], statement.loc) };
    const result = buildIf(statement, statement.condition, thenNow, otherwiseNow);
    this.#depths.set(result, depth);
    return result;
  }

  #withoutUnusedLabels(items: readonly Statement[]): Statement[] {
    const out: Statement[] = [];
    for (const item of items) {
      if (item.kind === 'label' && (this.#jumps.get(item.label) ?? 0) <= 0) continue;
      out.push(this.#withoutUnusedInside(item));
    }
    return out;
  }

  #withoutUnusedInside(statement: Statement): Statement {
    switch (statement.kind) {
      case 'block':
        return { ...statement, items: this.#withoutUnusedLabels(statement.items) };
      case 'while':
        return { ...statement, body: this.#withoutUnusedInside(statement.body) };
      case 'if': {
        const { arms, last } = ifChain(statement);
        let otherwise = last && this.#withoutUnusedInside(last);
        for (const arm of arms.toReversed()) {
          otherwise = { ...arm, then: this.#withoutUnusedInside(arm.then), otherwise };
        }
        return otherwise as Statement;
      }
      default:
        return statement;
    }
  }
}

/** The labels at the head of a list in reverse order, and those behind it if it has nothing else. */
function nextTargets(rest: readonly Statement[], after: ReadonlySet<Target>): ReadonlySet<Target> {
  let found: Set<Target> | null = null;
  for (let at = rest.length - 1; at >= 0; at--) {
    const item = rest[at] as Statement;
    if (item.kind !== 'label') return found ?? NOWHERE_NEAR;
    found ??= new Set();
    found.add(item.label);
  }
  return found ? new Set([...found, ...after]) : after;
}

function isJump(statement: Statement | undefined): boolean {
  return statement?.kind === 'goto' || statement?.kind === 'continue';
}

function isJumpTo(statement: Statement, targets: ReadonlySet<Target>): boolean {
  if (statement.kind === 'continue') return targets.has('next');
  return statement.kind === 'goto' && targets.has(statement.label);
}

/** The index in a list in reverse order behind which everything is jumped over; null if the target is elsewhere. */
function findTarget(rest: readonly Statement[], jump: Statement, after: ReadonlySet<Target>): number | null {
  if (jump.kind === 'goto') {
    const at = rest.findLastIndex((item) => item.kind === 'label' && item.label === jump.label);
    if (at >= 0) return at + 1;
  }
  return isJumpTo(jump, after) ? 0 : null;
}

function containsLoop(statement: Statement): boolean {
  let found = false;
  walkPlainStatements(statement, ({ kind }) => {
    if (kind === 'while') found = true;
  });
  return found;
}

/** Jumps whose targets the text does not show. */
function containsComputed(body: Statement): boolean {
  let found = false;
  walkPlainStatements(body, ({ kind }) => {
    if (kind === 'computed-goto' || kind === 'asm' || kind === 'switch') found = true;
  });
  return found;
}
