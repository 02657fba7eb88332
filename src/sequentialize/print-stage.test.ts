import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { handlers, lostUpdate, manyFeatures } from '../../test/support/concurrent-programs.ts';
import { requireTool } from '../../test/support/tools.ts';
import { readProgram } from '../frontend/front-end.ts';
import { boundProgram } from '../passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { printStage } from './print-stage.ts';

/** By the name of the pass: the program after it. */
function stages(text: string): Map<string, string> {
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'LP64', models: true });
  if (program === null) throw new Error('the program has errors');
  const printed = new Map<string, string>();
  const afterPass = ({ name }: { readonly name: string }, stage: typeof program) =>
    printed.set(name, printStage(stage));
  boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, unwind: 3 }, new DiagnosticSink(), { afterPass });
  return printed;
}

describe('printStage', () => {
  const gcc = requireTool('gcc');
  for (const [name, program] of Object.entries({ lostUpdate, manyFeatures, handlers })) {
    it(`prints C after each pass: ${name}`, () => {
      const printed = stages(program);
      expect(printed.size).toBeGreaterThan(5);
      if (gcc === null) return;
      for (const [pass, input] of printed) {
        const { stderr } = spawnSync(gcc, ['-x', 'c', '-std=gnu11', '-fsyntax-only', '-'], {
          input,
          encoding: 'utf8',
        });
        // What is left of a function that was inlined everywhere is its address.
        expect(stderr.replace(/.* used but never defined\n/g, ''), pass).toBe('');
      }
    });
  }

  it('says of which type a value is drawn, and leaves out what nobody uses', () => {
    const text = '#include <pthread.h>\nint main(void) { long x; int *p; return x + *p; }\n';
    const first = [...stages(text).values()][0];
    expect(first).toMatch(/^long __lazuli_nondet_long\(void\);\nvoid \*__lazuli_nondet_pointer\(void\);\n/);
    expect(first).toContain('x = __lazuli_nondet_long();');
    expect(first).not.toContain('pthread');
  });

  it('counts the labels of each thread from 0, once each', () => {
    const labelled = stages(`#include <pthread.h>
      int c;
      void *add(void *p) { for (int i = 0; i < 9; i++) if (c < 100) c++; return p; }
      int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); c++; return 0; }`).get('label-visible-statements');
    const [, body = ''] = /add_1\([^{]*\{([\s\S]*?)\n\}/.exec(labelled ?? '') ?? [];
    const numbers = [...body.matchAll(/__lazuli_(\d+):/g)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers).toEqual(numbers.map((_, i) => i));
  });
});
