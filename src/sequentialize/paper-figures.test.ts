/**
 * The running examples of the papers, from the labels to the last line of the emitted C. What Fig. 3 and 4 of "Bounded
 * Model Checking of Multi-Threaded C Programs via Lazy Sequentialization" (CAV 2014) show is compared mechanically; the
 * rest is in goldens for both schemas and both granularities, next to those of the passes. docs/sequentialization.md
 * says where the emitted C differs from the figures, and why.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../test/support/golden.ts';
import { cbmc } from '../backends/cbmc.ts';
import { readProgram } from '../frontend/front-end.ts';
import { boundProgram } from '../passes/pipeline.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import type { Program } from '../program/tree.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import type { Loc } from '../support/source.ts';
import { findWidths } from './find-widths.ts';
import { type Sequentialized, type SequentializeOptions, sequentialize } from './sequentialize.ts';

const folder = new URL('../../test/golden/passes/', import.meta.url);

interface Emitted extends Sequentialized {
  /** The source line of a place, without what surrounds it. */
  readonly lineOf: (loc: Loc) => string;
}

interface Choice {
  readonly schema: SequentializeOptions['schema'];
  readonly atomicStatements: boolean;
  readonly bitvectors?: boolean;
}

/** With an unwinding bound of 2, as in the figures, and two rounds. */
function emit(example: string, { schema, atomicStatements, bitvectors }: Choice): Emitted {
  const text = readFileSync(new URL(`${example}.c`, folder), 'utf8');
  const { program } = readProgram({ fileName: `${example}.c`, text, dataModel: 'ILP32', models: true });
  const options = { ...DEFAULT_BOUND_OPTIONS, unwind: 2, atomicStatements };
  const bounded = boundProgram(program as Program, options, new DiagnosticSink()) as BoundedProgram;
  const output = sequentialize(bounded, {
    schema,
    rounds: 2,
    closingMain: false,
    schedule: null,
    spelling: cbmc.spelling,
    lineDirectives: false,
    widths: bitvectors ? widthsOf(program as Program, bounded) : undefined,
  });
  const lines = text.split('\n');
  const lineOf = (loc: Loc) => lines[(bounded.sources.place(loc)?.line ?? 0) - 1]?.trim() ?? '';
  return { ...output, lineOf };
}

const limits = { terms: 1_000_000, steps: 100_000, constantIterations: 1_000, poll: () => {} };

function widthsOf(program: Program, bounded: BoundedProgram): SequentializeOptions['widths'] {
  const found = findWidths(program, bounded, limits);
  return found.kind === 'widths' ? found.widths : undefined;
}

/** The text of a function of the emitted file, line by line. */
function linesOf({ text }: Sequentialized, functionName: string): string[] {
  const start = text.indexOf(` ${functionName}(void) {`);
  return text.slice(start, text.indexOf('\n}', start)).split('\n');
}

/** The control code of a thread function, in the words of the figures: `3:`, `J(3,4)`, `G(4)`. */
function controlOf(emitted: Sequentialized, functionName: string): string {
  const words = linesOf(emitted, functionName).flatMap((line) => {
    const label = /^\s*__lazuli_(\d+):$/.exec(line);
    if (label) return [`${label[1]}:`];
    const macro = /^\s*__lazuli_([JG])\((.*)\);$/.exec(line);
    return macro ? [`${macro[1]}(${macro[2]?.replaceAll(' ', '')})`] : [];
  });
  return words.join(' ');
}

