import { describe, expect, it } from 'vitest';
import { DiagnosticSink } from './diagnostics.ts';
import { diagnosticsToJson, printDiagnostics } from './print-diagnostics.ts';
import { NOWHERE, SourceMap } from './source.ts';

/** Prints an error at the first `needle` of a text. */
function show(text: string, needle: string): string {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  sink.error(sources.locAt(sources.addFile('a.c', text), text.indexOf(needle)), 'syntax', 'no');
  return printDiagnostics(sink.all, sources, { colour: false });
}

describe('carets', () => {
  it('stand under the character', () => {
    expect(show('int x\nint y = @;\n', '@')).toBe(`a.c:2:9: error: no [syntax]
 int y = @;
         ^
`);
  });

  it('keep tabs as they are', () => {
    expect(show('\tif\t(@)', '@')).toBe('a.c:1:6: error: no [syntax]\n \tif\t(@)\n \t  \t ^\n');
  });

  it('follow the width of wide and combining characters', () => {
    expect(show('"变e\u0301é" @', '@')).toBe('a.c:1:8: error: no [syntax]\n "变e\u0301é" @\n        ^\n');
    expect(show('"😀" @', '@')).toBe('a.c:1:6: error: no [syntax]\n "😀" @\n      ^\n');
  });

  it('stand after the line at its end', () => {
    expect(show('ab\n\n', '\n')).toBe('a.c:1:3: error: no [syntax]\n ab\n   ^\n');
    const sources = new SourceMap();
    const sink = new DiagnosticSink();
    sink.error(sources.locAt(sources.addFile('a.c', ''), 0), 'syntax', 'no');
    expect(printDiagnostics(sink.all, sources, { colour: false })).toBe('a.c:1:1: error: no [syntax]\n \n ^\n');
  });

  it('let long lines be cut around them', () => {
    const printed = show(`${'a'.repeat(5_000)}@${'b'.repeat(5_000)}`, '@').split('\n');
    expect(printed[1]).toBe(` …${'a'.repeat(60)}@${'b'.repeat(59)}…`);
    expect(printed[2]).toBe(`${' '.repeat(62)}^`);
    expect(show(`@${'b'.repeat(5_000)}`, '@').split('\n')[1]).toBe(` @${'b'.repeat(119)}…`);
    const end = show(`${'a'.repeat(5_000)}@`, '@').split('\n');
    expect(end[1]).toBe(` …${'a'.repeat(119)}@`);
    expect(end[2]).toBe(`${' '.repeat(121)}^`);
  });

  it('show nothing that would confuse a terminal', () => {
    expect(show('a\u001b[31m\u0000\ud800 \u202e@', '@')).toBe(
      'a.c:1:11: error: no [syntax]\n a\ufffd[31m\ufffd\ufffd \ufffd@\n           ^\n',
    );
  });
});

describe('stacks and notes', () => {
  function example() {
    const sources = new SourceMap();
    const sink = new DiagnosticSink();
    const main = sources.addFile('main.c', 'int z;\n#include "a.h"\n');
    const a = sources.addFile('a.h', '#include "b.h"', sources.locAt(main, 8));
    const text = '#define INNER y\n#define OUTER (INNER)\nint x = OUTER;\n';
    const b = sources.addFile('b.h', text, sources.locAt(a, 1));
    const at = (needle: string, from = 0) => sources.locAt(b, text.indexOf(needle, from));
    const inner = sources.addExpansion(at('INNER', 20), at('OUTER', 40), sources.addMacroName('OUTER'));
    const y = sources.addExpansion(at('y'), inner, sources.addMacroName('INNER'));
    sink.error(y, 'undeclared', "'y' is not declared", [{ loc: sources.locAt(main, 4), message: "did you mean 'z'?" }]);
    sink.warning(at('x ='), 'unused', "'x' is not used");
    return { sources, sink };
  }

  it('show inclusions once, macros and notes', () => {
    const { sources, sink } = example();
    expect(printDiagnostics(sink.all, sources, { colour: false })).toBe(`In file included from a.h:1,
                 from main.c:2:
b.h:3:9: error: 'y' is not declared [undeclared]
 int x = OUTER;
         ^
b.h:2:16: note: in expansion of macro 'OUTER'
 #define OUTER (INNER)
                ^
b.h:1:15: note: in expansion of macro 'INNER'
 #define INNER y
               ^
main.c:1:5: note: did you mean 'z'?
 int z;
     ^
b.h:3:5: warning: 'x' is not used [unused]
 int x = OUTER;
     ^
`);
  });

  it('are all in the JSON', () => {
    const { sources, sink } = example();
    expect(diagnosticsToJson(sink.all, sources)[0]).toEqual({
      severity: 'error',
      code: 'undeclared',
      message: "'y' is not declared",
      place: { file: 'b.h', line: 3, column: 9 },
      includedFrom: [
        { file: 'a.h', line: 1, column: 2 },
        { file: 'main.c', line: 2, column: 2 },
      ],
      macros: [
        { name: 'INNER', usedAt: { file: 'b.h', line: 2, column: 16 } },
        { name: 'OUTER', usedAt: { file: 'b.h', line: 3, column: 9 } },
      ],
      notes: [{ message: "did you mean 'z'?", place: { file: 'main.c', line: 1, column: 5 } }],
    });
  });

  it('are cut when they are long', () => {
    const sources = new SourceMap();
    const sink = new DiagnosticSink();
    let file = sources.addFile('main.c', 'x'.repeat(200));
    let loc = sources.locAt(file, 0);
    for (let depth = 1; depth < 30; depth++) {
      loc = sources.addExpansion(sources.locAt(file, depth), loc, sources.addMacroName(`M${depth}`));
    }
    sink.error(loc, 'syntax', 'deep macro');
    for (let depth = 1; depth < 30; depth++) file = sources.addFile(`${depth}.h`, 'x', sources.locAt(file, 0));
    sink.error(sources.locAt(file, 0), 'syntax', 'deep inclusion');
    const lines = printDiagnostics(sink.all, sources, { colour: false }).split('\n');
    expect(lines.filter((line) => line.includes('in expansion of macro'))).toHaveLength(8);
    expect(lines).toContain('  … 21 more macros');
    expect(lines.filter((line) => line.includes(' from '))).toHaveLength(9);
    expect(lines.some((line) => line.includes('from …'))).toBe(true);
  });
});

describe('without a place, and in colour', () => {
  it('say who speaks', () => {
    const sink = new DiagnosticSink();
    sink.error(NOWHERE, 'usage', 'two\nlines');
    expect(printDiagnostics(sink.all, new SourceMap(), { colour: false })).toBe(
      'lazuli: error: two\ufffdlines [usage]\n',
    );
    expect(diagnosticsToJson(sink.all, new SourceMap())[0]?.place).toBeNull();
    expect(printDiagnostics([], new SourceMap(), { colour: false })).toBe('');
  });

  it('paint severity, message and caret', () => {
    const sources = new SourceMap();
    const sink = new DiagnosticSink();
    sink.warning(sources.locAt(sources.addFile('a.c', 'x'), 0), 'w', 'm');
    const [bold, reset] = ['\u001b[1m', '\u001b[0m'];
    expect(printDiagnostics(sink.all, sources, { colour: true })).toBe(
      `${bold}a.c:1:1:${reset} \u001b[1;35mwarning:${reset} ${bold}m [w]${reset}\n x\n \u001b[1;32m^${reset}\n`,
    );
  });
});
