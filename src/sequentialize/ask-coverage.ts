/**
 * The question what a bounded verdict speaks of: which bounds cut executions off, and which assertions of the program's
 * own text executions come to. It is asked of a program of its own, in which whatever can be violated has gone, every
 * cut is an assertion that fails where something is cut, and a mark, an assertion that always fails, stands wherever an
 * execution has come to an assertion (program/find-assertions.ts). A backend that says which assertions fail so says
 * what was covered.
 *
 * Marks are set before the passes, while each assertion is where the user wrote it and no constant has decided anything
 * yet. After what they are about has been evaluated, for evaluating it may be cut off as well.
 */

import { type BoundedProgram, mapThreads } from '../program/bounded-program.ts';
import { block, expressionStatement, integer } from '../program/build-tree.ts';
import type { Code } from '../program/code.ts';
import type { AssertionSite } from '../program/find-assertions.ts';
import { assert, assume, boundOf, primitiveCall } from '../program/primitives.ts';
import { textOfString } from '../program/string-text.ts';
import type { Expression, Program, Statement, TopLevelItem } from '../program/tree.ts';
import { expressionsOf, mapBlock, walkExpression, walkInitializer } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';

/** The first words of what a backend is told of these assertions. */
const REACHED = 'reached';
const CUT = 'cut';

/** Numbers of strings that neither the front end nor the passes give. */
const FIRST_STRING = 2 ** 45;

/** The program with a mark for each of these assertions. */
export function markAssertions(program: Program, code: Code, sites: readonly AssertionSite[]): Program {
  const sitesAt = new Map<Loc, Set<number>>();
  for (const [site, { points }] of sites.entries()) {
    for (const point of points) {
      const loc = code.functions[point.function]?.instructions[point.pc]?.loc;
      if (loc !== undefined) sitesAt.set(loc, (sitesAt.get(loc) ?? new Set()).add(site));
    }
  }
  const marker = new Marker(sitesAt);
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    return { ...item, definition: { ...item.definition, body: mapBlock(item.definition.body, marker.rebuild) } };
  });
  return { ...program, items };
}

class Marker {
  readonly #sitesAt: ReadonlyMap<Loc, ReadonlySet<number>>;
  #nextString = FIRST_STRING;

  constructor(sitesAt: ReadonlyMap<Loc, ReadonlySet<number>>) {
    this.#sitesAt = sitesAt;
  }

  readonly rebuild = {
    expression: (expression: Expression) => expression,
    statement: (statement: Statement) => this.#statement(statement),
  };

  #statement(statement: Statement): readonly Statement[] {
    const marks = this.#marksFor(statement);
    if (marks.length === 0) return [statement];
    const withMarks = (body: Statement | null) => block([...marks, ...(body ? [body] : [])], statement.loc);
    switch (statement.kind) {
      case 'if':
        return [{ ...statement, then: withMarks(statement.then), otherwise: withMarks(statement.otherwise) }];
      case 'while':
      case 'for':
        return [{ ...statement, body: withMarks(statement.body) }, ...marks];
      case 'return':
      case 'switch':
      case 'computed-goto':
        return [...marks, statement];
      default:
        return [statement, ...marks];
    }
  }

  #marksFor(statement: Statement): Statement[] {
    const found = new Set(statement.kind === 'label' ? this.#sitesAt.get(statement.loc) : []);
    const visitor = {
      expression: ({ loc }: Expression) => {
        for (const site of this.#sitesAt.get(loc) ?? []) found.add(site);
      },
    };
    for (const expression of expressionsOf(statement)) walkExpression(expression, visitor);
    if (statement.kind === 'declaration' && statement.item.kind === 'variable') {
      const { initializer } = statement.item.symbol;
      if (initializer) walkInitializer(initializer, visitor);
    }
    return [...found].map((site) => this.#mark(site, statement.loc));
  }

  #mark(site: number, loc: Loc): Statement {
    const condition = integer(0, loc);
    return expressionStatement(
      assert(condition, REACHED, `${site}`, () => this.#nextString++, loc),
      loc,
    );
  }
}

/** The bounded program with nothing but marks and cuts to be violated. */
export function askCoverage(bounded: BoundedProgram): BoundedProgram {
  const stringId = () => bounded.fresh.id();
  const statement = (each: Statement): readonly Statement[] => {
    const found = primitiveCall(each);
    if (found?.primitive === 'assert') return isMark(found.call.args[1]) ? [each] : [];
    const bound = found && boundOf(found);
    if (!bound) return [each];
    const message = `${each.loc} ${bound.what}`;
    return [
      expressionStatement(assert(bound.condition, CUT, message, stringId, each.loc), each.loc),
      assume(bound.condition, each.loc),
    ];
  };
  const rebuild = { expression: (expression: Expression) => expression, statement, rebuilt: new Map() };
  return mapThreads(bounded, ({ function: definition }) => {
    return { ...definition, body: mapBlock(definition.body, rebuild) };
  });
}

function isMark(check: Expression | undefined): boolean {
  let at = check;
  while (at?.kind === 'cast') at = at.operand;
  return at?.kind === 'string' && textOfString(at) === REACHED;
}

export interface FoundCut {
  /** `loop main.0`, `recursion of f`, … */
  readonly what: string;
  readonly loc: Loc;
}

/** What the messages of the assertions that fail say. */
export function readCoverage(failing: Iterable<string>): {
  readonly reached: ReadonlySet<number>;
  readonly cuts: readonly FoundCut[];
} {
  const reached = new Set<number>();
  const cuts = new Map<string, FoundCut>();
  for (const message of failing) {
    const [, site] = /^reached: (\d+)$/.exec(message) ?? [];
    const [, loc, what = ''] = /^cut: (-?\d+) (.*)$/.exec(message) ?? [];
    if (site !== undefined) reached.add(Number(site));
    if (loc !== undefined) cuts.set(message, { what, loc: Number(loc) as Loc });
  }
  return { reached, cuts: [...cuts.values()] };
}
