import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../../test/support/golden.ts';
import { requireTool } from '../../../test/support/tools.ts';
import { readProgram } from '../front-end.ts';
import { printTypes } from '../print/print-types.ts';

const folder = fileURLToPath(new URL('../../../test/golden/diagnostics/', import.meta.url));
const files = readdirSync(folder).filter((file) => file.endsWith('.c'));

/** The programs of a file, one a line. */
function programsOf(file: string): string[] {
  const lines = readFileSync(folder + file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('//'));
}

function read(text: string) {
  return readProgram({ fileName: 'program.c', text: `${text}\n`, dataModel: 'LP64' });
}

type Verdict = 'error' | 'warning' | 'clean';

describe('diagnostics', () => {
  it.each(files)('of %s are as in the golden', async (file) => {
    const parts = programsOf(file).map((text) => {
      const { diagnostics, sources } = read(text);
      const lines = diagnostics.map(({ severity, code, message, loc }) => {
        return `  ${sources.place(loc)?.column ?? 0}: ${severity}: ${message} [${code}]`;
      });
      return [text, ...(lines.length === 0 ? ['  nothing to report'] : lines)].join('\n');
    });
    await expectGolden(`diagnostics/${file.replace('.c', '.txt')}`, `${parts.join('\n')}\n`);
  });

  it.each(files)(
    'of %s are as severe as those of gcc',
    (file) => {
      const gcc = requireTool('gcc');
      if (gcc === null) return;
      const ours: [string, Verdict][] = [];
      const theirs: [string, Verdict][] = [];
      for (const text of programsOf(file)) {
        const { diagnostics } = read(text);
        const has = (severity: string): boolean => diagnostics.some((diagnostic) => diagnostic.severity === severity);
        ours.push([text, has('error') ? 'error' : has('warning') ? 'warning' : 'clean']);
        const { stderr } = spawnSync(gcc, ['-m64', '-fsyntax-only', '-x', 'c', '-'], {
          input: `${text}\n`,
          encoding: 'utf8',
        });
        theirs.push([text, /error:/.test(stderr) ? 'error' : /warning:/.test(stderr) ? 'warning' : 'clean']);
      }
      expect(ours).toEqual(theirs);
    },
    30_000,
  );
});

describe.each(['ILP32', 'LP64'] as const)('the dump of types on %s', (dataModel) => {
  it('shows sizes and places', async () => {
    const file = fileURLToPath(new URL('../../../test/golden/types/layouts.c', import.meta.url));
    const { program, diagnostics } = readProgram({
      fileName: 'layouts.c',
      text: readFileSync(file, 'utf8'),
      dataModel,
    });
    expect(diagnostics).toEqual([]);
    await expectGolden(`types/layouts.${dataModel}.txt`, program === null ? '' : printTypes(program));
  });
});
