/**
 * The iteration of symbolic execution: all threads are executed one after the other, and again until what is known
 * about memory (knowledge.ts) no longer changes; the steps of the last iteration are the result. After each execution
 * comes what is learned from it, in phases: the values of cells, then one of the reasons to execute again.
 *
 * What a thread writes is seen at once by those that are executed after it. That saves iterations, but values that grow
 * and grow (a sum of sums) grow faster than they can in the program. So when it shows that some do, they are learned
 * anew, one write in an iteration.
 */

import type { Code } from '../program/code.ts';
import { updateCellValues } from './cell-values.ts';
import { type Cell, type MemoryObject, sharedCell } from './cells.ts';
import { type ExecuteOptions, Execution } from './execution.ts';
import { findNeeded, finishProgram } from './finish-program.ts';
import type { Knowledge } from './knowledge.ts';
import { type FormerSets, narrowCells, restoreCells } from './narrow-cells.ts';
import { findNoticed } from './polling-turns.ts';
import { runThreads } from './run-threads.ts';
import type { AccessTarget, SteppedProgram, SteppedThread } from './steps.ts';
import { ExecutionLimitError } from './unsupported.ts';
import { areUnnoticed } from './waiting-turns.ts';

const MOST_ITERATIONS = 200;
/**
 * Values are followed instead of widened (see below) as long as that takes so few iterations, and so few terms in all
 * of them together.
 */
const MOST_FOLLOWED_ITERATIONS = 100;
const MOST_FOLLOWED_TERMS = 150_000;
/** When cells have grown in so many iterations, the rest is done slowly. */
const QUICK_GROWTHS = 2;
/** Otherwise cells that grow this often are widened. */
const PATIENCE = 14;
/** So often sets that had jumped are made smaller again. */
const MOST_NARROWINGS = 3;

/**
 * Executes until nothing is learned any more. Throws UnsupportedError or ExecutionLimitError. Null if threads are not
 * numbered as they are created: the knowledge came from an execution that had fewer of them, or that took waits for
 * granted.
 *
 * The iteration over cell values has two ways to end. Either nothing grows any more. Or it has gone on for as many
 * iterations as the program has writes to the cells that still grow: what these hold after n of the writes is covered
 * after n iterations, by induction, because a write uses only values that were there before it; and in a bounded
 * program every write runs at most once. All other cells did not grow in these iterations, so that nothing that they
 * can hold is missing either.
 */
export function settle(code: Code, options: ExecuteOptions, knowledge: Knowledge): SteppedProgram | null {
  const settling = new Settling(code, options, knowledge);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const done = settling.execute();
    if (done === 'misnumbered') return null;
    settling.learnValues(done, iteration);
    if (settling.startOver()) continue;
    settling.noteGrowth();
    if (settling.narrow(done) || settling.slowDown()) continue;
    const end = settling.conclude(done);
    if (end === 'misnumbered') return null;
    if (end) return end;
  }
  throw new ExecutionLimitError(`the analysis of memory did not settle in ${MOST_ITERATIONS} iterations`);
}

/** What one iteration gives. */
interface Iteration {
  readonly execution: Execution;
  readonly threads: readonly SteppedThread[];
}

/** The phases, and what they remember from one iteration to the next. */
class Settling {
  readonly #code: Code;
  readonly #options: ExecuteOptions;
  readonly #knowledge: Knowledge;
  readonly #isExperienced: boolean;
  /** The cells that grew, by iteration, since something else was learned. */
  #growths: ReadonlySet<Cell>[] = [];
  #isQuick = true;
  #narrowings = 0;
  /** What the sets were that are tried smaller. */
  #former: FormerSets | null = null;
  /** Sparse objects whose places are told apart. */
  #detailed: ReadonlySet<MemoryObject> = new Set();

  constructor(code: Code, options: ExecuteOptions, knowledge: Knowledge) {
    this.#code = code;
    this.#options = options;
    this.#knowledge = knowledge;
    this.#isExperienced = knowledge.threadCount > 0;
  }

