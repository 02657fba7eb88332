// Hostile nesting is refused before any stack overflows, long chains are not nesting. The texts are parsed in a process
// of its own with HALF of Node's default stack, since the test runner's threads have a larger one.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { longTexts, nestedTexts, unclosedTexts } from '../../../test/support/hostile-nesting.ts';
import { NESTING_LIMIT } from './parser.ts';

const HALF_OF_THE_DEFAULT_STACK_KB = 492;

const SCRIPT = `
  import { longTexts, nestedTexts, unclosedTexts } from './test/support/hostile-nesting.ts';
  import { describeDiagnostics, parseText } from './test/support/parse-text.ts';
  const outcome = (text) => {
    try {
      return describeDiagnostics(parseText(text));
    } catch (error) {
      return ['thrown: ' + error];
    }
  };
  const outcomes = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, outcome(text)]));
  process.stdout.write(JSON.stringify({
    nested: outcomes(nestedTexts(5_000)),
    moderate: outcomes(nestedTexts(20)),
    unclosed: outcomes(unclosedTexts(5_000)),
    long: outcomes(longTexts(50_000)),
  }));
`;

type Outcomes = Record<'nested' | 'moderate' | 'unclosed' | 'long', Record<string, string[]>>;
let outcomes: Outcomes;

beforeAll(() => {
  const resolveDir = fileURLToPath(new URL('../../..', import.meta.url));
  const stdin = { contents: SCRIPT, resolveDir, loader: 'ts' as const };
  const bundle = buildSync({ stdin, bundle: true, write: false, platform: 'node', format: 'cjs' });
  const options = { input: bundle.outputFiles[0]?.text, encoding: 'utf8' as const, maxBuffer: 1 << 26 };
  const run = spawnSync(process.execPath, [`--stack-size=${HALF_OF_THE_DEFAULT_STACK_KB}`, '-'], options);
  outcomes = JSON.parse(run.stdout) as Outcomes;
});

describe('nesting', () => {
  const refusal = `nested too deeply: more than ${NESTING_LIMIT} levels`;

  it.each(Object.keys(nestedTexts(1)))('refuses deep nesting of %s with one error', (name) => {
    expect(outcomes.nested[name]).toEqual([expect.stringContaining(refusal)]);
  });

  it.each(Object.keys(nestedTexts(1)).filter((name) => !/^all|everything|chains/.test(name)))(
    'accepts moderate nesting of %s',
    (name) => {
      expect(outcomes.moderate[name]).toEqual([]);
    },
  );

  it.each(Object.keys(unclosedTexts(1)))('survives %s without end', (name) => {
    const messages = outcomes.unclosed[name] ?? [];
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => message.startsWith('thrown'))).toEqual([]);
  });

  it.each(Object.keys(longTexts(1)))('reads a long text: %s', (name) => {
    expect(outcomes.long[name]).toEqual([]);
  });
});
