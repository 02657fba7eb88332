import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CheckReport } from '../report/check-report.ts';
import { seemsToDefine, suggestFiles } from './suggest-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-suggest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what a program lacks', () => {
  it('is looked for in the files beside it', () => {
    const main = path.join(folder, 'main.c');
    const other = path.join(folder, 'queue.c');
    writeFileSync(main, 'extern int depth; void push(int v);\nint main(void) { push(1); return depth; }\n');
    writeFileSync(other, 'int depth;\nvoid push(int v)\n{\n  depth = v;\n}\n');
    writeFileSync(
      path.join(folder, 'unrelated.c'),
      'extern int depth; void push(int v); void f(void) { push(depth); }\n',
    );
    const missing = [{ name: 'push', meaning: 'input', isOwn: true, isVoid: true }] as const;
    const suggest = (files: readonly string[], approximations: CheckReport['approximations']) =>
      suggestFiles({ files, approximations } as CheckReport);
    expect(suggest([main], missing)).toEqual([`Perhaps in: ${other}.`]);
    expect(suggest([main], [])).toEqual([]);
    expect(suggest([main, other], missing)).toEqual([]);
    expect(suggest(['no/such/file.c'], missing)).toEqual([]);
  });

  it.each([
    ['int push(int v) { return v; }', true],
    ['struct a *\npush(int v)\n{\n}', true],
    ['struct a *push (struct b *c,\n  int d)\n{', true],
    ['static int push(int v) { return v; }', false],
    ['extern int push;', false],
    ['int push(int v);', false],
    ['int push[3] = {1};', true],
    ['  return push;', false],
    ['int a, push;', false],
    ['int pusher(void) {}', false],
  ])('is recognised by its look: %s', (text, isDefined) => expect(seemsToDefine(text, 'push')).toBe(isDefined));
});