  /** Executes all threads with what is known. */
  execute(): Iteration | 'misnumbered' {
    this.#options.onIteration?.();
    this.#knowledge.beginIteration();
    const execution = new Execution(this.#code, this.#knowledge, this.#options, this.#detailed);
    this.#options.recorder?.begin(execution);
    const threads = runThreads(execution, this.#isQuick);
    const isMisnumbered = this.#isExperienced && execution.pending.some(({ index }, at) => index !== at + 1);
    return isMisnumbered ? 'misnumbered' : { execution, threads };
  }

  /** What was written joins the values of the cells. */
  learnValues({ execution, threads }: Iteration, iteration: number): void {
    execution.reach.openHiddenObjects();
    const growing = this.#growths.slice(-2).reduce(unite, new Set<Cell>());
    const toFollow = countWritesTo(this.#knowledge, growing, threads);
    const isShort = iteration < MOST_FOLLOWED_ITERATIONS && toFollow * execution.graph.size <= MOST_FOLLOWED_TERMS;
    updateCellValues(execution, isShort ? Number.POSITIVE_INFINITY : PATIENCE);
  }

  /** Cells were split or became others: what was learned of the values in this iteration belongs to the old ones. */
  startOver(): boolean {
    if (!this.#knowledge.cellsChanged) return false;
    this.#knowledge.restoreValues();
    this.#knowledge.isFirst = false;
    [this.#growths, this.#former] = [[], null];
    return true;
  }

  noteGrowth(): void {
    const { structureChanged, grown } = this.#knowledge;
    this.#growths = structureChanged ? [] : [...this.#growths, new Set(grown)];
  }

  /** When nothing grows any more, sets that had jumped are tried smaller; if that shows to be too small, given back. */
  narrow({ execution }: Iteration): boolean {
    const isStable = !this.#knowledge.structureChanged && this.#knowledge.grown.size === 0;
    if (isStable && this.#narrowings < MOST_NARROWINGS && this.#detailed.size === 0) {
      this.#former = narrowCells(execution);
      this.#narrowings++;
      if (!this.#former) return false;
      this.#growths = [];
      return true;
    }
    if (!this.#former || isStable) return false;
    restoreCells(this.#former);
    [this.#growths, this.#former] = [[], null];
    this.#narrowings = MOST_NARROWINGS;
    return true;
  }

  /** Values that grow and grow are learned anew, one write in an iteration. */
  slowDown(): boolean {
    if (!this.#isQuick || this.#knowledge.grownSets.size === 0 || this.#growths.length < QUICK_GROWTHS) return false;
    this.#isQuick = false;
    this.#knowledge.forgetValues([...this.#growths.reduce(unite)].filter((cell) => !cell.hasJumped));
    this.#growths = [];
    return true;
  }

  /** Whether somebody would notice that turns were left out: these stay from here on. */
  #keepTurns({ leftOutWaits, leftOutPolls }: Execution, program: SteppedProgram): boolean {
    const noticed = findNoticed(program, leftOutPolls);
    const keepsWaits = !areUnnoticed(program, leftOutWaits);
    if (!keepsWaits && noticed.length === 0) return false;
    if (keepsWaits) this.#knowledge.keepsWaits = true;
    for (const cell of noticed) this.#knowledge.keptLocks.add(cell);
    this.#knowledge.isFirst = false;
    this.#growths = [];
    return true;
  }

  /** The steps, if everything is covered and told apart that has to be; null to go on. */
  conclude({ execution, threads }: Iteration): SteppedProgram | 'misnumbered' | null {
    if (coversAll(this.#knowledge, this.#growths, threads)) {
      if (threads.some(({ index }, at) => index !== at)) return 'misnumbered';
      const program = finishProgram(execution, threads);
      if (this.#keepTurns(execution, program)) return null;
      const needed = findNeeded(this.#knowledge, program);
      if (needed.length === 0) {
        this.#options.recorder?.finish();
        this.#knowledge.forgetValues([...this.#knowledge.grown]);
        return program;
      }
      this.#detailed = new Set([...this.#detailed, ...needed]);
    }
    this.#knowledge.isFirst = false;
    return null;
  }
}

/** Have the last iterations covered all writes to the cells that grew in them? */
function coversAll(
  knowledge: Knowledge,
  growths: readonly ReadonlySet<Cell>[],
  threads: readonly SteppedThread[],
): boolean {
  const growing = new Set<Cell>();
  let writes = 0;
  for (const [followed, grown] of [...growths].reverse().entries()) {
    const before = growing.size;
    for (const cell of grown) growing.add(cell);
    if (growing.size > before) writes = countWritesTo(knowledge, growing, threads);
    if (followed >= writes) return true;
  }
  return false;
}

function countWritesTo({ cells }: Knowledge, among: ReadonlySet<Cell>, threads: readonly SteppedThread[]): number {
  const isAmong = ({ cell }: AccessTarget) => among.has(sharedCell(cells[cell] as Cell));
  let count = 0;
  for (const { steps } of threads) {
    for (const { accesses } of steps)
      for (const { kind, targets } of accesses) if (kind === 'write' && targets.some(isAmong)) count++;
  }
  return count;
}

function unite(a: ReadonlySet<Cell>, b: ReadonlySet<Cell>): ReadonlySet<Cell> {
  return new Set([...a, ...b]);
}
