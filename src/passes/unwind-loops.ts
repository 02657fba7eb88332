/**
 * Copies the bodies of loops, so that all jumps go forward and each statement runs at most once. After the last copy
 * the condition is evaluated once more, and executions that would go on are cut off.
 *
 * How many copies: what `unwindset` says of the loop, or the number of iterations if the text or constants give it
 * away, or the bound for its form. A label that a later `goto` jumps back to is a loop as well: from the label to the
 * last such jump.
 *
 * With `keepLoops` only loops in which a thread is created are unwound, so that each place that creates one does so
 * once.
 *
 * The first copy keeps the labels of the body, so that jumps into it from outside enter the first iteration; later
 * copies have labels of their own. Inner loops are unwound before outer ones.
 */

import type { LoopInfo } from '../program/bounded-program.ts';
import { iterationBound } from '../program/bounds.ts';
import { block, goto, ifStatement, labelStatement, negated } from '../program/build-tree.ts';
import { evaluateConstant, isTrue } from '../program/evaluate-constant.ts';
import { NameScope } from '../program/fresh-symbols.ts';
import { assumeWithinBound, isPrimitiveStatement } from '../program/primitives.ts';
import type { Expression, FunctionDefinition, LabelSymbol, Program, Statement, TopLevelItem } from '../program/tree.ts';
import { ifChain, itemsOf, walkPlainStatements } from '../program/visit-tree.ts';
import { invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import { copyStatement } from './copy-statement.ts';
import { cutOff } from './cut-off.ts';
import { backwardTargets, countJumps, isEntered, type JumpCounts, JumpFinder, PartFinder } from './find-jumps.ts';
import { groupAlike } from './group-alike.ts';
import type { PassContext } from './pass.ts';
import { countIterations } from './unwind/count-iterations.ts';
import { liftJumps } from './unwind/lift-jumps.ts';
import { endsInBreak } from './unwind/loop-head.ts';

type While = Extract<Statement, { kind: 'while' }>;

/** More statements than this and the result helps nobody. */
const STATEMENT_LIMIT = 1_000_000;

/** From so many copies on, what they have in common is grouped. */
const MANY_COPIES = 8;

export function unwindLoops(program: Program, context: PassContext): Program {
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    const unwinder = new Unwinder(item.definition, program, context);
    return { ...item, definition: unwinder.run() };
  });
  return { ...program, items };
}

class Unwinder {
  readonly #definition: FunctionDefinition;
  readonly #program: Program;
  readonly #context: PassContext;
  readonly #names: NameScope;
  readonly #jumps = new JumpFinder();
  readonly #spawns = new PartFinder((part) => (isPrimitiveStatement(part, 'spawn') ? 1 : 0));
  /** Of the whole function, before anything is copied. */
  readonly #allJumps: JumpCounts;
  #count = 0;

  constructor(definition: FunctionDefinition, program: Program, context: PassContext) {
    this.#definition = definition;
    this.#program = program;
    this.#context = context;
    const names: string[] = [];
    walkPlainStatements(definition.body, (statement) => {
      if (statement.kind === 'label') names.push(statement.label.name);
    });
    this.#names = new NameScope(names);
    this.#allJumps = countJumps([definition.body]);
  }

