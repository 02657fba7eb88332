import { describe, expect, it } from 'vitest';
import type { Trace, TraceStep } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { printHtmlReport } from './html.ts';
import { HTML_SCRIPT } from './html-script.ts';

const at = (line: number) => ({ file: 'race.c', line, column: 1 });
const step = (index: number, thread: number, more: Partial<TraceStep> = {}): TraceStep => ({
  index,
  thread,
  isContextSwitch: index > 0,
  function: 'f',
  callStack: [],
  place: at(1 + (index % 3)),
  statement: 'x = "</script><b>";',
  values: [{ kind: 'write', name: 'x', value: '"</script>"', old: null, isInternal: false, isUninitialised: false }],
  events: [],
  ...more,
});
const lock = (name: string): TraceStep['events'] => [{ kind: 'call', function: name, args: ['&m'] }];

function reportOf(steps: readonly TraceStep[]): CheckReport {
  const trace: Trace = {
    version: 1,
    dataModel: 'LP64',
    violation: { check: 'assertion', message: 'x <= 1 & y', thread: 0, place: at(3) },
    threads: [
      { id: 0, parent: -1, start: 'main' },
      { id: 1, parent: 0, start: 'work' },
    ],
    steps,
    contextSwitches: steps.length - 1,
  };
  const outcome = { kind: 'unsafe', engine: 'bounded', bounds: { unwind: 1, rounds: 2 }, trace } as const;
  return { program: 'race.c', outcome, notes: ['A <note>.'], approximations: [], elapsedMs: 1000 };
}

const sources = [{ name: 'race.c', text: 'int x;\nint y; // <&>\nint main(void) { }\n' }];
const page = (steps: readonly TraceStep[]) => printHtmlReport(reportOf(steps), sources, '1.0.0');

describe('the report as HTML', () => {
  it('is one file that needs nothing else, and whose data cannot break out', () => {
    const text = page([step(0, 0), step(1, 1)]);
    expect(text).not.toMatch(/(?:src|href)=|https?:|@import|url\(/);
    expect(text.match(/<\/script>/g)).toHaveLength(2);
    expect(text).toContain('x &lt;= 1 &amp; y');
    expect(text).toContain('<p>A &lt;note&gt;.</p>');
    expect(text).toContain('int y; // &lt;&amp;&gt;');
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(text) ?? [];
    expect(JSON.parse(data).steps[1].values[0].value).toBe('"</script>"');
  });

  it('has a lane a thread, and an element for every name that the script looks up', () => {
    const text = page([step(0, 0), step(1, 1)]);
    expect(text).toContain('style="--lanes: 2"');
    expect(text).toMatch(/id="S1" role="option".*grid-column: 3/);
    const names = [...HTML_SCRIPT.matchAll(/by\('([a-z]+)'\)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(text).toContain(`id="${name}"`);
    expect(() => new Function(HTML_SCRIPT)).not.toThrow();
  });

  it('marks who holds a lock, and hides what is dull', () => {
    const dull = { values: [], isContextSwitch: false };
    const text = page([
      step(0, 0, { events: lock('pthread_mutex_lock') }),
      step(1, 1),
      step(2, 0, dull),
      step(3, 0, { events: lock('pthread_mutex_unlock') }),
    ]);
    const cells = [...text.matchAll(/id="S\d" .*?class="([^"]*)">.*?<div class="(cell[^"]*)"/g)];
    expect(cells.map(([, row, cell]) => `${row}|${cell}`)).toEqual([
      '|cell locked',
      'switch|cell',
      'dull|cell locked',
      'switch|cell',
    ]);
  });

  it('is small, and not slow for long traces', () => {
    expect(page([step(0, 0)]).length).toBeLessThan(30_000);
    expect(page(Array.from({ length: 10_000 }, (_, i) => step(i, i % 2))).match(/<li /g)).toHaveLength(10_000);
  });

  it('shows the reasons of other verdicts', () => {
    const bounds = { unwind: null, rounds: null };
    const proof = { method: 'induction', claim: 'No assertion fails.', invariant: 'x < 3' } as const;
    const safe: CheckReport = { ...reportOf([]), outcome: { kind: 'safe', engine: 'prove', bounds, proof } };
    expect(printHtmlReport(safe, sources, '1')).toContain('<h2>Invariant</h2><pre>x &lt; 3</pre>');
    const attempts = [{ engine: 'bounded', bounds, reason: 'too <large>' }];
    const common = { engine: 'bounded', bounds, cause: 'time', reason: 'time is up', loc: null, attempts } as const;
    const unknown: CheckReport = { ...safe, outcome: { kind: 'unknown', ...common } };
    expect(printHtmlReport(unknown, sources, '1')).toContain('<li>bounded: too &lt;large&gt;</li>');
  });
});
