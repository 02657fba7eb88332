import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findDefinitions, seemsToDefine } from './find-definitions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-definitions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('what a program lacks', () => {
  const main = write('app/main.c', 'extern int depth; void push(int v);\nint main(void) { push(1); return depth; }\n');
  const other = write('app/queue.c', 'int depth;\nvoid push(int v)\n{\n  depth = v;\n}\n');
  write('app/unrelated.c', 'extern int depth; void push(int v); void f(void) { push(depth); }\n');
  write('app/other-program.c', 'void push(int v) {}\nint main(void) { return 0; }\n');
  const pop = write('src/pop.c', 'int pop(void) { return 0; }\n');
  const header = write('include/pop.h', 'int pop(void);\n');
  const find = (names: readonly string[], files: readonly string[], headers: readonly string[] = [], start = 'main') =>
    Object.fromEntries(findDefinitions({ names, files, headers, start }));

  it('is looked for in the files beside it that do not start a program of their own', () => {
    expect(find(['push', 'depth', 'pop'], [main])).toEqual({ push: [other], depth: [other] });
    expect(find(['push'], [main, other])).toEqual({});
    expect(find(['push'], ['no/such/file.c', '<stdin>'])).toEqual({});
    expect(find(['push'], [main], [], 'test_push').push).toHaveLength(2);
  });

  it('is looked for around the headers that declare it', () => {
    expect(find(['pop'], [main], [header])).toEqual({ pop: [pop] });
  });

  it.each([
    ['int push(int v) { return v; }', true],
    ['struct a *\npush(int v)\n{\n}', true],
    ['struct a *push (struct b *c,\n  int d)\n{', true],
    ['extern void *attribute((malloc)) size(1)\npush(int v, const struct a *b)\n{', true],
    ['int\npush(v)\n  int v;\n{', false],
    ['static int push(int v) { return v; }', false],
    ['static inline int\npush(int v)\n{', false],
    ['int f(int v)\n{\n  if (push(v)) {\n', false],
    ['extern int push;', false],
    ['int push(int v);', false],
    ['int push[3] = {1};', true],
    ['  return push;', false],
    ['int a, push;', false],
    ['int pusher(void) {}', false],
  ])('is recognised by its look: %s', (text, isDefined) => expect(seemsToDefine(text, 'push')).toBe(isDefined));
});
