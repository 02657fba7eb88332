import { describe, expect, it } from 'vitest';
import { lostUpdate, secretInput } from '../../test/support/concurrent-programs.ts';
import { readProgram } from '../frontend/front-end.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import { boundProgram } from '../passes/pipeline.ts';
import { type BoundOptions, DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import type { CheckName } from '../program/check-names.ts';
import { sequentialize } from '../sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import type { BackendStep } from './backend.ts';
import { cbmc } from './cbmc.ts';
import { readRun } from './read-run.ts';
import { type ReplayRequest, replayTrace } from './replay-trace.ts';

const checks: ReadonlySet<CheckName> = new Set(['assertion', 'mutex', 'thread', 'pointer']);

/** One call of a thread function: it goes from label to label, drawing values at lines that have this text. */
interface Visit {
  readonly thread: number;
  readonly from: number;
  readonly to: number;
  readonly draws?: readonly { readonly line: string; readonly value: string }[];
}

/** A trace as CBMC would tell it, that ends with the failure of the assertion with this text. */
function request(text: string, visits: readonly Visit[], failing: string, options: Partial<BoundOptions> = {}) {
  const { program } = readProgram({ fileName: 'p.c', text, dataModel: 'LP64', models: true });
  const bounded = program && boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, ...options }, new DiagnosticSink());
  const settings = { checks, atomicStatements: false, errorLabels: true };
  const code = program && lowerProgram(program, settings, new DiagnosticSink());
  if (!bounded || !code) throw new Error('the program has errors');
  const output = sequentialize(bounded, {
    schema: 'lazy2',
    rounds: 2,
    closingMain: true,
    schedule: null,
    spelling: cbmc.spelling,
    lineDirectives: false,
  });
  const lines = output.text.split('\n');
  const lineOf = (wanted: string, from = 0) => lines.findIndex((line, at) => at >= from && line.includes(wanted)) + 1;
  const main = { inFunction: 'main', line: 1 };
  const steps = visits.flatMap(({ thread, from, to, draws = [] }): BackendStep[] => {
    const inFunction = output.threads[thread]?.functionName ?? '';
    const start = lineOf(`static void ${inFunction}(void)`);
    const labels = Array.from({ length: to - from }, (_, i) => from + i);
    return [
      { kind: 'assignment', ...main, target: `__lazuli_cs_${thread}`, value: String(to) },
      { kind: 'call', callee: inFunction, line: 1 },
      ...labels.map((label) => ({
        kind: 'location' as const,
        line: lineOf(`__lazuli_J(${thread}, ${label}, `, start),
        inFunction,
      })),
      ...draws.map(({ line, value }): BackendStep => {
        const target = line.split(' ')[0] ?? '';
        return { kind: 'assignment', line: lineOf(line, start), inFunction, target, value };
      }),
      ...(thread === 0 && from === 0
        ? [1, 2].map((created): BackendStep => {
            const line = lineOf(`__lazuli_activate(${created})`);
            return { kind: 'assignment', line, inFunction, target: `__lazuli_active_${created}`, value: '1' };
          })
        : []),
      { kind: 'assignment', ...main, target: `__lazuli_pc_${thread}`, value: String(to) },
    ];
  });
  const failure: BackendStep = { kind: 'failure', line: lineOf(failing), inFunction: 'main_0', description: failing };
  const made: ReplayRequest = {
    steps: [...steps, failure],
    description: failing,
    output,
    drawing: 'nondet_',
    bounded,
    code,
    checks,
    clock: () => performance.now(),
  };
  return made;
}

/** Both threads read before either writes. */
const lost: readonly Visit[] = [
  { thread: 0, from: 0, to: 3 },
  { thread: 1, from: 0, to: 1 },
  { thread: 2, from: 0, to: 3 },
  { thread: 1, from: 1, to: 3 },
  { thread: 0, from: 3, to: 5 },
];

