// Every C file of test/golden/ast against its dump (`.ast`) and its diagnostics; files named `error-…` have some.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../../test/support/golden.ts';
import { describeDiagnostics, type ParsedText, parseText } from '../../../test/support/parse-text.ts';
import { printAst } from './print-ast.ts';

const folder = fileURLToPath(new URL('../../../test/golden/ast', import.meta.url));

function dump(parsed: ParsedText): string {
  return printAst(parsed.unit, (loc) => {
    const place = parsed.sources.place(loc);
    return place ? `${place.line}:${place.column}` : '';
  });
}

describe('syntax tree goldens', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.c'))) {
    const name = file.slice(0, -'.c'.length);
    const parsed = parseText(readFileSync(`${folder}/${file}`, 'utf8'), file);
    const messages = describeDiagnostics(parsed);
    if (name.startsWith('error-')) {
      it(`${name}: reports its errors`, async () => {
        expect(messages).not.toEqual([]);
        await expectGolden(`ast/${name}.errors`, messages.map((line) => `${line}\n`).join(''));
      });
    } else {
      it(`${name}: parses to its tree`, async () => {
        expect(messages).toEqual([]);
        await expectGolden(`ast/${name}.ast`, dump(parsed));
      });
    }
  }
});
