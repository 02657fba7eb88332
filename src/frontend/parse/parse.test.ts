// What no golden shows: real programs and headers, the parser's manners with broken input, C23's words as names.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBenchmarks } from '../../../test/support/benchmarks.ts';
import { describeDiagnostics, parseText } from '../../../test/support/parse-text.ts';
import { requireTool } from '../../../test/support/tools.ts';
import { DiagnosticSink, ERROR_LIMIT } from '../../support/diagnostics.ts';
import { parse } from './parse.ts';

const HEADERS =
  'assert complex ctype errno fenv float inttypes limits locale math pthread sched semaphore setjmp signal stdalign ' +
  'stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings sys/time sys/types tgmath threads ' +
  'time unistd wchar';

function errorsOf(text: string): string[] {
  return describeDiagnostics(parseText(text));
}

describe('parse', () => {
  it('parses every preprocessed benchmark without a word', () => {
    const folder = findBenchmarks();
    const files = folder === null ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const faulty = files
      .filter((file) => file.endsWith('.i'))
      .map((file) => [file, ...errorsOf(readFileSync(path.join(folder ?? '', file), 'utf8'))])
      .filter((outcome) => outcome.length > 1);
    expect(faulty).toEqual([]);
  });

  it.each([['-O0'], ['-O2', '-D_FORTIFY_SOURCE=2'], ['-D_GNU_SOURCE']])(
    'parses the system headers as gcc %s preprocesses them',
    (...flags) => {
      const gcc = requireTool('gcc');
      if (gcc === null) return;
      const input = HEADERS.split(' ')
        .map((header) => `#include <${header}.h>\n`)
        .join('');
      const { stdout, status } = spawnSync(gcc, ['-E', ...flags, '-x', 'c', '-'], {
        input,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
      expect(status).toBe(0);
      expect(errorsOf(stdout)).toEqual([]);
    },
  );

  it('makes an empty tree of no tokens at all', () => {
    expect(parse([], new DiagnosticSink())).toEqual({ declarations: [] });
    expect(parseText('').unit).toEqual({ declarations: [] });
  });

  it('keeps what stands around an error', () => {
    const { unit } = parseText('int a;\nint b = = 1;\nint f(void) { int c; c = ; return c; }\nint d;');
    expect(unit.declarations.map(({ kind }) => kind)).toEqual(['declaration', 'function-definition', 'declaration']);
    const [, f] = unit.declarations;
    expect(f?.kind === 'function-definition' && f.body.items.map(({ kind }) => kind)).toEqual([
      'declaration',
      'return',
    ]);
  });

  it('reports an unknown type once', () => {
    expect(errorsOf('foo a;\nfoo *f(foo x);\nint g(void) { foo y; return sizeof(struct { foo z; }); }')).toEqual([
      "1:1: error: unknown type name 'foo'",
    ]);
  });

  it('stops at the limit of errors', () => {
    expect(errorsOf('int x = ;\n'.repeat(1000))).toHaveLength(ERROR_LIMIT);
  });

  it('takes words of C23 for names where they are names', () => {
    expect(errorsOf('int thread_local, bool, nullptr; int f(int static_assert) { return static_assert + 1; }')).toEqual(
      [],
    );
    expect(errorsOf('thread_local int x; static_assert(sizeof(int) == 4, "four"); static_assert(1);')).toEqual([]);
    expect(errorsOf('int static_assert(int); int x(void) { return static_assert(1); }')).toEqual([]);
  });
});
