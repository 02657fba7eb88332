/**
 * Both schemas, with both granularities, against an enumeration of all round-robin executions of small random programs:
 * two threads of assignments and tests on three variables, and an assertion in main. CBMC's answer must be that of the
 * enumeration, also where only schedules in normal form are asked for.
 *
 * Then the same for random programs with all that C and threads have to offer, against the enumeration of all
 * interleavings at the same granularity. LAZULI_SCHEMAS_COUNT and LAZULI_SCHEMAS_SEED ask for more, or others.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/support/random.ts';
import { randomThreads } from '../support/random-threads.ts';
import { askCbmc, boundSample, compareSchemas, readSample } from '../support/schema-agreement.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_SCHEMAS_COUNT ?? 4);
const FIRST_SEED = Number(process.env.LAZULI_SCHEMAS_SEED ?? 1);
const SEEDS = Array.from({ length: COUNT }, (_, i) => FIRST_SEED + i);
/** For the programs that take four runs of CBMC and more each. */
const RANDOM_SEEDS = process.env.LAZULI_SCHEMAS_COUNT === undefined ? SEEDS.slice(2) : SEEDS;
/** Of the small programs, every third is tried with one round more. */
const roundsOf = (seed: number) => (seed % 3 === 0 ? 3 : 2);
const FORMS = [
  { schema: 'cav14' },
  { schema: 'lazy2', normalForm: false },
  { schema: 'lazy2', normalForm: true },
] as const;
const VARIABLES = ['a', 'b', 'c'];

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `to = from + add`, guarded by `test == value` if there is a test. */
interface Operation {
  readonly to: number;
  readonly from: number | null;
  readonly add: number;
  readonly test: { readonly variable: number; readonly value: number } | null;
}

interface Sample {
  readonly threads: readonly (readonly Operation[])[];
  readonly asserted: { readonly variable: number; readonly value: number };
}

function generate(random: Random): Sample {
  const operation = (): Operation => ({
    to: random.below(3),
    from: random.chance(2, 3) ? random.below(3) : null,
    add: random.below(3),
    test: random.chance(1, 3) ? { variable: random.below(3), value: random.below(2) } : null,
  });
  const threads = [0, 1].map(() => Array.from({ length: 2 + random.below(2) }, operation));
  return { threads, asserted: { variable: random.below(3), value: 2 + random.below(4) } };
}

function printSample({ threads, asserted }: Sample): string {
  const statement = ({ to, from, add, test }: Operation) => {
    const guard = test ? `if (${VARIABLES[test.variable]} == ${test.value}) ` : '';
    return `  ${guard}${VARIABLES[to]} = ${from === null ? '' : `${VARIABLES[from]} + `}${add};\n`;
  };
  const bodies = threads.map((body, i) => `void *t${i}(void *p) {\n${body.map(statement).join('')}  return 0;\n}\n`);
  return `#include <assert.h>\n#include <pthread.h>\nint a, b, c;\n${bodies.join('')}int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, t0, 0);
  pthread_create(&y, 0, t1, 0);
  assert(${VARIABLES[asserted.variable]} != ${asserted.value});
  return 0;
}\n`;
}

// ---------------------------------------------------------------- enumeration

interface State {
  readonly values: number[];
  readonly places: number[];
  /** What each thread has read, and whether its last test failed. */
  readonly read: number[];
  readonly skips: boolean[];
  readonly created: number;
}

type Step = (state: State, thread: number) => State | 'violation';

/** The steps of an operation; with atomic statements, the test and the assignment are one step each. */
function stepsOf({ to, from, add, test }: Operation, atomic: boolean): Step[] {
  const change = (
    state: State,
    thread: number,
    changed: Partial<Record<'value' | 'read', number>>,
    skip?: boolean,
  ) => ({
    ...state,
    values: state.values.map((value, i) => (i === to && changed.value !== undefined ? changed.value : value)),
    read: state.read.map((value, i) => (i === thread && changed.read !== undefined ? changed.read : value)),
    skips: state.skips.map((value, i) => (i === thread && skip !== undefined ? skip : value)),
  });
  const steps: Step[] = [
    (state, thread) => change(state, thread, {}, test ? state.values[test.variable] !== test.value : false),
  ];
  const readFrom = (state: State) => (from === null ? 0 : (state.values[from] as number));
  if (atomic || from === null) {
    steps.push((state, t) => (state.skips[t] ? state : change(state, t, { value: readFrom(state) + add })));
    return test ? steps : [(state, t) => change(state, t, { value: readFrom(state) + add })];
  }
  const load: Step = (state, t) => (state.skips[t] ? state : change(state, t, { read: readFrom(state) }));
  const store: Step = (state, t) =>
    state.skips[t] ? state : change(state, t, { value: (state.read[t] as number) + add });
  return test ? [...steps, load, store] : [steps[0] as Step, load, store];
}