describe('readRun', () => {
  it('tells which thread passes which labels, and where it is interrupted', () => {
    const run = readRun(request(lostUpdate, lost, 'assertion counter == 2'));
    expect(run?.segments.map(({ thread, labels, stop }) => [thread, labels, stop])).toEqual([
      [0, [0, 1, 2], 3],
      [1, [0], 1],
      [2, [0, 1, 2], null],
      [1, [1, 2], null],
      [0, [3, 4], null],
    ]);
    expect(run?.created).toEqual([0, 1, 2]);
    expect(run?.failure).toMatchObject({ check: 'assertion', message: 'assertion counter == 2', thread: 0 });
  });

  it('knows the values that are drawn', () => {
    const draws = [{ line: '__lazuli_t = nondet_int()', value: '-12545' }];
    const run = readRun(request(secretInput, [{ thread: 1, from: 0, to: 1, draws }], 'assertion box != -12345'));
    expect(run?.inputs).toMatchObject([{ thread: 1, target: '__lazuli_t', value: '-12545' }]);
  });

  it('is nothing without a failure in a thread', () => {
    const made = request(lostUpdate, lost, 'assertion counter == 2');
    expect(readRun({ ...made, steps: made.steps.slice(0, -1) })).toBeNull();
  });
});

describe('replayTrace', () => {
  it('shows what the interpreter sees when it follows the trace', () => {
    const replayed = replayTrace(request(lostUpdate, lost, 'assertion counter == 2'));
    if (replayed.kind !== 'replayed') throw new Error(replayed.reason);
    const { trace } = replayed;
    expect(trace.violation).toMatchObject({ check: 'assertion', thread: 0, place: { line: 18 } });
    const writes = trace.steps.flatMap(({ thread, values }) =>
      values.filter(({ kind, name }) => kind === 'write' && name === 'counter').map(({ value }) => [thread, value]),
    );
    expect(writes).toEqual([
      [2, '1'],
      [1, '1'],
    ]);
    expect(trace.steps.map(({ callStack }) => callStack.length)).toContain(0);
  });

  it('finds the interruption if the trace names a place beside it', () => {
    const beside = lost.map((visit, at) => (at === 1 ? { ...visit, to: 0 } : at === 3 ? { ...visit, from: 0 } : visit));
    expect(replayTrace(request(lostUpdate, beside, 'assertion counter == 2')).kind).toBe('replayed');
  });

  it('does not believe a trace that violates nothing', () => {
    const one: readonly Visit[] = [
      { thread: 0, from: 0, to: 2 },
      { thread: 1, from: 0, to: 3 },
    ];
    const single = lostUpdate.replace('counter == 2', 'counter <= 2');
    expect(replayTrace(request(single, one, 'assertion counter <= 2'))).toEqual({
      kind: 'failed',
      reason: 'replaying it violates nothing (expected: assertion: assertion counter <= 2)',
    });
  });

  it('says that undefined behaviour is at the bottom of it', () => {
    const text = '#include <assert.h>\nint *p, x;\nint main(void) { p = &x + 5; x = *p; assert(x == 0); return 0; }\n';
    const made = request(text, [{ thread: 0, from: 0, to: 1 }], 'assertion x == 0');
    const replayed = replayTrace({ ...made, checks: new Set<CheckName>(['assertion']) });
    expect(replayed).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^it depends on undefined behaviour \(read /),
    });
  });

  it('goes beyond the bound of a loop', () => {
    const text = 'int main(void) { unsigned char i; while (i) i--; return 0; }\n';
    const draws = [{ line: 'i = nondet_uchar()', value: '3' }];
    const visits = [{ thread: 0, from: 0, to: 1, draws }];
    const options = { unwind: 2, unwindingAssertions: true };
    const replayed = replayTrace(request(text, visits, 'unwinding: unwinding assertion: loop main.0', options));
    if (replayed.kind !== 'replayed') throw new Error(replayed.reason);
    expect(replayed.trace.violation).toMatchObject({ check: 'unwinding', thread: 0, place: { line: 1 } });
  });
});
