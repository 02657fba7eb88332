// The layering check must be able to fail: violations are planted, in memory and in a copy on disk.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findViolations, layers } from '../../scripts/layers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = path.join(root, 'scripts/check-layers.js');

function violationsOf(file: string, text: string): string[] {
  return findViolations(new Map([[file, text]])).map(({ line, message }) => `${line}: ${message}`);
}

describe('the table of layers', () => {
  it('has no cycle: what a layer imports never imports it back', () => {
    for (const [layer, allowed] of Object.entries(layers)) {
      for (const other of allowed) expect(layers[other], `${layer} → ${other}`).not.toContain(layer);
    }
  });

  it('is transitive on the road of the data: what a layer imports may import nothing that it may not', () => {
    const road = Object.entries(layers).filter(([layer]) => layer !== 'report');
    for (const [layer, allowed] of road) {
      for (const other of allowed)
        expect([layer, ...allowed]).toEqual(expect.arrayContaining([...(layers[other] ?? [])]));
    }
  });
});

describe('findViolations', () => {
  it('finds an import against the direction, with its line', () => {
    const text = "// A comment.\nimport { check } from '../../cli/main.ts';\n";
    expect(violationsOf('src/frontend/parse/a.ts', text)).toEqual(['2: frontend may not import cli (src/cli/main.ts)']);
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

  it('lets cli, swarm and tests import Node', () => {
    for (const file of ['src/cli/a.ts', 'src/swarm/a-worker.ts', 'src/logic/a.test.ts']) {
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