function canFail({ threads, asserted }: Sample, atomic: boolean, rounds: number): boolean {
  const create: Step = (state) => ({ ...state, created: state.created + 1 });
  const check: Step = (state) => (state.values[asserted.variable] === asserted.value ? 'violation' : state);
  const programs: Step[][] = [
    [create, create, check],
    ...threads.map((body) => body.flatMap((o) => stepsOf(o, atomic))),
  ];
  const seen = new Set<string>();
  const explore = (state: State, round: number, thread: number): boolean => {
    const key = JSON.stringify([state, round, thread]);
    if (seen.has(key)) return false;
    seen.add(key);
    const place = state.places[thread] as number;
    const step = thread <= state.created ? programs[thread]?.[place] : undefined;
    if (step) {
      const next = step(state, thread);
      if (next === 'violation') return true;
      const places = next.places.map((at, i) => (i === thread ? at + 1 : at));
      if (explore({ ...next, places }, round, thread)) return true;
    }
    if (thread < 2) return explore(state, round, thread + 1);
    return round + 1 < rounds && explore(state, round + 1, 0);
  };
  const start: State = {
    values: [0, 0, 0],
    places: [0, 0, 0],
    read: [0, 0, 0],
    skips: [false, false, false],
    created: 0,
  };
  return explore(start, 0, 0);
}

// ---------------------------------------------------------------- the comparison

describe('schemas and enumeration', () => {
  for (const seed of SEEDS) {
    for (const atomic of [false, true]) {
      it(`agree: seed ${seed}${atomic ? ', atomic statements' : ''}`, { timeout: 60_000 }, () => {
        const sample = generate(createRandom(seed));
        const text = printSample(sample);
        const rounds = roundsOf(seed);
        const expected = canFail(sample, atomic, rounds) ? 'FAILED' : 'SUCCESSFUL';
        const tool = requireTool('cbmc');
        const bounded = boundSample(readSample(text), atomic);
        expect(bounded.threads).toHaveLength(3);
        for (const form of tool === null ? [] : FORMS) {
          const question = { ...form, rounds, closingMain: false };
          expect(askCbmc(tool as string, folder, bounded, question), `${JSON.stringify(form)}\n${text}`).toBe(expected);
        }
      });
    }
  }
});

// ---------------------------------------------------------------- programs with more features

describe('both schemas, with both granularities, and the enumeration of random programs', () => {
  let compared = 0;
  for (const seed of RANDOM_SEEDS) {
    it(`agree: seed ${seed}`, { timeout: 400_000 }, () => {
      const kind = (['hasLibrary', 'hasLifetimes', 'hasBytes'] as const)[seed % 3] ?? 'hasLibrary';
      const text = randomThreads({ seed, size: 2, [kind]: true, hasSetup: seed % 4 < 2 });
      const tool = requireTool('cbmc');
      if (tool === null) return;
      const answers = compareSchemas(tool, folder, text, seed % 2 === 0);
      expect(answers).toHaveLength(4);
      for (const { schema, atomicStatements, ...answer } of answers) {
        const what = `${schema}${atomicStatements ? ', atomic statements' : ''}`;
        expect(answer.kind, `${what}: ${'message' in answer ? answer.message : ''}`).not.toBe('differ');
        if (answer.kind !== 'skipped') compared++;
      }
    });
  }

  it('are compared, for the most part', () => {
    if (requireTool('cbmc') !== null) expect(compared).toBeGreaterThanOrEqual(2 * RANDOM_SEEDS.length);
  });
});
