import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Backend, Verifier, VerifierOutput } from '../backends/backend.ts';
import { cbmc } from '../backends/cbmc.ts';
import { readByPatterns } from '../backends/read-by-patterns.ts';
import { runBackend } from './run-backend.ts';

/** A verifier that is a script for Node. */
function scripted(script: string, prepare: Verifier['prepare'] = null): { backend: Backend; verifier: Verifier } {
  const verifier: Verifier = {
    prepare,
    run: { command: process.execPath, arguments: ['-e', script, '--', '{model}', '{options}', '{file}', '{output}'] },
    files: { 'extra.txt': 'beside' },
    dataModels: { ILP32: ['--32'], LP64: ['--64'] },
    readAnswer: readByPatterns({ title: 'Tool', violation: /^BAD/m, safe: /^GOOD/m }),
    readProgress: (text) => /step \d/.exec(text)?.[0] ?? null,
  };
  return { backend: { ...cbmc, title: 'Tool', verifier }, verifier };
}

const text = 'int main(void) { return 0; }\n';
const run = (script: string, more: object = {}) =>
  runBackend({ ...scripted(script), text, dataModel: 'ILP32', ...more });

describe('runBackend', () => {
  it('hands over the program, the data model and the options, and reads the answer', async () => {
    const told: string[] = [];
    const script = `
      const { readFileSync } = require('node:fs');
      const [model, option, file] = process.argv.slice(1);
      console.log('step 1', model, option);
      console.log(readFileSync(file, 'utf8').includes('int main') ? 'GOOD' : 'BAD', readFileSync('extra.txt', 'utf8'));`;
    const result = await run(script, { options: ['--fast'], onProgress: (progress: string) => told.push(progress) });
    expect(result.answer.kind).toBe('safe');
    expect(result.stdout).toBe('step 1 --32 --fast\nGOOD beside\n');
    expect(told).toEqual(['step 1']);
  });

  it('gives the verifier a folder for temporary files, which goes with everything in it', async () => {
    const script = `
      const { tmpdir } = require('node:os');
      require('node:fs').writeFileSync(tmpdir() + '/left-behind', '');
      console.log('GOOD', tmpdir());`;
    const { stdout } = await run(script);
    const folder = stdout.trim().replace('GOOD ', '');
    expect(folder).toMatch(/lazuli-[^/]*\/tmp$/);
    expect(existsSync(path.dirname(folder))).toBe(false);
  });

  it('gives a reason in one line when the verifier ends in any other way', async () => {
    const reason = async (script: string, more?: object) => {
      const { answer } = await run(script, more);
      return answer.kind === 'unknown' ? answer.reason : answer.kind;
    };
    expect(await reason('process.exit(3)')).toBe('Tool gave no verdict (exit code 3)');
    expect(await reason('console.error("why"); process.kill(process.pid, "SIGABRT")')).toBe(
      'Tool crashed (SIGABRT): why',
    );
    expect(await reason('process.kill(process.pid, "SIGKILL")')).toBe(
      'Tool crashed (SIGKILL, perhaps because the machine ran out of memory)',
    );
    expect(await reason('setInterval(() => {}, 100)', { timeoutMs: 300 })).toBe('Tool did not finish within 0.3 s');
    const greedy = 'const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 26, 1)), 20)';
    expect(await reason(greedy, { memoryLimitBytes: 200 * 2 ** 20 })).toBe(
      'Tool needs more than the 200 MB that it may use',
    );
    expect(await reason('0', { executable: '/no/such/tool' })).toBe(
      'cannot run /no/such/tool: it is not installed, or not on the PATH',
    );
  });

  it('finds an executable by a path that starts where we are', async () => {
    const executable = path.relative(process.cwd(), process.execPath);
    expect((await run('console.log("GOOD")', { executable })).answer.kind).toBe('safe');
  });

  it('asks once more, in another way, when the verifier crashes with an answer in sight', async () => {
    const { verifier, ...scripts } = scripted('console.log("FOUND"); process.kill(process.pid, "SIGABRT")', null);
    const afterCrash = {
      isOfUse: ({ stdout }: VerifierOutput) => stdout.includes('FOUND'),
      run: { command: process.execPath, arguments: ['-e', 'console.log("GOOD")'] },
      readAnswer: verifier.readAnswer,
    };
    const ask = (more: object) =>
      runBackend({
        ...scripts,
        verifier: { ...verifier, afterCrash: { ...afterCrash, ...more } },
        text,
        dataModel: 'LP64',
      });
    expect((await ask({})).answer.kind).toBe('safe');
    expect((await ask({ isOfUse: () => false })).answer).toMatchObject({ kind: 'unknown' });
  });

  it('prepares first, and stops when that fails', async () => {
    const prepare = {
      command: process.execPath,
      arguments: ['-e', 'require("fs").writeFileSync(process.argv[1], "")', '{output}'],
    };
    const script = 'console.log(require("fs").existsSync(process.argv[3]) ? "GOOD" : "BAD")';
    const prepared = await runBackend({ ...scripted(script, prepare), text, dataModel: 'LP64' });
    expect(prepared.answer.kind).toBe('safe');
    const failing = { command: process.execPath, arguments: ['-e', 'console.error("no"); process.exit(1)'] };
    const failed = await runBackend({ ...scripted(script, failing), text, dataModel: 'LP64' });
    expect(failed.answer).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/failed \(exit code 1\): no$/),
    });
    const missing = await runBackend({
      ...scripted(script, { command: 'no-such-compiler', arguments: [] }),
      text,
      dataModel: 'LP64',
    });
    expect(missing.answer).toEqual({
      kind: 'unknown',
      reason: 'cannot run no-such-compiler: it is not installed, or not on the PATH',
    });
  });
});
