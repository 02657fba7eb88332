import { describe, expect, it } from 'vitest';
import { locked, lostUpdate } from '../../test/support/concurrent-programs.ts';
import { requireTool } from '../../test/support/tools.ts';
import { framaC } from '../backends/frama-c.ts';
import { readProgram } from '../frontend/front-end.ts';
import { boundProgram } from '../passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import { sequentialize } from '../sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { findFramaCRanges } from './find-frama-c-ranges.ts';

function emit(text: string): string {
  const { program } = readProgram({ fileName: 'a.c', text, dataModel: 'LP64', models: true });
  const bounded = program && boundProgram(program, DEFAULT_BOUND_OPTIONS, new DiagnosticSink());
  if (bounded === null) throw new Error('the program is wrong');
  const options = { schema: 'lazy2', rounds: 2, closingMain: true, schedule: null, lineDirectives: false } as const;
  return sequentialize(bounded, { ...options, spelling: framaC.spelling }).text;
}

describe('findFramaCRanges', () => {
  it('finds intervals that hold the values of all executions', async () => {
    if (requireTool('frama-c') === null) return;
    for (const program of [lostUpdate, locked]) {
      const result = await findFramaCRanges({ text: emit(program), dataModel: 'LP64' });
      if (result.kind !== 'ranges') throw new Error(result.reason);
      const counter = result.ranges.final.get('main')?.find(({ path }) => path === 'counter')?.value;
      if (counter?.kind !== 'integers') throw new Error('no integers');
      expect(counter.low === null || counter.low <= 0n).toBe(true);
      expect(counter.high === null || counter.high >= 2n).toBe(true);
    }
  });

  it('says why there are none', async () => {
    const missing = await findFramaCRanges({ text: '', dataModel: 'LP64', executable: '/no/such/frama-c' });
    expect(missing).toEqual({
      kind: 'unknown',
      reason: 'cannot run /no/such/frama-c: it is not installed, or not on the PATH',
    });
    if (requireTool('frama-c') === null) return;
    const wrong = await findFramaCRanges({ text: 'int main(void) { return x; }\n', dataModel: 'LP64' });
    expect(wrong).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/^Frama-C gave no verdict/) });
  });
});
