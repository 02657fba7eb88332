/**
 * Which variables only matter by being large enough. Where all other variables are equal and these are at least as
 * large, a state can do whatever the smaller one can, and comes to states that are as large again, or to the error: the
 * larger state *covers* the smaller one. `i += j` of two threads that assert `i <= 144` is of this kind; so are minima
 * (`isDown`: smaller values cover larger ones).
 *
 * That it is so is one question to a solver, about any two states of which one covers the other, and about any step.
 * Sums must not wrap: it is asked for values within a quarter of what the word holds, and whoever uses the order has to
 * see to it that none leaves that range (cover-states.ts). The unsatisfiable core says which variables have to be
 * equal.
 */

import { TermEncoder } from '../../encode/encode-terms.ts';
import { Circuit } from '../../logic/circuit.ts';
import { Cnf } from '../../logic/cnf.ts';
import type { IncrementalSolver } from '../../solver/incremental-cadical.ts';
import { bitsNeeded } from '../../values/bit-shape.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { topSet } from '../../values/value-set.ts';
import { OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import type { Model, Variable } from './graph.ts';
import { TermRebuilder } from './rebuild-term.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

export interface Growing {
  /** State terms of the variables. */
  readonly variables: ReadonlySet<Term>;
  /** By state term: the values, as signed numbers, for which the order is known to hold. */
  readonly ranges: ReadonlyMap<Term, SignedRange>;
}

export interface SignedRange {
  readonly least: bigint;
  readonly most: bigint;
}

export interface GrowingOptions {
  /** Variables of fewer bits are followed exactly. */
  readonly widest: number;
  readonly isDown: boolean;
  readonly questions: QuestionOptions;
}

interface Candidate {
  readonly state: StateVariable;
  /** Its value in the state that covers. */
  readonly other: Term;
  /** Chosen: it is equal before the step, has to be equal after it, and is small. */
  readonly isEqual: Term;
  readonly isExact: Term;
  readonly isSmall: Term;
  readonly range: SignedRange;
}

export function findGrowing(system: TransitionSystem, model: Model, options: GrowingOptions): Growing {
  const { graph } = system;
  const candidates = system.state.flatMap((state): Candidate[] => {
    const width = graph.widthOf(state.term);
    const half = 1n << BigInt(Math.max(0, width - 2));
    const range = { least: options.isDown ? -half : 0n, most: half - 1n };
    if (state.variable === null || !isWithin(range, state.initial, width)) return [];
    if (bitsNeeded((model.variables[state.variable] as Variable).set) <= options.widest) return [];
    const other = graph.variable(graph.setOf(state.term), `larger ${state.name}`);
    const choice = () => graph.variable(topSet(1), 'choice');
    return [{ state, other, isEqual: choice(), isExact: choice(), isSmall: choice(), range }];
  });
  if (candidates.length === 0) return { variables: new Set(), ranges: new Map() };
  const { exact, small } = choose(system, candidates, options);
  return {
    variables: new Set(candidates.flatMap(({ state }, i) => (exact.has(i) ? [] : [state.term]))),
    ranges: new Map(candidates.flatMap(({ state, range }, i) => (small.has(i) ? [[state.term, range]] : []))),
  };
}

interface Choice {
  readonly exact: ReadonlySet<number>;
  readonly small: ReadonlySet<number>;
}

/** By number, which candidates have to be equal and which small. */
function choose(system: TransitionSystem, candidates: readonly Candidate[], options: GrowingOptions): Choice {
  const { graph } = system;
  const encoder = new TermEncoder(graph, new Circuit());
  const hard = [...premises(system, candidates, options), graph.not(isCoveredAfter(system, candidates, options))];
  const literals = hard.map((term) => encoder.literalOf(term));
  const switches = candidates.map(({ isEqual, isExact, isSmall }) =>
    [isEqual, isExact, isSmall].map((term) => encoder.literalOf(term)),
  );
  const cnf = new Cnf(encoder.circuit);
  const clauses = literals.map((literal) => cnf.literal(literal));
  const selectors = switches.map((each) => {
    const [isEqual, isExact, isSmall] = each.map((literal) => cnf.literal(literal)) as [number, number, number];
    return { isEqual, isExact, isSmall };
  });
  const { solvers } = options.questions;
  const solver = solvers.create('quick');
  try {
    solver.addClauses(cnf.takeClauses());
    for (const literal of clauses) solver.addClause([literal]);
    return shrink(solver, selectors, options.questions);
  } finally {
    solver.dispose();
  }
}

interface Selectors {
  readonly isEqual: number;
  readonly isExact: number;
  readonly isSmall: number;
}

/**
 * First none has to be equal after a step. Those that have to be equal before it, so that it leads to a state that is
 * covered, have to be equal after all steps; and so on until no more are needed.
 */
function shrink(solver: IncrementalSolver, selectors: readonly Selectors[], { isTimeUp }: QuestionOptions): Choice {
  const all = [...selectors.keys()];
  let exact: ReadonlySet<number> = new Set();
  /** Of those that are equal, and of all that are small, which are needed. */
  const ask = (equal: ReadonlySet<number>) => {
    const chosen = selectors.flatMap(({ isEqual, isExact, isSmall }, i) => [
      isSmall,
      ...(equal.has(i) ? [isEqual] : []),
      exact.has(i) ? isExact : -isExact,
    ]);
    const answer = isTimeUp() ? null : solver.solve(chosen);
    if (answer === null) throw new OutOfTimeError();
    if (answer) return null;
    const failed = solver.failed();
    const among = (part: keyof Selectors) => new Set(all.filter((i) => failed.has((selectors[i] as Selectors)[part])));
    return { equal: among('isEqual'), small: among('isSmall') };
  };
  for (;;) {
    const first = ask(exact);
    if (first !== null) return { exact, small: first.small };
    let needed = new Set([...(ask(new Set(all))?.equal ?? all), ...exact]);
    for (const each of needed) {
      if (exact.has(each) || !needed.has(each)) continue;
      const less = ask(new Set([...needed].filter((i) => i !== each)))?.equal;
      if (less) needed = new Set([...less, ...exact]);
    }
    exact = needed;
  }
}

/** Two states without an error, the second of which covers the first, and a step of the first. */
function premises(system: TransitionSystem, candidates: readonly Candidate[], options: GrowingOptions): Term[] {
  const { graph, constraints, enabled, error } = system;
  const inOther = rebuilderFor(graph, candidates);
  const ordered = candidates.flatMap(({ state: { term }, other, isEqual, isSmall, range }) => {
    const areSmall = graph.and(isInRange(graph, term, range), isInRange(graph, other, range));
    const covers = graph.ite(isEqual, graph.eq(term, other), isCovered(graph, term, other, options));
    return [covers, graph.or(graph.not(isSmall), areSmall)];
  });
  const both = [...constraints, ...constraints.map((each) => inOther.rebuild(each))];
  return [enabled, graph.not(error.term), ...both, ...ordered];
}

/** The same step of the second state leads to the error, or to a state that covers the first one's. */
function isCoveredAfter(system: TransitionSystem, candidates: readonly Candidate[], options: GrowingOptions): Term {
  const { graph, state, next, enabled, error } = system;
  const inOther = rebuilderFor(graph, candidates);
  const candidateOf = new Map(candidates.map((each) => [each.state.term, each]));
  const areCovered = state.map(({ term }, i) => {
    const [one, two] = [next[i] as Term, inOther.rebuild(next[i] as Term)];
    const candidate = candidateOf.get(term);
    if (candidate === undefined) return graph.eq(one, two);
    // Whoever takes the step looks whether what covers is in range. That says nothing of the other end of the range.
    const { isExact, range } = candidate;
    const isInside = options.isDown ? isAtMost(graph, one, range.most) : isAtLeast(graph, one, range.least);
    const isSmall = graph.or(graph.not(candidate.isSmall), isInside);
    return graph.ite(isExact, graph.eq(one, two), graph.and(isSmall, isCovered(graph, one, two, options)));
  });
  const fails = inOther.rebuild(next[state.indexOf(error)] as Term);
  return graph.and(inOther.rebuild(enabled), graph.or(fails, graph.andAll(areCovered)));
}

function rebuilderFor(graph: TermGraph, candidates: readonly Candidate[]): TermRebuilder {
  const otherOf = new Map(candidates.map(({ state, other }) => [state.term, other]));
  return new TermRebuilder(graph, graph, (term) => otherOf.get(term) ?? term);
}

/** A number as bits, read as a signed one. */
export function isWithin({ least, most }: SignedRange, bits: bigint, width: number): boolean {
  const value = BigInt.asIntN(width, bits);
  return value >= least && value <= most;
}

function isInRange(graph: TermGraph, term: Term, { least, most }: SignedRange): Term {
  return graph.and(isAtLeast(graph, term, least), isAtMost(graph, term, most));
}

function isAtMost(graph: TermGraph, term: Term, most: bigint): Term {
  return graph.not(graph.less('slt', graph.constant(graph.widthOf(term), most), term));
}

function isAtLeast(graph: TermGraph, term: Term, least: bigint): Term {
  return graph.not(graph.less('slt', term, graph.constant(graph.widthOf(term), least)));
}

function isCovered(graph: TermGraph, covered: Term, by: Term, { isDown }: GrowingOptions): Term {
  return graph.not(isDown ? graph.less('slt', covered, by) : graph.less('slt', by, covered));
}
