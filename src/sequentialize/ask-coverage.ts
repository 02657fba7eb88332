/**
 * The question what a bounded verdict speaks of: which bounds cut executions off, which assertions of the program's own
 * text executions come to, and whether any comes to its end. It is asked of a program of its own, in which whatever can
 * be violated has gone, every cut is an assertion that fails where something is cut, and a mark, an assertion that
 * always fails, stands wherever an execution has come to an assertion (program/find-assertions.ts). A backend that says
 * which assertions fail so says what was covered.
 *
 * Marks are set before the passes, while each assertion is where the user wrote it and no constant has decided anything
 * yet. After what they are about has been evaluated, for evaluating it may be cut off as well. (Those of an end stand
 * before it, and also where threads end other than main: a program may be said to end that does not.)
 */

import { type BoundedProgram, mapThreads } from '../program/bounded-program.ts';
import { block, expressionStatement, integer } from '../program/build-tree.ts';
import type { Code } from '../program/code.ts';
import type { AssertionSite } from '../program/find-assertions.ts';
import { findEndings } from '../program/find-endings.ts';
import { assert, assume, boundOf, primitiveCall } from '../program/primitives.ts';
import { textOfString } from '../program/string-text.ts';
import type { BlockStatement, Expression, Program, Statement, TopLevelItem } from '../program/tree.ts';
import { expressionsOf, mapBlock, walkExpression, walkInitializer } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';

/** The first words of what a backend is told of these assertions. */
const REACHED = 'reached';
/** What stands for the number of an assertion in the mark of an end. */
const END = 'end';
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
  const mains = namesOfMain(program, code);
  const endings = findEndings(code).map(({ point }) => code.functions[point.function]?.instructions[point.pc]?.loc);
  const marker = new Marker(sitesAt, new Set(endings));
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    const { definition } = item;
    const body = mains.has(definition.symbol.name) ? marker.ofMain(definition.body) : marker.of(definition.body);
    return { ...item, definition: { ...definition, body } };
  });
  return { ...program, items };
}

/** Main itself, or what the function calls that gives it its arguments. */
function namesOfMain(program: Program, code: Code): ReadonlySet<string> {
  const main = code.functions[code.main];
  const isInText = program.items.some((item) => item.kind === 'function' && item.definition.symbol.name === main?.name);
  const called = (main?.instructions ?? []).flatMap((instruction) =>
    instruction.kind === 'call' && typeof instruction.callee === 'number'
      ? [code.functions[instruction.callee]?.name ?? '']
      : [],
  );
  return new Set(isInText && main ? [main.name] : called);
}

class Marker {
  readonly #sitesAt: ReadonlyMap<Loc, ReadonlySet<number>>;
  readonly #endings: ReadonlySet<Loc | undefined>;
  #nextString = FIRST_STRING;

  constructor(sitesAt: ReadonlyMap<Loc, ReadonlySet<number>>, endings: ReadonlySet<Loc | undefined>) {
    this.#sitesAt = sitesAt;
    this.#endings = endings;
  }

  of(body: BlockStatement): BlockStatement {
    return mapBlock(body, {
      expression: (expression) => expression,
      statement: (statement) => [...this.#endMarks(statement), ...this.#statement(statement)],
    });
  }

  ofMain(body: BlockStatement): BlockStatement {
    const returns = mapBlock(body, {
      expression: (expression) => expression,
      statement: (each) => (each.kind === 'return' ? [this.#mark(END, each.loc), each] : [each]),
    });
    const marked = this.of(returns);
    return { ...marked, items: [...marked.items, this.#mark(END, body.endLoc)] };
  }

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
    for (const loc of locsIn(statement)) for (const site of this.#sitesAt.get(loc) ?? []) found.add(site);
    return [...found].map((site) => this.#mark(site, statement.loc));
  }

  #endMarks(statement: Statement): Statement[] {
    if (statement.kind !== 'expression' || !locsIn(statement).some((loc) => this.#endings.has(loc))) return [];
    return [this.#mark(END, statement.loc)];
  }

  #mark(site: number | typeof END, loc: Loc): Statement {
    const condition = integer(0, loc);
    return expressionStatement(
      assert(condition, REACHED, `${site}`, () => this.#nextString++, loc),
      loc,
    );
  }
}

/** The places of the expressions that a statement evaluates itself. */
function locsIn(statement: Statement): Loc[] {
  const locs: Loc[] = [];
  const visitor = { expression: ({ loc }: Expression) => void locs.push(loc) };
  for (const expression of expressionsOf(statement)) walkExpression(expression, visitor);
  if (statement.kind === 'declaration' && statement.item.kind === 'variable') {
    const { initializer } = statement.item.symbol;
    if (initializer) walkInitializer(initializer, visitor);
  }
  return locs;
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
  readonly ends: boolean;
  readonly cuts: readonly FoundCut[];
} {
  const reached = new Set<number>();
  const cuts = new Map<string, FoundCut>();
  let ends = false;
  for (const message of failing) {
    const [, site] = /^reached: (\d+)$/.exec(message) ?? [];
    const [, loc, what = ''] = /^cut: (-?\d+) (.*)$/.exec(message) ?? [];
    if (message === `${REACHED}: ${END}`) ends = true;
    if (site !== undefined) reached.add(Number(site));
    if (loc !== undefined) cuts.set(message, { what, loc: Number(loc) as Loc });
  }
  return { reached, ends, cuts: [...cuts.values()] };
}
