// The programs in test/programs, sequentialized and given to CBMC with the bounds that their first lines name: it must
// say what the engine says, and what it finds must be confirmed on the interpreter. Only some are tried unless
// LAZULI_ALL_PROGRAMS is set: CBMC takes a second or more for each.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cbmc } from '../../src/backends/cbmc.ts';
import { replayTrace } from '../../src/backends/replay-trace.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { runBackend } from '../../src/host/run-backend.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import { sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { readProgramHeader } from '../support/program-header.ts';
import { requireTool } from '../support/tools.ts';

const folder = fileURLToPath(new URL('../programs/', import.meta.url));

/** Tried always. */
const QUICK = [
  'declaration-passed-by',
  'guarded-scope',
  'key-destructors',
  'new-in-each-iteration',
  'section-that-never-ends',
  'torn-copy',
];

/** What the emitted C does not tell, or CBMC does not know. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['safe/address-in-two-halves', "the upper bits of CBMC's addresses are the number of the object"],
  ['safe/flexible-array-of-static', 'CBMC ends itself at an initializer of a flexible member'],
  ['safe/negative-result', "the upper bits of CBMC's addresses are the number of the object"],
  ['safe/pointer-slots-on-heap', 'CBMC takes minutes'],
  ['safe/tag-in-upper-bits', "the upper bits of CBMC's addresses are the number of the object"],
  ['unsafe/mapped-memory', 'that memory was unmapped is no check here'],
  ['unsafe/ended-local-of-main', 'local variables live as long as their thread'],
  ['unsafe/ended-local-sequential', 'local variables live as long as their thread'],
  ['unsafe/locals-end-together', 'local variables live as long as their thread'],
  ['unsafe/local-after-thread-exit', 'variables of threads live as long as the program'],
  ['unsafe/local-of-main-after-exit', 'variables of threads live as long as the program'],
  ['unsafe/thread-local-after-end', 'variables of threads live as long as the program'],
  ['unsafe/flexible-array', 'how often the loop runs is in memory, so that it needs a larger bound'],
]);

const TIMEOUT_MS = 120_000;

async function ask(name: string): Promise<string> {
  const text = readFileSync(`${folder}${name}.c`, 'utf8');
  const { unwind, rounds, dataModel, defines } = readProgramHeader(text);
  const { program } = readProgram({ fileName: `${name}.c`, text, dataModel, defines, models: true });
  const sink = new DiagnosticSink();
  const options = { ...DEFAULT_BOUND_OPTIONS, unwind };
  const bounded = program && boundProgram(program, options, sink);
  const code = program && lowerProgram(program, DEFAULT_LOWER_OPTIONS, sink);
  const { spelling, verifier } = cbmc;
  if (!bounded || !code || !verifier) return sink.all.map(({ message }) => message).join('\n');
  const fixed = { closingMain: true, schedule: null, lineDirectives: false, cutsOffUnsupported: true } as const;
  const output = sequentialize(bounded, { ...fixed, rounds, schema: 'lazy2', spelling });
  const request = { backend: cbmc, verifier, text: output.text, dataModel, timeoutMs: TIMEOUT_MS - 20_000 } as const;
  const { answer } = await runBackend(request);
  if (answer.kind !== 'violation') return answer.kind;
  const { steps, description } = answer;
  const { checks } = DEFAULT_LOWER_OPTIONS;
  const clock = () => performance.now();
  const replayed = replayTrace({ steps, description, output, drawing: 'nondet_', bounded, code, checks, clock });
  return replayed.kind === 'replayed' ? 'unsafe' : replayed.reason;
}

describe.each(['safe', 'unsafe'])('programs that are %s', (verdict) => {
  const names = readdirSync(`${folder}${verdict}`).map((file) => file.replace(/\.c$/, ''));
  const isTried = (name: string) => process.env.LAZULI_ALL_PROGRAMS !== undefined || QUICK.includes(name);
  const tried = names.filter((name) => isTried(name) && !EXCEPTIONS.has(`${verdict}/${name}`));

  it.each(tried)('%s', { timeout: TIMEOUT_MS }, async (name) => {
    if (requireTool('cbmc') === null) return;
    expect(await ask(`${verdict}/${name}`)).toBe(verdict);
  });

  it('have the exceptions that are named', () => {
    for (const name of EXCEPTIONS.keys()) {
      const [folderName, file] = name.split('/') as [string, string];
      if (folderName === verdict) expect(names).toContain(file);
    }
  });
});

describe('a program that makes pointers from numbers', () => {
  const names = ['tag-in-upper-bits', 'negative-result'];
  it.each(names)('is not taken for unsafe because of their bits: %s', { timeout: TIMEOUT_MS }, async (name) => {
    if (requireTool('cbmc') === null) return;
    expect(await ask(`safe/${name}`)).toContain('the program makes pointers from numbers');
  });
});
