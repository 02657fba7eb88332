import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledHeaders, bundledModels } from '../../src/frontend/headers/bundled.ts';
import { indexModels } from '../../src/frontend/headers/index-models.ts';

const headers = fileURLToPath(new URL('../../src/frontend/headers', import.meta.url));

/** The C files of a folder, with their texts. */
function readTexts(folder: string): Map<string, string> {
  const path = `${headers}/${folder}`;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[ch]$/.test(name));
  return new Map(names.sort().map((name) => [name, readFileSync(`${path}/${name}`, 'utf8')]));
}

describe('the generated module of bundled C files', () => {
  it('holds every header with its text', () => {
    expect(new Map([...bundledHeaders].sort())).toEqual(readTexts('include'));
  });

  it('holds the models as they are indexed today', () => {
    expect(bundledModels).toEqual(indexModels(readTexts('models')));
  });
});
