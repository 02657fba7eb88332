// The layering check must be able to fail: violations are planted, in memory and in a copy on disk.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findViolations, importsBetweenLayers, layers, rooms } from '../../scripts/layers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = path.join(root, 'scripts/check-layers.js');

function violationsOf(file: string, text: string): string[] {
  return findViolations(new Map([[file, text]])).map(({ line, message }) => `${line}: ${message}`);
}

function readSources(): Map<string, string> {
  const names = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return new Map(sources.map((name) => [`src/${name}`, readFileSync(path.join(root, 'src', name), 'utf8')]));
}

describe('the table of layers', () => {
  it('is in order: a layer imports only layers of the rows above it, so that there is no cycle', () => {
    const order = Object.keys(layers);
    for (const [i, layer] of order.entries())
      expect(order.slice(0, i)).toEqual(expect.arrayContaining([...(layers[layer] ?? [])]));
  });

  it('is as tight as the code: every allowed import is made by some file', () => {
    const made = importsBetweenLayers(readSources());
    const allowed = Object.entries(layers).filter(([layer]) => layer !== 'host' && layer !== 'cli');
    expect(
      allowed
        .flatMap(([layer, others]) => others.map((other) => `${layer} → ${other}`))
        .filter((arrow) => !made.has(arrow)),
    ).toEqual([]);
  });
});

describe('the table of rooms', () => {
  const rows = Object.entries(rooms).flatMap(([layer, table]) =>
    Object.entries(table).map(([room, allowed]) => ({ layer, room, allowed, earlier: earlierThan(room, table) })),
  );

  it('is in order: a room imports only rooms of the rows above it, so that there is no cycle', () => {
    for (const { layer, room, allowed, earlier } of rows)
      expect(earlier, `${layer}/${room}`).toEqual(
        expect.arrayContaining(allowed.filter((each) => each !== '*' && !each.endsWith('.ts'))),
      );
  });

  it('is as tight as the code: every allowed import is made by some file', () => {
    const made = importsBetweenLayers(readSources());
    const arrows = rows.flatMap(({ layer, room, allowed }) => allowed.map((other) => `${layer}/${room} → ${other}`));
    expect(arrows.filter((arrow) => !made.has(arrow))).toEqual([]);
  });
});

function earlierThan(room: string, table: object): string[] {
  const order = Object.keys(table);
  return order.slice(0, order.indexOf(room));
}

describe('ARCHITECTURE.md', () => {
  it('draws the table as it is checked', () => {
    const page = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
    const drawn = [...page.matchAll(/^(\w+) +◀ (.*)$/gm)].map(([, layer, others]) => `${layer}: ${others}`);
    const core = Object.entries(layers).filter(([layer]) => layer !== 'host' && layer !== 'cli');
    expect(drawn).toEqual(core.map(([layer, others]) => `${layer}: ${others.join(', ') || '(nothing)'}`));
    const inside = [...page.matchAll(/^(\w+\/\w+) +◀ (.*)$/gm)].map(([, room, others]) => `${room}: ${others}`);
    expect(inside).toEqual(
      Object.entries(rooms).flatMap(([layer, table]) =>
        Object.entries(table).map(([room, others]) => `${layer}/${room}: ${others.join(', ') || '(nothing)'}`),
      ),
    );
  });
});

describe('the way of a check in ARCHITECTURE.md', () => {
  const page = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const calls = [...page.matchAll(/^\d+\. `(\w+)` of `(.*?)`/gm)].map(([, name = '', file = '']) => ({ name, file }));
  const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

  it('takes ten calls at most', () => {
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.length).toBeLessThanOrEqual(10);
  });

  it.each(calls.slice(1).map((call, i) => [call.name, call.file, calls[i]?.file ?? ''] as const))(
    '%s of %s is called in %s',
    (name, file, caller) => {
      expect(textOf(file)).toMatch(new RegExp(`\\b${name}[(<]`));
      // A worker is named by its file.
      const isWorker = file.endsWith('-worker.ts');
      expect(textOf(caller)).toContain(isWorker ? path.basename(file, '.ts') : `${name}(`);
    },
  );
});

