// A swarm on a cluster: what `--slurm` writes, run by a real Slurm on this machine and by hand, and put together again.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';
import { startSlurm } from '../support/slurm.ts';
import { requireTool } from '../support/tools.ts';

const SAFE = `#include <assert.h>
#include <pthread.h>
int x, y;
void *add(void *unused) { x++; y++; x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x >= 2);
}
`;

let built: Built;

beforeAll(async () => {
  built = await build();
  // Who has no queue never loads it.
  rmSync(path.join(built.folder, 'dist/bull-queue.cjs'));
}, 120_000);

afterAll(() => built.remove());

const swarm = (...args: string[]) => built.run(['swarm', ...args, '-u', '1'], { limitMs: 110_000 });

function runScript(file: string, env: NodeJS.ProcessEnv) {
  return spawnSync('bash', [file], { env: { ...process.env, ...env }, encoding: 'utf8', cwd: '/' });
}

function indicesOf(file: string): number[] {
  const lines = readFileSync(`${file}.swarm/results.jsonl`, 'utf8').trimEnd().split('\n');
  const indices = lines.map((line) => JSON.parse(line).index).filter((index) => index !== undefined);
  return indices.map(Number).sort((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('lazuli swarm --slurm', { timeout: 120_000 }, () => {
  it('writes scripts whose parts can be run in any order, and collects what is there', async () => {
    const file = built.file("it's safe.c", SAFE);
    const folder = path.join(built.folder, 'parts');
    const args = [file, '-l', '2', '-r', '1', '--instances-limit', '0', '--check', 'assertion,bounds'];
    const written = await swarm(...args, '--slurm', folder, '--cluster-config', '3');
    expect(written.stdout.trimEnd().split('\n')).toEqual(
      ['array.sbatch', 'collect.sbatch', 'submit.sh'].map((name) => path.join(folder, name)),
    );
    const configurations = readdirSync(folder).filter((name) => name.startsWith('config-'));
    const whole = JSON.parse(readFileSync(path.join(folder, 'whole.json'), 'utf8'));
    expect(configurations.length).toBe(Math.ceil(Number(whole.count) / 3));
    const array = path.join(folder, 'array.sbatch');
    expect(readFileSync(array, 'utf8')).toContain(`#SBATCH --array=0-${configurations.length - 1}\n`);
    const collect = path.join(folder, 'collect.sbatch');
    const run = (part: number) => runScript(array, { SLURM_ARRAY_TASK_ID: String(part) });
    expect(run(1).status).toBe(0);
    const early = runScript(collect, {});
    expect(early.status).toBe(1);
    expect(early.stdout).toContain(`unknown: no bug in 3 of ${whole.count} instances`);
    expect(early.stdout).toContain('Not all parts are done');
    expect(indicesOf(file)).toEqual([3, 4, 5]);
    for (const part of configurations.keys()) expect(run(part).status).toBe(0);
    // What is done is not done again.
    expect(existsSync(path.join(folder, 'part-1/results.previous.jsonl'))).toBe(false);
    const all = runScript(collect, {});
    expect(all.stdout).toContain('safe up to bounds');
    expect(all.status).toBe(0);
    expect(indicesOf(file)).toEqual(upTo(Number(whole.count)));
    const other = await swarm(file, '-r', '1', '--check', 'assertion', '--collect', folder);
    expect(other.status).toBe(4);
    expect(other.stderr).toContain('part-0: has results of another program, or of other options');
  });

  it('runs on a real Slurm, where the first bug ends the others', async () => {
    if (requireTool('sbatch') === null) return;
    const slurm = await startSlurm();
    try {
      const safe = built.file('safe.c', SAFE);
      const unsafe = built.file('unsafe.c', SAFE.replace('x >= 2', 'x == 4'));
      const folders = [path.join(built.folder, 'safe'), path.join(built.folder, 'unsafe')] as const;
      await swarm(
        safe,
        '-l',
        '1',
        '-r',
        '1',
        '--instances-limit',
        '0',
        '--slurm',
        folders[0],
        '--cluster-config',
        '20',
      );
      await swarm(unsafe, '-l', '1', '--instances-limit', '60', '--slurm', folders[1], '--cluster-config', '1');
      for (const folder of folders) expect(runScript(path.join(folder, 'submit.sh'), slurm.env).status).toBe(0);
      await slurm.wait();
      const verdicts = folders.map((folder) => readFileSync(path.join(folder, 'verdict.txt'), 'utf8'));
      expect(verdicts[0]).toContain('safe up to bounds');
      expect(verdicts[1]).toContain('unsafe: assertion');
      expect(verdicts[1]).toContain('Counterexample:');
      const { count } = JSON.parse(readFileSync(path.join(folders[0], 'whole.json'), 'utf8'));
      expect(indicesOf(safe)).toEqual(upTo(Number(count)));
      const parts = readdirSync(folders[1]).filter((name) => name.startsWith('part-'));
      expect(parts.length).toBeLessThan(60);
    } finally {
      await slurm.remove();
    }
  });

  it.each([
    [['--slurm', 'a', '--collect', 'b'], '--slurm and --collect exclude each other'],
    [['--slurm', 'a', '--queue', 'redis://localhost'], '--queue does not go with Slurm'],
    [['--slurm', 'a', '-c', 'x.json'], '--config-file stands alone'],
    [['--slurm', 'a', '-l', '1', '-p', '2', '--instances-limit', '0', '--cluster-config', '1'], 'Slurm takes 1000'],
  ])('refuses %s', async (args, message) => {
    const file = built.file('refused.c', SAFE.replace('y++; x++', 'y++; x++; x++; y++; x++'));
    const { status, stderr } = await swarm(file, ...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it('says what is wrong with a folder', async () => {
    const file = built.file('refused.c', SAFE);
    const missing = await swarm(file, '--collect', path.join(built.folder, 'nowhere'));
    expect(missing.status).toBe(4);
    writeFileSync(path.join(built.folder, 'whole.json'), '{"format": "other", "version": 1}');
    const wrong = await swarm(file, '--collect', built.folder);
    expect(wrong.stderr).toContain('$.format: must be "lazuli-swarm"');
    expect(wrong.status).toBe(4);
  });
});
