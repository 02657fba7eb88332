// The bundle as users get it, built into a temporary folder: it starts, finds its parts, and behaves in a pipe.

import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { buildInto } from '../../scripts/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(path.join(tmpdir(), 'lazuli-build-'));
const executable = path.join(copy, 'bin/lazuli.js');

const lazuli = (...args: string[]) => spawnSync(process.execPath, [executable, ...args], { encoding: 'utf8' });

/** Tells what became of the cache of a script. */
const WATCHER = `const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    if (options?.filename === undefined) return;
    const outcome = { true: 'rejected', false: 'taken' }[this.cachedDataRejected] ?? 'none';
    process.stderr.write(require('node:path').basename(options.filename) + ': ' + outcome + '\\n');
  }
};
`;

beforeAll(() => {
  cpSync(path.join(root, 'bin'), path.join(copy, 'bin'), { recursive: true });
  copyFileSync(path.join(root, 'package.json'), path.join(copy, 'package.json'));
});
afterAll(() => rmSync(copy, { recursive: true }));

describe('the executable', () => {
  it('says so when it is not built', () => {
    const { status, stderr } = lazuli('--version');
    expect(status).toBe(5);
    expect(stderr).toMatch(/^lazuli: not built yet.*\n$/);
  });

  it('starts once it is built, without the repository around it', { timeout: 60_000 }, async () => {
    await buildInto(path.join(copy, 'dist'));
    expect(existsSync(path.join(copy, 'dist/cadical.wasm'))).toBe(true);
    const { status, stdout, stderr } = lazuli('--version');
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `lazuli ${version}\n`, stderr: '' });
  });

  it('runs the code that was compiled when it was built, where that is still right', () => {
    const watcher = path.join(copy, 'watch.cjs');
    writeFileSync(watcher, WATCHER);
    const run = (...flags: string[]) => {
      const args = ['--require', watcher, ...flags, executable, 'ranges', path.join(root, 'examples/peterson-safe.c')];
      return spawnSync(process.execPath, args, { encoding: 'utf8' });
    };
    const usual = run();
    expect(usual.stderr).toBe('lazuli.bundle.cjs: taken\n');
    const other = run('--no-opt');
    expect(other.stderr).toBe('lazuli.bundle.cjs: rejected\n');
    expect(other.stdout).toBe(usual.stdout);
    expect(usual.stdout).toContain('bits declared');
  });

  it('loads less for a plain check, and all for what asks for more', () => {
    const bundleOf = (...args: string[]) =>
      spawnSync(process.execPath, ['--require', path.join(copy, 'watch.cjs'), executable, 'check', ...args], {
        encoding: 'utf8',
      }).stderr.split('\n')[0];
    const file = path.join(root, 'examples/peterson-unsafe.c');
    expect(bundleOf(file)).toBe('plain.bundle.cjs: taken');
    expect(bundleOf('-u', '2', '--rounds=2', file)).toBe('plain.bundle.cjs: taken');
    expect(bundleOf('--no-explore', file)).toBe('lazuli.bundle.cjs: taken');
    expect(bundleOf('no-such-task.yml')).toBe('lazuli.bundle.cjs: taken');
  });

  it('gives the exit code of wrong usage', () => {
    expect(lazuli('no-such-command').status).toBe(2);
  });

  it('does not complain about a reader that goes away', () => {
    const script = `"${process.execPath}" "${executable}" --help | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
  });

  it.runIf(existsSync('/dev/full'))('says once that the disk is full', () => {
    const script = `"${process.execPath}" "${executable}" --help >/dev/full; echo "$?"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 20_000 });
    expect(stdout).toBe('4\n');
    expect(stderr).toBe('lazuli: cannot write the output: no space left on device\n');
    const { status, ...told } = lazuli('parse', '-o', '/dev/full', path.join(root, 'examples/peterson-safe.c'));
    expect(status).toBe(4);
    expect(told.stderr).toBe("lazuli: cannot use '/dev/full': no space left on device\n");
  });
});
