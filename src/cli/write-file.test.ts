import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findOverwritten } from './write-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-write-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);
writeFileSync(at('program.c'), 'int x;\n');
symlinkSync('program.c', at('symbolic.c'));
linkSync(at('program.c'), at('hard.c'));

describe('findOverwritten', () => {
  it.each(['program.c', 'symbolic.c', 'hard.c', 'none/../program.c'])('knows the program as %s', (name) => {
    expect(findOverwritten([undefined, path.join(folder, name)], [at('program.c')])).toBe(
      `'${path.join(folder, name)}' is the program itself, which would be overwritten`,
    );
  });

  it('lets no two things go to one file', () => {
    expect(findOverwritten([at('out.c'), at('out.c')], [at('program.c')])).toBe(
      `'${at('out.c')}' would be written twice`,
    );
  });

  it('has nothing against other files, devices and the standard streams', () => {
    expect(findOverwritten([at('out.c'), at('out.c.map.json'), undefined], [at('program.c')])).toBeNull();
    expect(findOverwritten(['/dev/null', '/dev/null'], ['/dev/null'])).toBeNull();
    expect(findOverwritten(['-', '-'], ['-'])).toBeNull();
  });
});
