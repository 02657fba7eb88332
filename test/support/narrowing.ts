// Emits programs in declared widths and in narrow ones, asks CBMC about both, and makes it look for values that narrow
// integers would lose.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { cbmc as cbmcBackend } from '../../src/backends/cbmc.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import { findWidths } from '../../src/sequentialize/find-widths.ts';
import { sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { requireTool } from './tools.ts';

const limits = { terms: 1_000_000, steps: 100_000, constantIterations: 1_000, poll: () => {} };

/** The program in declared widths and in narrow ones; the reason if it has none. */
export function emitBoth(text: string, unwind = 2, rounds = 2): { readonly wide: string; readonly narrow: string } {
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const bounded = program && boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, unwind }, new DiagnosticSink());
  if (program === null || bounded === null) throw new Error('the program is wrong');
  const options = { schema: 'lazy2', rounds, closingMain: true, schedule: null, lineDirectives: false } as const;
  const found = findWidths(program, bounded, limits);
  const spelling = cbmcBackend.spelling;
  const wide = sequentialize(bounded, { ...options, spelling }).text;
  if (found.kind === 'none') return { wide, narrow: found.reason };
  return { wide, narrow: sequentialize(bounded, { ...options, spelling, widths: found.widths }).text };
}

interface CbmcAnswer {
  readonly verdict: 'safe' | 'unsafe' | 'error';
  readonly variables: number;
  readonly output: string;
}

export function runCbmc(text: string): CbmcAnswer | null {
  const tool = requireTool('cbmc');
  if (tool === null) return null;
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-narrow-'));
  const file = path.join(folder, 'checked.c');
  writeFileSync(file, text);
  const { stdout } = spawnSync(tool, ['--32', file], { encoding: 'utf8', timeout: 60_000 });
  rmSync(folder, { recursive: true });
  const isSafe = stdout.includes('VERIFICATION SUCCESSFUL');
  const verdict = isSafe ? 'safe' : stdout.includes('VERIFICATION FAILED') ? 'unsafe' : 'error';
  return { verdict, variables: Number(/(\d+) variables/.exec(stdout)?.[1] ?? 0), output: stdout };
}

const TYPE = '(__lazuli_(?:bits|signed)_\\d+)';
const DECLARATION = new RegExp(`^( *)(?:static )?${TYPE} (\\*?)([A-Za-z_]\\w*)[^,(]*;$`);
const ASSIGNMENT = /^ +(\*?)([A-Za-z_][\w.>[\]()-]*) = (.*);$/;

/**
 * Asserts before each assignment to a narrow integer that the value fits, but for values that nobody has chosen.
 * Members must have names of their own.
 */
function assertThatValuesFit(text: string): { readonly text: string; readonly count: number } {
  const globals = new Map<string, string>();
  const members = new Map<string, string>();
  let locals = new Map<string, string>();
  let isRecord = false;
  let count = 0;
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('static void')) locals = new Map();
    if (/^(typedef )?struct .*\{$/.test(line)) isRecord = true;
    if (line.startsWith('}')) isRecord = false;
    const [, indent, declared, star, entity = ''] = DECLARATION.exec(line) ?? [];
    if (declared) (isRecord ? members : indent === '' ? globals : locals).set(`${star}${entity}`, declared);
    const [, followed = '', place = '', value = ''] = ASSIGNMENT.exec(line) ?? [];
    const name = place.replace(/(\[[^\]]*\])+$/, '');
    const member = /(?:\.|->)(\w+)$/.exec(name)?.[1];
    const type = member ? members.get(member) : (locals.get(followed + name) ?? globals.get(followed + name));
    if (type === undefined || value.includes('nondet_') || /^__lazuli_(pc|cs)_/.test(name)) return [line];
    count++;
    // What is printed without a conversion may be unsigned and mean a negative number.
    const asInt = `sizeof(${value}) <= sizeof(int) && (int)(${type})(${value}) == (int)(${value})`;
    const isKept = `(long long)(${type})(${value}) == (long long)(${value}) || (${asInt})`;
    return [`__CPROVER_assert(${isKept}, "fits");`, line];
  });
  return { text: lines.join('\n'), count };
}

/** CBMC gives the same verdict both ways, and no value that is assigned gets lost. Does nothing without CBMC. */
export function expectSameVerdict(text: string, unwind = 2, rounds = 2): void {
  const { wide, narrow } = emitBoth(text, unwind, rounds);
  const before = runCbmc(wide);
  const after = runCbmc(narrow);
  if (before === null || after === null) return;
  expect(before.verdict).not.toBe('error');
  expect(after.verdict).toBe(before.verdict);
  const fitting = assertThatValuesFit(narrow);
  expect(fitting.count).toBeGreaterThan(0);
  const checked = runCbmc(fitting.text);
  expect(checked?.verdict).not.toBe('error');
  expect(checked?.output).not.toMatch(/fits: FAILURE/);
}
