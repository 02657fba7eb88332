// Asks the solver for a value outside of its set: the bounded program is encoded in declared widths, so that the sets
// do not hide what they exclude, and some access that is passed must have a value that its set does not have. There
// must be none.
//
// What symbolic execution has folded away by the sets is not seen here; runs of the interpreter see it
// (watch-ranges.ts).

import { type Encoding, encode } from '../../src/engines/bounded/encode.ts';
import { executeProgram } from '../../src/execute/execute-program.ts';
import { forgetValues } from '../../src/execute/forget-values.ts';
import type { Access, SteppedProgram } from '../../src/execute/steps.ts';
import type { BitVector } from '../../src/logic/bit-vector.ts';
import * as vectors from '../../src/logic/bit-vector.ts';
import type { Circuit } from '../../src/logic/circuit.ts';
import { Cnf } from '../../src/logic/cnf.ts';
import { FALSE, type Literal, not } from '../../src/logic/literal.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { uniformBounds } from '../../src/program/bounds.ts';
import type { Code } from '../../src/program/code.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { holds } from '../../src/solver/solver.ts';
import { enumerateValues, isEmpty, joinSets, printSet, type ValueSet } from '../../src/values/value-set.ts';

interface Suspect {
  readonly description: string;
  readonly literal: Literal;
  readonly bits: BitVector;
}

export interface OutsideResult {
  /** How many accesses were asked about. */
  readonly accesses: number;
  readonly faults: readonly string[];
}

export interface OutsideOptions {
  readonly unwind: number;
  readonly rounds: number;
  /** All loops are cut off, also those with a constant number of iterations. */
  readonly isStrict?: boolean;
  /** After so many conflicts of the solver there is no answer: null. */
  readonly conflicts?: number;
  /** What to do to each set first, to see whether this comparison can fail. */
  readonly change?: (set: ValueSet) => ValueSet;
}

export async function findOutsideValues(
  code: Code,
  options: OutsideOptions & { conflicts: number },
): Promise<OutsideResult | null>;
export async function findOutsideValues(code: Code, options: OutsideOptions): Promise<OutsideResult>;
export async function findOutsideValues(code: Code, options: OutsideOptions): Promise<OutsideResult | null> {
  const { unwind, rounds, isStrict = false, change = (set) => set } = options;
  const program = executeProgram(code, {
    bounds: uniformBounds(unwind, !isStrict),
    limits: { terms: 200_000, steps: 2_000, constantIterations: 100, poll: () => {} },
    checks: DEFAULT_LOWER_OPTIONS.checks,
  });
  const expected = setsOfAccesses(program);
  const initial = program.cells.map((cell) => ({ term: cell.initial, set: program.graph.setOf(cell.initial) }));
  const encoding = encode(forgetValues(program), { kind: 'rounds', slots: rounds });
  const suspects = findSuspects(
    program,
    encoding,
    new Map([...expected].map(([access, set]) => [access, change(set)])),
  );
  const { circuit } = encoding;
  // What a place of a large array holds at first may stand there as an unknown among the values of the initializers.
  for (const { term, set } of initial) circuit.addClause([isInside(circuit, encoding.encoder.bitsOf(term), set)]);
  excludeFailures(program, encoding);
  circuit.addClause(suspects.map(({ literal }) => literal));
  const cnf = new Cnf(circuit);
  const solver = await createCadical();
  try {
    solver.addClauses(cnf.takeClauses());
    const { conflicts } = options;
    const answer = await solver.solve([], conflicts === undefined ? {} : { conflicts });
    if (answer.kind === 'unknown' && conflicts !== undefined) return null;
    if (answer.kind === 'unknown') throw new Error(`the solver gave no answer: ${answer.reason}`);
    if (answer.kind === 'unsatisfiable') return { accesses: expected.size, faults: [] };
    const model = cnf.evaluate((variable) => holds(answer.model, variable));
    const found = suspects.filter(({ literal }) => model.value(literal));
    const numberOf = (bits: BitVector) =>
      bits.reduce((sum, bit, i) => (model.value(bit) ? sum | (1n << BigInt(i)) : sum), 0n);
    return {
      accesses: expected.size,
      faults: found.map(({ description, bits }) => `${description}: ${numberOf(bits)}`),
    };
  } finally {
    solver.dispose();
  }
}

/** What each access may read or write by the analysis: the term's own set, and for reads what the cells may hold. */
function setsOfAccesses({ graph, threads, cells }: SteppedProgram): Map<Access, ValueSet> {
  const byCell = new Map(cells.map((cell) => [cell.id, cell.set]));
  const found = new Map<Access, ValueSet>();
  for (const { steps } of threads) {
    for (const access of steps.flatMap((step) => step.accesses)) {
      const ofCells = access.targets.map(({ cell }) => byCell.get(cell) as ValueSet).reduce(joinSets);
      found.set(access, access.kind === 'read' ? ofCells : graph.setOf(access.value));
    }
  }
  return found;
}

function findSuspects(
  program: SteppedProgram,
  { circuit, encoder, schedule }: Encoding,
  expected: ReadonlyMap<Access, ValueSet>,
): Suspect[] {
  const names = new Map(program.cells.map((cell) => [cell.id, cell.name]));
  const suspects: Suspect[] = [];
  for (const thread of program.threads) {
    for (const [index, step] of thread.steps.entries()) {
      for (const access of step.accesses) {
        const set = expected.get(access) as ValueSet;
        const bits = encoder.bitsOf(access.kind === 'read' ? access.result : access.value);
        const selected = access.targets
          .map(({ select }) => encoder.literalOf(select))
          .reduce((a, b) => circuit.or(a, b));
        const happens = [step.guard, access.guard]
          .map((guard) => encoder.literalOf(guard))
          .reduce((a, b) => circuit.and(a, b), schedule.everPassed(thread.index, index));
        // Where the places of a large array are not told apart, a read may miss what stands for all of them, and be
        // anything.
        if (access.kind === 'read') circuit.addClause([not(happens), selected]);
        const when = circuit.and(happens, selected);
        const literal = circuit.and(when, not(isInside(circuit, bits, set)));
        const where = access.targets.map(({ cell }) => names.get(cell)).join('|');
        const description = `${access.kind} of ${where} in step ${index} of thread ${thread.index}, set ${printSet(set, true)}`;
        suspects.push({ description, literal, bits });
      }
    }
  }
  return suspects;
}

function isInside(circuit: Circuit, bits: BitVector, set: ValueSet): Literal {
  if (isEmpty(set)) return FALSE;
  const width = bits.length;
  const few = enumerateValues(set, 64);
  const tests = few
    ? few.map((value) => vectors.eq(circuit, bits, vectors.constant(value, width)))
    : set.parts.map(({ low, high }) =>
        circuit.and(
          vectors.ule(circuit, vectors.constant(low, width), bits),
          vectors.ule(circuit, bits, vectors.constant(high, width)),
        ),
      );
  return tests.reduce((a, b) => circuit.or(a, b));
}

/** The sets speak of executions within the bounds in which nothing has failed yet. */
function excludeFailures(program: SteppedProgram, { circuit, encoder, schedule, violations }: Encoding): void {
  for (const { literal } of violations) circuit.addClause([not(literal)]);
  for (const thread of program.threads) {
    for (const cut of thread.cuts) {
      circuit.addClause([not(schedule.everPassed(thread.index, cut.step)), not(encoder.literalOf(cut.guard))]);
    }
  }
}