/** By label, the source line of the first statement behind it. */
function statementsOf(emitted: Emitted, functionName: string): string[] {
  const lines = emitted.text.split('\n');
  const places = emitted.lineMap.flat();
  const start = lines.findIndex((line) => line.includes(` ${functionName}(void) {`));
  const found: string[] = [];
  for (let at = start; lines[at] !== '}'; at++) {
    if (/^\s*__lazuli_J\(/.test(lines[at] as string)) found.push(emitted.lineOf(places[at + 1] as Loc));
  }
  return found;
}

const FIG_3 = { schema: 'cav14', atomicStatements: true } as const;

describe('Fig. 3, with the first schema and atomic statements', () => {
  const emitted = emit('producer-consumer', FIG_3);

  it('has the labels of the figure before the statements of the figure', () => {
    const producer = [
      'int tmp = *(int *)b;',
      'pthread_mutex_lock(&m);',
      'if (c > 0)',
      'c++;',
      'c = 0;',
      'c++;',
      'c++;',
      // In the figure the cut is part of the step before it.
      'while (tmp > 0) {',
      'pthread_mutex_unlock(&m);',
    ];
    for (const name of ['P_1', 'P_2']) expect(statementsOf(emitted, name)).toEqual(producer);
    for (const name of ['C_3', 'C_4'])
      expect(statementsOf(emitted, name)).toEqual(['__VERIFIER_assume(c > 0);', 'c--;']);
    expect(statementsOf(emitted, 'main_0')).toEqual([
      // In the figure these are initializers, before label 0.
      'int x = 1, y = 5;',
      'pthread_create(&p0, 0, P, &x);',
      'pthread_create(&p1, 0, P, &y);',
      'pthread_create(&c0, 0, C, 0);',
      'pthread_create(&c1, 0, C, 0);',
    ]);
    expect(emitted.threads.map(({ size }) => size)).toEqual([5, 9, 9, 2, 2]);
  });

  it('has the jumps and guards of the figure', () => {
    // The figure has a label 0, which nothing jumps to, none before the cut (here 7), and at the end `goto _P0; _P0:
    // G(8)`, which skips nothing.
    const jumps = (last: number) =>
      Array.from({ length: last }, (_, i) => `${i === 0 ? '' : `${i}: `}J(${i},${i + 1})`).join(' ');
    expect(controlOf(emitted, 'main_0')).toBe(`${jumps(5)} 5:`);
    const ofProducer =
      'J(0,1) 1: J(1,2) 2: J(2,3) 3: J(3,4) G(4) 4: J(4,5) 5: J(5,6) 6: J(6,7) 7: J(7,8) G(8) G(8) 8: J(8,9) 9:';
    for (const name of ['P_1', 'P_2']) expect(controlOf(emitted, name)).toBe(ofProducer);
    for (const name of ['C_3', 'C_4']) expect(controlOf(emitted, name)).toBe(`${jumps(2)} 2:`);
  });

  it('has the variables and macros of the figure', () => {
    expect(emitted.text).toContain('__lazuli_active[5] = {1, 0, 0, 0, 0};');
    expect(emitted.text).toContain('__lazuli_size[5] = {5, 9, 9, 2, 2};');
    expect(emitted.text).toContain(
      '#define __lazuli_J(A, B) if (__lazuli_pc[__lazuli_ct] > A || A >= __lazuli_cs) goto __lazuli_##B',
    );
    expect(emitted.text).toContain('#define __lazuli_G(L) __CPROVER_assume(__lazuli_cs >= L)');
  });

  it('has the driver of Fig. 4', () => {
    const driver = linesOf(emitted, 'main').join('\n');
    for (const [thread, name] of ['main_0', 'P_1', 'P_2', 'C_3', 'C_4'].entries()) {
      expect(driver).toContain(`    __lazuli_ct = ${thread};
    if (__lazuli_active[${thread}]) {
      __lazuli_cs = __lazuli_pc[${thread}] + nondet_uint();
      __CPROVER_assume(__lazuli_cs >= __lazuli_pc[${thread}] && __lazuli_cs <= __lazuli_size[${thread}]);
      ${name}();
      __lazuli_pc[${thread}] = __lazuli_cs;
    }`);
    }
  });
});

describe('the second schema', () => {
  it('has variables for each thread, as wide as its number of labels needs', () => {
    const { text, threads } = emit('producer-consumer', { schema: 'lazy2', atomicStatements: true });
    for (const { number, size } of threads) {
      const bits = size.toString(2).length;
      expect(text).toContain(`static __lazuli_bits_${bits} __lazuli_pc_${number}, __lazuli_cs_${number};`);
    }
  });

  it('guesses and checks all before the first thread runs', () => {
    const driver = linesOf(emit('producer-consumer', { schema: 'lazy2', atomicStatements: true }), 'main');
    const isGuess = (line: string) => line.includes('nondet_uint()') || /assume\(\w+ <= /.test(line);
    const lastGuess = driver.findLastIndex(isGuess);
    const firstRun = driver.findIndex((line) => line.includes('main_0();'));
    expect(driver.filter(isGuess)).toHaveLength(15);
    expect(lastGuess).toBeLessThan(firstRun);
  });
});

describe('the emitted C of the running examples', () => {
  for (const example of ['producer-consumer', 'producer-consumer-locked']) {
    for (const atomicStatements of [false, true]) {
      for (const schema of ['cav14', 'lazy2'] as const) {
        const name = `${example}.${atomicStatements ? 'atomic' : 'fine'}.emitted-${schema}`;
        it(`is ${name}`, async () => {
          await expectGolden(`passes/${name}.txt`, emit(example, { schema, atomicStatements }).text);
        });
      }
    }
  }

  it('has the widths of Fig. 3.1 of the thesis on request', async () => {
    const { text } = emit('producer-consumer', { schema: 'lazy2', atomicStatements: true, bitvectors: true });
    await expectGolden('passes/producer-consumer.atomic.emitted-lazy2-bitvectors.txt', text);
  });
});
