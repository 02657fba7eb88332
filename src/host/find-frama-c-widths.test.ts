import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requireTool } from '../../test/support/tools.ts';
import { cbmc } from '../backends/cbmc.ts';
import { readProgram } from '../frontend/front-end.ts';
import { boundProgram } from '../passes/pipeline.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import { sequentialize } from '../sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { findFramaCWidths } from './find-frama-c-widths.ts';

const example = readFileSync(new URL('../../test/golden/ranges/producer-consumer.c', import.meta.url), 'utf8');
const options = { schema: 'lazy2', rounds: 2, closingMain: true, schedule: null, lineDirectives: false } as const;
const TIMEOUT_MS = 60_000;

function bound(text: string): BoundedProgram {
  const { program } = readProgram({ fileName: 'a.c', text, dataModel: 'LP64', models: true });
  const bounded = program && boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, unwind: 5 }, new DiagnosticSink());
  if (bounded === null) throw new Error('the program is wrong');
  return bounded;
}

describe('findFramaCWidths', () => {
  it('finds few bits for the example of the thesis', { timeout: TIMEOUT_MS }, async () => {
    if (requireTool('frama-c') === null) return;
    const bounded = bound(example);
    const found = await findFramaCWidths(bounded, options, TIMEOUT_MS);
    if (found.kind !== 'widths') throw new Error(found.reason);
    const { text } = sequentialize(bounded, { ...options, spelling: cbmc.spelling, widths: found.widths });
    expect(text).toMatch(/^__lazuli_(bits|signed)_[345] c = 0;$/m);
    expect(text).toMatch(/^ {2}static __lazuli_(bits|signed)_[345] tmp;$/m);
  });

  it('finds the widths of arrays', { timeout: TIMEOUT_MS }, async () => {
    if (requireTool('frama-c') === null) return;
    const bounded = bound(`
      extern unsigned __VERIFIER_nondet_uint(void);
      int some[4] = { 1, 5 }, chain[4];
      int main(void) {
        unsigned i = __VERIFIER_nondet_uint() % 4;
        some[i] = some[i] + 2;
        chain[0] = i & 1;
        chain[chain[0]] = 1;
        return some[1] + chain[1];
      }`);
    const found = await findFramaCWidths(bounded, options, TIMEOUT_MS);
    if (found.kind !== 'widths') throw new Error(found.reason);
    const { text } = sequentialize(bounded, { ...options, spelling: cbmc.spelling, widths: found.widths });
    expect(text).toMatch(/^__lazuli_bits_[34] some\[4\] = /m);
    expect(text).toMatch(/^int chain\[4\];/m);
  });

  it('takes nothing from executions that read what nobody wrote', { timeout: TIMEOUT_MS }, async () => {
    if (requireTool('frama-c') === null) return;
    const bounded = bound('#include <stdlib.h>\nint x;\nint main(void) { int *p = malloc(8); x = p[1]; return x; }\n');
    const found = await findFramaCWidths(bounded, options, TIMEOUT_MS);
    expect(found).toMatchObject({ kind: 'none', reason: expect.stringMatching(/uninitialised/) });
  });

  it('says when Frama-C is missing', async () => {
    const found = await findFramaCWidths(bound(example), options, TIMEOUT_MS, '/no/such/frama-c');
    expect(found).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^cannot run \/no\/such\/frama-c: it is not installed/),
    });
  });
});
