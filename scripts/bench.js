// `npm run bench [NAME…]`: runs the measurements in `bench/*.ts`, all or the named ones, on a fresh build. `--list` names
// them. A measurement is a module that exports `name`, `summary` and `run(report)`; it is bundled as the tool is, so that
// what is measured is what users run.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildInto, bundle } from './build.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {import('../bench/support/report.ts').Report} Report
 * @typedef {{ name: string, summary: string, run: (report: Report) => Promise<void> }} Bench
 */

/**
 * @param {string} folder where the bundles go
 * @returns {Promise<Bench[]>}
 */
async function loadBenches(folder) {
  const files = (await readdir(path.join(root, 'bench'))).filter((file) => file.endsWith('.ts')).sort();
  const names = files.map((file) => path.basename(file, '.ts'));
  await bundle(folder, new Map(names.map((name) => [`bench-${name}`, `bench/${name}.ts`])));
  return Promise.all(names.map((name) => import(pathToFileURL(path.join(folder, `bench-${name}.js`)).href)));
}

/** @type {Report} */
const report = {
  note(text) {
    console.log(text);
  },
  table(columns, rows) {
    const lines = [columns, ...rows];
    const widths = columns.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
    const print = (/** @type {readonly string[]} */ line) =>
      line.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  ');
    console.log(print(columns));
    console.log(widths.map((width) => '-'.repeat(width)).join('  '));
    for (const row of rows) console.log(print(row));
  },
};

/** @param {readonly string[]} names */
async function main(names) {
  const folder = await mkdtemp(path.join(tmpdir(), 'lazuli-bench-'));
  try {
    const benches = await loadBenches(folder);
    if (names.includes('--list')) {
      for (const { name, summary } of benches) console.log(`${name}: ${summary}`);
      return;
    }
    const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
    if (unknown.length > 0) {
      console.error(
        `no such measurement: ${unknown.join(', ')}; there are: ${benches.map(({ name }) => name).join(', ')}`,
      );
      process.exitCode = 2;
      return;
    }
    await buildInto(path.join(root, 'dist'));
    console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`);
    for (const bench of benches) {
      if (names.length > 0 && !names.includes(bench.name)) continue;
      console.log(`\n## ${bench.name}: ${bench.summary}\n`);
      await bench.run(report);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