  run(): FunctionDefinition {
    if (this.#isKept([this.#definition.body])) return this.#definition;
    const body = liftJumps(this.#definition.body, this.#context.fresh, this.#names);
    const unwound = block(this.#items(body.items), body.loc, body.endLoc);
    const isForward = this.#context.options.keepLoops || backwardTargets(unwound, this.#jumps).size === 0;
    invariant(isForward, 'all jumps go forward after unwinding');
    return { ...this.#definition, body: unwound };
  }

  /** Whether what repeats these statements stays as it is. */
  #isKept(items: readonly Statement[]): boolean {
    return this.#context.options.keepLoops && !items.some((item) => this.#spawns.find(item) !== 0);
  }

  #items(items: readonly Statement[]): Statement[] {
    const unwound = items.flatMap((item, at) =>
      item.kind === 'while' ? this.#while(item, items.slice(0, at)) : this.#statement(item),
    );
    return this.#unwindGotos(unwound);
  }

  #statement(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case 'block':
        return [{ ...statement, items: this.#items(statement.items) }];
      case 'if': {
        const { arms, last } = ifChain(statement);
        let otherwise = last ? this.#items(itemsOf(last)) : [];
        const built = arms.map((arm) => ({ arm, then: this.#items(itemsOf(arm.then)) }));
        for (const { arm, then } of built.reverse()) {
          otherwise = [ifStatement(arm.condition, then, otherwise, arm.loc)];
        }
        return otherwise;
      }
      default:
        return [statement];
    }
  }

  // -------------------------------------------------------------- how often

  /** What is known of a loop, with what constants tell of this copy of it. */
  #infoOf(loop: While, before: readonly Statement[]): LoopInfo | null {
    const info = this.#context.loops.get(loop.loc) ?? null;
    if (info === null || info.tripCount !== null || !this.#context.options.unwindConstantLoops) return info;
    if (isEntered(itemsOf(loop.body), this.#allJumps)) return info;
    return { ...info, tripCount: countIterations(before, loop, this.#program.dataModel) };
  }

  #grow(size: number, loc: Loc): void {
    const before = this.#count;
    this.#count += size;
    if (before < STATEMENT_LIMIT && this.#count >= STATEMENT_LIMIT) {
      this.#context.sink.error(
        loc,
        'too-large',
        'the program is too large once its loops are unwound; lower the bound',
      );
    }
  }

  /** Loops that are not in the source have no name. */
  #bound(info: LoopInfo | null): number {
    const { options } = this.#context;
    return info ? iterationBound(info, options) : options.unwind;
  }

  // -------------------------------------------------------------- while

  #while(loop: While, before: readonly Statement[]): readonly Statement[] {
    if (this.#isKept([loop])) return [loop];
    const { loc, condition } = loop;
    const info = this.#infoOf(loop, before);
    const body = this.#items(itemsOf(loop.body));
    const end = this.#newLabel('loop_end', loc);
    const bound = this.#bound(info);
    const out: Statement[] = [];
    const needsNext = hasContinue(body);
    const size = countStatements(body);
    // A loop that is entered at its head only surely passes the test as often as its text says.
    const isCounted = info?.tripCount != null && bound <= info.tripCount;
    const needsTest = !isCounted || body.some((item) => this.#jumps.hasLabels(item));
    const test = needsTest ? this.#test(condition, end, loc) : [];
    const whole = [...test, ...(bound < MANY_COPIES ? body : groupAlike(body, this.#jumps))];
    for (let copy = 0; copy < bound && this.#count < STATEMENT_LIMIT; copy++) {
      const next = needsNext ? this.#newLabel('loop_next', loc) : null;
      for (const item of this.#copy(whole, copy > 0, end, next)) out.push(item);
      if (next) out.push(labelStatement(next, loc));
      this.#grow(size, loc);
    }
    pushAll(out, this.#cut(loop, body, end, info));
    out.push(labelStatement(end, loc));
    return dropUnusedLabel(out, end, this.#jumps);
  }

  #test(condition: Expression, end: LabelSymbol, loc: Loc): Statement[] {
    const constant = evaluateConstant(condition, this.#program.dataModel);
    if (constant && isTrue(constant)) return [];
    return [ifStatement(negated(condition, loc), [goto(end, loc)], null, loc)];
  }

  /** After the last copy: whoever would go on is cut off. */
  #cut(loop: While, body: readonly Statement[], end: LabelSymbol, info: LoopInfo | null): readonly Statement[] {
    const { loc, condition } = loop;
    const what = `loop ${info?.name ?? ''}`;
    if (info?.tripCount != null && this.#bound(info) >= info.tripCount) return [];
    const constant = evaluateConstant(condition, this.#program.dataModel);
    if (!constant) {
      if (!this.#context.options.unwindingAssertions) {
        return [assumeWithinBound(negated(condition, loc), what, () => this.#context.fresh.id(), loc)];
      }
      return [...this.#test(condition, end, loc), ...cutOff(this.#context, what, loc)];
    }
    const [head] = body;
    const runsHead = head?.kind === 'block' && endsInBreak(head.items);
    const again = runsHead ? this.#copy(head.items, true, end, null) : [];
    return [...again, ...cutOff(this.#context, what, loc)];
  }

  #newLabel(name: string, loc: Loc): LabelSymbol {
    return this.#context.fresh.label(this.#names.claim(name), loc);
  }

  // -------------------------------------------------------------- copies

  /** A copy in which `break` and `continue` of this loop are jumps. Without `next`, there is no `continue`. */
  #copy(items: readonly Statement[], freshLabels: boolean, end: LabelSymbol, next: LabelSymbol | null): Statement[] {
    const labels = freshLabels ? this.#renameLabels(items) : new Map<LabelSymbol, LabelSymbol>();
    return items.map((item) => copyStatement(item, { jumps: this.#jumps, labels, end, next }));
  }

  #renameLabels(items: readonly Statement[]): Map<LabelSymbol, LabelSymbol> {
    const renamed = new Map<LabelSymbol, LabelSymbol>();
    for (const item of items) {
      if (!this.#jumps.hasJumps(item)) continue;
      walkPlainStatements(item, (statement) => {
        if (statement.kind === 'label')
          renamed.set(statement.label, this.#newLabel(statement.label.name, statement.loc));
      });
    }
    return renamed;
  }

  // -------------------------------------------------------------- goto

  /** Regions from a label to the last jump back to it, the innermost (last) label first. */
  #unwindGotos(items: Statement[]): Statement[] {
    let current = items;
    let lastJumps = findLastJumps(current, this.#jumps);
    for (let at = current.length - 1; at >= 0; at--) {
      const item = current[at];
      if (item?.kind !== 'label') continue;
      const last = lastJumps.get(item.label) ?? -1;
      if (last <= at) continue;
      const region = current.slice(at + 1, last + 1);
      if (this.#isKept(region)) continue;
      current = [...current.slice(0, at), ...this.#repeat(item.label, region, item.loc), ...current.slice(last + 1)];
      lastJumps = findLastJumps(current, this.#jumps);
    }
    return current;
  }

  #repeat(label: LabelSymbol, region: readonly Statement[], loc: Loc): Statement[] {
    const info = this.#context.loops.get(loc) ?? null;
    const out: Statement[] = [labelStatement(label, loc)];
    // One pass more than jumps lead back.
    const passes = 1 + this.#bound(info);
    const after = this.#newLabel(`${label.name}_after`, loc);
    let last = label;
    const size = countStatements(region);
    for (let copy = 0; copy < passes && this.#count < STATEMENT_LIMIT; copy++) {
      const again = this.#newLabel(label.name, loc);
      const labels = copy > 0 ? this.#renameLabels(region) : new Map<LabelSymbol, LabelSymbol>();
      labels.set(label, again);
      const iteration = region.map((item) =>
        copyStatement(item, { jumps: this.#jumps, labels, end: null, next: null }),
      );
      pushAll(out, iteration);
      out.push(goto(after, loc), labelStatement(again, loc));
      this.#grow(size, loc);
      last = again;
    }
    pushAll(out, cutOff(this.#context, `loop ${info?.name ?? last.name}`, loc));
    out.push(labelStatement(after, loc));
    return out;
  }
}

function countStatements(items: readonly Statement[]): number {
  let size = 0;
  for (const item of items) walkPlainStatements(item, () => size++);
  return size;
}

function hasContinue(items: readonly Statement[]): boolean {
  return items.some((item) => contains(item, (statement) => statement.kind === 'continue'));
}

function contains(statement: Statement, test: (part: Statement) => boolean): boolean {
  let found = false;
  walkPlainStatements(statement, (part) => {
    if (test(part)) found = true;
  });
  return found;
}

/** For each label that is jumped to, the index of the last item that does so. */
function findLastJumps(items: readonly Statement[], jumps: JumpFinder): Map<LabelSymbol, number> {
  const last = new Map<LabelSymbol, number>();
  items.forEach((item, at) => {
    if (!jumps.hasJumps(item)) return;
    walkPlainStatements(item, (part) => {
      if (part.kind === 'goto') last.set(part.label, at);
    });
  });
  return last;
}

function dropUnusedLabel(items: Statement[], label: LabelSymbol, jumps: JumpFinder): Statement[] {
  const leadsThere = (part: Statement) => part.kind === 'goto' && part.label === label;
  const isUsed = items.some((item) => jumps.hasJumps(item) && contains(item, leadsThere));
  return isUsed ? items : items.slice(0, -1);
}