describe('findViolations', () => {
  it('finds an import against the direction, with its line', () => {
    const text = "// A comment.\nimport { check } from '../../cli/main.ts';\n";
    expect(violationsOf('src/frontend/parse/a.ts', text)).toEqual(['2: frontend may not import cli (src/cli/main.ts)']);
  });

  it('finds an import of one room from another, or from a file of its layer, that its row does not name', () => {
    const text = "import { a } from '../bounded/solve.ts';\nimport { b } from '../strategy.ts';\n";
    expect(violationsOf('src/engines/prove/a.ts', text)).toEqual([
      '1: engines/prove may not import bounded (src/engines/bounded/solve.ts)',
      '2: engines/prove may not import strategy.ts (src/engines/strategy.ts)',
    ]);
    expect(violationsOf('src/engines/order/a.ts', text)).toHaveLength(1);
    expect(violationsOf('src/engines/a.ts', "import { a } from './bounded/solve.ts';")).toEqual([]);
    expect(violationsOf('src/engines/attic/a.ts', "import { a } from '../engine.ts';")).toEqual([
      '1: src/engines/attic is no room: add a row to scripts/layers.js',
    ]);
  });

  it('finds every form of import, types included', () => {
    const forms = [
      "import type { A } from '../engines/a.ts';",
      "import '../engines/a.ts';",
      "export { a } from '../engines/a.ts';",
      "export * from '../engines/a.ts';",
      "const a = import('../engines/a.ts');",
      "type A = import('../engines/a.ts').A;",
    ];
    for (const form of forms) {
      expect(violationsOf('src/logic/a.ts', form), form).toEqual([
        '1: logic may not import engines (src/engines/a.ts)',
      ]);
    }
  });

  it('finds imports of Node in the core, with and without the prefix', () => {
    for (const name of ['node:fs', 'fs', 'node:fs/promises', 'worker_threads']) {
      expect(violationsOf('src/solver/a.ts', `import { x } from '${name}';`)).toEqual([
        `1: the core imports nothing of Node, but this imports '${name}'`,
      ]);
    }
  });

  it('lets cli, host and tests import Node', () => {
    for (const file of ['src/cli/a.ts', 'src/host/a-worker.ts', 'src/logic/a.test.ts']) {
      expect(violationsOf(file, "import { x } from 'node:fs';")).toEqual([]);
    }
  });

  it('refuses packages that a layer does not list, computed imports, other folders and unknown layers', () => {
    expect(violationsOf('src/solver/a.ts', "import { Cadical } from 'cadical-wasm';")).toEqual([]);
    expect(violationsOf('src/logic/a.ts', "import { Cadical } from 'cadical-wasm';")).toHaveLength(1);
    expect(violationsOf('src/logic/a.ts', 'const a = import(name);')).toHaveLength(1);
    expect(violationsOf('src/logic/a.ts', "import { x } from '../../scripts/layers.js';")).toHaveLength(1);
    expect(violationsOf('src/misc/a.ts', "import { x } from '../support/x.ts';")).toHaveLength(1);
  });

  it('ignores what only looks like an import', () => {
    const text = "// import { x } from 'node:fs'\nconst text = \"import x from 'node:fs'\";\n";
    expect(violationsOf('src/logic/a.ts', text)).toEqual([]);
  });
});

describe('check-layers.js', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'lazuli-layers-'));
  afterAll(() => rmSync(copy, { recursive: true }));

  const check = (folder: string) => spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });

  it('passes on this repository', () => {
    const { status, stdout } = check(root);
    expect(stdout).toMatch(/0 violations\n$/);
    expect(status).toBe(0);
  });

  it('fails on a tree with planted violations and names file and line', () => {
    mkdirSync(path.join(copy, 'src/passes'), { recursive: true });
    const planted = "import { readFileSync } from 'node:fs';\nimport { bmc } from '../engines/bmc.ts';\n";
    writeFileSync(path.join(copy, 'src/passes/planted.ts'), planted);
    const { status, stdout } = check(copy);
    expect(status).toBe(1);
    expect(stdout).toContain("src/passes/planted.ts:1: the core imports nothing of Node, but this imports 'node:fs'");
    expect(stdout).toContain('src/passes/planted.ts:2: passes may not import engines (src/engines/bmc.ts)');
  });
});
