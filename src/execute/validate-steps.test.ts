import { describe, expect, it } from 'vitest';
import { atomicMode, PLAIN } from '../program/memory-order.ts';
import type { Loc } from '../support/source.ts';
import { TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { printSteps } from './print-steps.ts';
import type { Access, CellId, SharedCell, Step, SteppedProgram, SteppedThread } from './steps.ts';
import { validateSteps } from './validate-steps.ts';

const loc = 0 as Loc;
const x = 0 as CellId;

/** Main writes 1 to x, reads it again and asserts that it is not zero. */
function makeProgram(graph: TermGraph): SteppedProgram {
  const set = sets.rangeSet(32, 0n, 3n);
  const result = graph.variable(set, 'x');
  const cell: SharedCell = { id: x, name: 'x', width: 32, initial: graph.constant(32, 0n), set };
  const targets = [{ cell: x, select: graph.true }];
  const write: Access = {
    kind: 'write',
    guard: graph.true,
    targets,
    key: 'main@1',
    mode: PLAIN,
    touch: null,
    value: graph.constant(32, 1n),
    isDelayed: false,
  };
  const read: Access = {
    kind: 'read',
    guard: graph.true,
    targets,
    key: 'main@2',
    mode: atomicMode('acquire'),
    touch: null,
    result,
  };
  const step = (access: Access): Step => ({
    guard: graph.true,
    accesses: [access],
    creation: null,
    drains: false,
    loc,
    end: null,
  });
  const condition = graph.isNonZero(result);
  const assertion = {
    step: 1,
    guard: graph.true,
    position: 0,
    condition,
    check: 'assertion',
    message: 'x',
    loc,
    key: 'main@3',
  } as const;
  const main: SteppedThread = {
    index: 0,
    name: 'main',
    spawn: null,
    steps: [step(write), step(read)],
    assumptions: [],
    assertions: [assertion],
    cuts: [{ step: 1, guard: graph.false, position: 1, kind: 'loop', where: 'main.0', loc }],
    fences: [{ step: 0, guard: graph.true, position: 2, order: 'seq_cst' }],
    halts: [],
    visits: [],
  };
  return { graph, memoryModel: 'sc', threads: [main], cells: [cell], inputs: [], objects: { first: 0n, end: 0n } };
}

/** The program with something changed in main. */
function withMain(program: SteppedProgram, change: Partial<SteppedThread>): SteppedProgram {
  return { ...program, threads: [{ ...(program.threads[0] as SteppedThread), ...change }] };
}

describe('validateSteps', () => {
  const graph = new TermGraph();
  const program = makeProgram(graph);
  const main = program.threads[0] as SteppedThread;
  const [first, second] = main.steps as [Step, Step];
  const read = second.accesses[0] as Extract<Access, { kind: 'read' }>;

  it('finds nothing wrong with a good program', () => {
    expect(validateSteps(program)).toEqual([]);
  });

  const withStep = (step: Step) => withMain(program, { steps: [first, step] });
  const withAccess = (access: Access) => withStep({ ...second, accesses: [access] });
  const target = { cell: x, select: graph.true };

  it.each([
    ['a guard that is no Boolean', withStep({ ...second, guard: read.result }), 'instead of 1'],
    ['a cell that does not exist', withAccess({ ...read, targets: [{ ...target, cell: 7 as CellId }] }), 'cell 7'],
    ['two cells at a time', withAccess({ ...read, targets: [target, target] }), 'two cells at a time'],
    ['no target', withAccess({ ...read, targets: [] }), 'no target'],
    ['a value of another width', withAccess({ ...read, result: graph.variable(sets.topSet(8), 'y') }), '8 bits'],
    ['a result that is computed', withAccess({ ...read, result: graph.not(read.result) }), 'not a variable'],
    ['a result that two reads have', withStep({ ...second, accesses: [read, read] }), 'another access too'],
    ['a condition on no step', withMain(program, { steps: [first] }), 'hangs on step 1'],
    [
      'two conditions in one place',
      withMain(program, {
        cuts: [{ step: 1, guard: graph.true, position: 0, kind: 'loop', where: 'main.0', loc: first.loc }],
      }),
      'share a place',
    ],
    ['a thread that nobody creates', { ...program, threads: [main, { ...main, index: 1 }] }, 'never created'],
    ['a cell twice', { ...program, cells: [...program.cells, ...program.cells] }, 'occurs twice'],
    [
      'an input that is computed',
      { ...program, inputs: [{ thread: 0, key: 'main@0', offset: null, term: graph.not(read.result) }] },
      'is computed',
    ],
  ] as const)('finds %s', (_, broken, fault) => {
    expect(validateSteps(broken).join('\n')).toContain(fault);
  });
});

describe('printSteps', () => {
  it('shows cells, steps and what hangs on them', () => {
    const graph = new TermGraph();
    expect(printSteps(makeProgram(graph))).toMatchInlineSnapshot(`
      "cell x: 32 bits, first 0, of {0, 1, 2, 3}

      thread 0 main
        0.0
          x := 1  // main@1
          fence seq_cst
        0.1
          atomic acquire x#2 := x  // main@2
          assert !(x#2 == 0) (assertion: x)
          cut at main.0 if 0
      "
    `);
  });

  it('names deep terms instead of nesting them', () => {
    const graph = new TermGraph();
    const program = makeProgram(graph);
    let deep = graph.variable(sets.topSet(32), 'deep');
    for (let i = 0; i < 3000; i++) deep = graph.xor(graph.mul(deep, deep), graph.variable(sets.topSet(32), 'v'));
    const condition = graph.isNonZero(deep);
    const [assertion] = (program.threads[0] as SteppedThread).assertions;
    const text = printSteps(
      withMain(program, { assertions: [{ ...(assertion as NonNullable<typeof assertion>), condition }] }),
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200);
  });
});
