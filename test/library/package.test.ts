// The package as users get it: packed, installed in an empty folder, with the examples of docs/api.md type-checked and
// run there, as an ES module and in CommonJS.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildInto } from '../../scripts/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-package-'));

/** The code of the page in a language, and what the page says after it. */
function exampleOf(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
}

function run(file: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Without node_modules of ours above it: what is not in the package is not there. */
beforeAll(async () => {
  const source = path.join(folder, 'source');
  for (const name of ['bin', 'docs', 'examples', 'package.json', 'README.md'])
    cpSync(path.join(root, name), path.join(source, name), { recursive: true });
  await buildInto(path.join(source, 'dist'), { withCaches: false, withDeclarations: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source, stdio: 'pipe' });
  rmSync(source, { recursive: true });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], {
    cwd: folder,
    stdio: 'pipe',
  });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', { timeout: 120_000 }, () => {
  it('needs no other', () => {
    const names = readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names).toEqual(['lazuli']);
  });

  it.each(['node16', 'bundler'])('has the types that the page tells, with moduleResolution %s', (moduleResolution) => {
    writeFileSync(path.join(folder, 'example.mts'), exampleOf('ts'));
    const asCommonJs = exampleOf('js').replace(/const (.*) = require\((.*)\)/, 'import $1 = require($2)');
    writeFileSync(
      path.join(folder, 'example.cts'),
      asCommonJs.replace('{ verify }', 'lazuli').replace(/^verify/m, 'lazuli.verify'),
    );
    const module = moduleResolution === 'bundler' ? 'ESNext' : 'Node16';
    const files = moduleResolution === 'bundler' ? ['example.mts'] : ['example.mts', 'example.cts'];
    const options = ['--strict', '--noEmit', '--target', 'ES2022', '--module', module, '--types', ''];
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(
      process.execPath,
      [tsc, ...options, '--moduleResolution', moduleResolution, '--lib', 'ES2023,DOM', ...files],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  });

  it('runs the example of the page as an ES module', () => {
    writeFileSync(path.join(folder, 'example.mjs'), exampleOf('ts'));
    const { status, stdout, stderr } = run('example.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const printed = /It prints\n\n```\n([^`]*)```/.exec(page)?.[1] ?? '';
    expect(printed).not.toBe('');
    expect(stdout.startsWith(printed), stdout).toBe(true);
  });

  it('runs the example of the page in CommonJS', () => {
    writeFileSync(path.join(folder, 'example.cjs'), exampleOf('js'));
    expect(run('example.cjs')).toEqual({ status: 0, stdout: 'safe\n', stderr: '' });
  });

  it('tells progress, takes files, and rejects what does not fit or is aborted', () => {
    const program = '#include <assert.h>\nint main(void) { int i = 0; while (i < 3) i++; assert(i == 3); return 0; }\n';
    writeFileSync(path.join(folder, 'loop.c'), program);
    const script = `
      import { UsageError, verify } from 'lazuli';
      const loop = { files: ['loop.c'] };
      const events = new Set();
      const { program, outcome } = await verify(loop, { explore: false, onProgress: ({ kind }) => events.add(kind) });
      console.log(program, outcome.kind, ['formula', 'stage', 'time'].every((kind) => events.has(kind)), events.has('approximations'));
      const refusal = (input, options) => verify(input, options).catch((error) => error);
      console.log((await refusal(loop, { unwindset: new Map([['main.9', 2]]) })) instanceof UsageError);
      for (const [input, options] of [
        [{ files: ['nowhere.c'] }],
        [{}],
        [loop, { roundz: 2 }],
        [loop, { checks: ['assertions'] }],
        [loop, { memoryModel: 'TSO' }],
      ]) {
        const error = await refusal(input, options);
        console.log(error instanceof UsageError, error.message);
      }
      console.log((await refusal(loop, { onProgress: () => { throw new Error('of the listener'); } })).message);
      console.log((await refusal(loop, { signal: AbortSignal.abort('no more') })));
      const endless = { text: 'int main(void) { for (;;) { } }' };
      const controller = new AbortController();
      const onProgress = ({ kind }) => { if (kind === 'stage') controller.abort('enough'); };
      console.log(await refusal(endless, { onProgress, signal: controller.signal }));
      console.log((await verify({ text: 'int main(void) { retrun 0; }' })).diagnostics[0].place);
    `;
    writeFileSync(path.join(folder, 'library.mjs'), script);
    const { stdout, stderr } = run('library.mjs');
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'loop.c safe true false',
      'true',
      "true cannot use 'nowhere.c': no such file or directory",
      'true there is neither a text nor files',
      "true there is no option 'roundz'",
      "true there is no check 'assertions'",
      "true the option 'memoryModel' is one of sc, tso, pso",
      'of the listener',
      'no more',
      'enough',
      "{ file: 'program.c', line: 1, column: 24 }",
    ]);
  });

  it('has the command', () => {
    const { stdout } = spawnSync(path.join(folder, 'node_modules/.bin/lazuli'), ['--version'], { encoding: 'utf8' });
    expect(stdout).toMatch(/^lazuli \d/);
  });
});
