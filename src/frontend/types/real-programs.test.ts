import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBenchmarks, readBenchmarkManifest } from '../../../test/support/benchmarks.ts';
import { requireTool } from '../../../test/support/tools.ts';
import type { DataModel } from '../../program/data-model.ts';
import { readProgram } from '../front-end.ts';

/** The errors of a program, as `line: message`. */
function errorsOf(fileName: string, text: string, dataModel: DataModel): string[] {
  const { diagnostics, sources } = readProgram({ fileName, text, dataModel });
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  return errors.map(({ loc, message }) => `${fileName}:${sources.place(loc)?.line}: ${message}`);
}

const headers = [
  'assert complex ctype dirent dlfcn errno error fcntl fenv float getopt inttypes iso646 limits locale malloc math mqueue netdb',
  'poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib',
  'stdnoreturn string strings sys/epoll sys/ioctl sys/mman sys/resource sys/select sys/socket sys/stat sys/time sys/types sys/uio',
  'sys/wait syslog termios tgmath threads time uchar ucontext unistd wchar wctype',
]
  .join(' ')
  .split(' ');

describe('the benchmark programs', () => {
  it('have no type errors', () => {
    const folder = findBenchmarks();
    if (folder === null) return;
    const errors = readBenchmarkManifest().flatMap(({ file, dataModel }) =>
      errorsOf(file, readFileSync(path.join(folder, file), 'utf8'), dataModel),
    );
    expect(errors).toEqual([]);
  }, 60_000);
});

describe.each(['ILP32', 'LP64'] as const)('the system headers on %s', (model) => {
  it('have no type errors', () => {
    const gcc = requireTool(model === 'ILP32' ? 'gcc -m32' : 'gcc');
    if (gcc === null) return;
    const option = model === 'ILP32' ? '-m32' : '-m64';
    // All in one file: they may be included together, and gcc starts once.
    const input = `#define _GNU_SOURCE 1\n${headers.map((header) => `#include <${header}.h>\n`).join('')}int main(void) { return 0; }\n`;
    const { stdout, status } = spawnSync(gcc, [option, '-E', '-x', 'c', '-'], {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    expect(status).toBe(0);
    expect(errorsOf('headers.i', stdout, model)).toEqual([]);
  }, 60_000);
});
