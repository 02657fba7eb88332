import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledHeaders, bundledModels } from '../../src/frontend/headers/bundled.ts';

const headers = fileURLToPath(new URL('../../src/frontend/headers', import.meta.url));

describe('the generated module of bundled C files', () => {
  it.each([
    { folder: 'include', texts: bundledHeaders },
    { folder: 'models', texts: bundledModels },
  ])('holds every C file of $folder with its text', ({ folder, texts }) => {
    const path = `${headers}/${folder}`;
    const names = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
    const files = names.filter((name) => /\.[ch]$/.test(name));
    expect([...texts.keys()].sort()).toEqual(files.sort());
    for (const [name, text] of texts) expect(text).toBe(readFileSync(`${path}/${name}`, 'utf8'));
  });
});
