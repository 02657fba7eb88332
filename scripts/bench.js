// `npm run bench [NAME…]`: runs the measurements in `bench/*.ts`, all or the named ones, on a fresh build. `--list`
// names them. A measurement is a module that exports `name`, `summary` and `run(report)`; it is bundled as the tool is,
// so that what is measured is what users run.
//
// Results are Markdown. With `--write` (`npm run bench -- --write NAME…`) they are also kept in docs/benchmarks.md, or
// in the `document` that the module exports, where that has a place for the measurement: between the comments `bench:
// NAME` and `end: NAME`.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildInto, bundle } from './build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const flags = ['--list', '--write'];
// The bundles of the measurements lie elsewhere and cannot find the programs by their own place.
process.env.LAZULI_BENCHMARKS ??= path.join(root, '../shared/benchmarks');

/**
 * @typedef {import('../bench/support/report.ts').Report} Report
 * @typedef {{ name: string, summary: string, document?: string, run: (report: Report) => Promise<void> }} Bench
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

/**
 * A report that prints, and keeps what it prints.
 * @returns {{ readonly report: Report, readonly text: () => string }}
 */
function createReport() {
  /** @type {string[]} */
  const kept = [];
  const print = (/** @type {string} */ text) => {
    console.log(text);
    kept.push(text);
  };
  return {
    report: {
      note: (text) => print(`${text}\n`),
      table: (columns, rows) => print(`${markdownTable(columns, rows)}\n`),
      progress: (text) => console.error(text),
    },
    text: () => kept.join('\n'),
  };
}

/**
 * A table of Markdown that reads well as plain text, too.
 * @param {readonly string[]} columns
 * @param {readonly (readonly string[])[]} rows
 */
function markdownTable(columns, rows) {
  const lines = [columns, ...rows].map((line) => columns.map((_, i) => (line[i] ?? '').replaceAll('|', '\\|')));
  const widths = columns.map((_, i) => Math.max(3, ...lines.map((line) => line[i]?.length ?? 0)));
  const [heading, ...body] = lines.map(
    (line) =>
      `| ${line.map((text, i) => (i === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[i] ?? 0))).join(' | ')} |`,
  );
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [heading, `| ${rule.join(' | ')} |`, ...body].join('\n');
}

/**
 * Puts the result of a measurement into the document, if there is a place for it.
 * @param {Bench} bench
 * @param {string} text
 */
async function store({ name, document: file = 'docs/benchmarks.md' }, text) {
  const documentFile = path.join(root, file);
  const document = await readFile(documentFile, 'utf8');
  const start = `<!-- bench: ${name} -->\n`;
  const from = document.indexOf(start);
  const to = document.indexOf(`<!-- end: ${name} -->`);
  if (from < 0 || to < from) return;
  await writeFile(documentFile, `${document.slice(0, from + start.length)}\n${text.trim()}\n\n${document.slice(to)}`);
}

/** The machine and how busy it is: times mean nothing without it. */
function describeMachine() {
  const load = loadavg()[0]?.toFixed(1);
  return `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}, load ${load} at the start`;
}

/** @param {readonly string[]} args */
async function main(args) {
  const names = args.filter((arg) => !flags.includes(arg));
  const folder = await mkdtemp(path.join(tmpdir(), 'lazuli-bench-'));
  try {
    const benches = await loadBenches(folder);
    if (args.includes('--list')) {
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
    for (const bench of benches) {
      if (names.length > 0 && !names.includes(bench.name)) continue;
      console.log(`## ${bench.name}: ${bench.summary}\n`);
      const { report, text } = createReport();
      report.note(`${describeMachine()}.`);
      await bench.run(report);
      if (args.includes('--write')) await store(bench, text());
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
