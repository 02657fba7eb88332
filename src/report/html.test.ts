import { describe, expect, it } from 'vitest';
import { decodeSteps } from '../../web/report/decode.ts';
import type { Outcome, Unsafe } from '../outcome/outcome.ts';
import { NOWHERE } from '../support/source.ts';
import type { Trace, TraceStep, TraceValue } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { printHtmlReport } from './html.ts';
import { toPageTrace } from './html-data.ts';
import { findMarks } from './html-marks.ts';
import { findNotes } from './html-notes.ts';

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
const call = (name: string, ...args: string[]): TraceStep['events'] => [{ kind: 'call', function: name, args }];
/** The model of a mutex writes who holds it. */
const word = (value: string, old: string): TraceValue => ({
  ...{ kind: 'write', name: 'm.__lock', value, old, isInternal: true, isUninitialised: false },
});

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
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/(?:src|href)=|https?:|@import|url\((?!#)/);
    expect(text.match(/<\/script>/g)).toHaveLength(2);
    expect(text).toContain('x &lt;= 1 &amp; y');
    expect(text).toContain('<p>A &lt;note&gt;.</p>');
    expect(text).toContain('int y; // &lt;&amp;&gt;');
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(text) ?? [];
    expect(decodeSteps(JSON.parse(data))[1]?.values).toEqual([{ kind: 'write', name: 'x', value: '"</script>"' }]);
  });

  it('has a lane a thread, and can be read without scripts', () => {
    const text = page([step(0, 0), step(1, 1)]);
    expect(text).toContain('style="--lanes: 2"');
    const [, readable = ''] = /<noscript><pre>(.*?)<\/pre>/s.exec(text) ?? [];
    expect(readable).toContain('switch to thread 1 (work)');
  });

  it('tells what was left out of a very long run, and where', () => {
    const { outcome, ...report } = reportOf([step(0, 0), step(1, 1, { hiddenBefore: 70_000 })]);
    const { trace } = outcome as Unsafe;
    const long = { ...report, outcome: { ...outcome, trace: { ...trace, hiddenInstructions: 70_000 } } as Unsafe };
    const text = printHtmlReport(long, sources, '1.0.0');
    expect(text).toContain('<p>2 steps, 1 context switch, without 70000 instructions far from its ends');
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(text) ?? [];
    expect(decodeSteps(JSON.parse(data))[1]?.effects).toMatch(/^after 70000 more instructions, x = /);
  });

  it('is small: the whole page, and ten thousand steps', () => {
    expect(page([step(0, 0)]).length).toBeLessThan(40_000);
    const steps = Array.from({ length: 10_000 }, (_, i) => {
      const value = { ...(step(0, 0).values[0] as TraceValue), value: String(i) };
      return step(i, i % 2, { statement: `x = ${i % 40};`, place: at(1 + (i % 40)), values: [value] });
    });
    expect(page(steps).length).toBeLessThan(300_000);
    const { steps: encoded, templates } = toPageTrace((reportOf(steps).outcome as Unsafe).trace as Trace, []);
    expect(encoded.split(',')).toHaveLength(10_000);
    expect(encoded.length).toBeLessThan(150_000);
    expect(templates.length).toBeLessThan(200);
  });

  it('shows the reasons of other verdicts', () => {
    const bounds = { unwind: null, rounds: null };
    const proof = {
      method: 'induction',
      claim: 'No assertion fails.',
      invariant: { threads: [], facts: [{ when: [], holds: 'x < 3' }] },
    } as const;
    const safe: CheckReport = { ...reportOf([]), outcome: { kind: 'safe', engine: 'prove', bounds, proof } };
    expect(printHtmlReport(safe, sources, '1')).toContain('<h2>Invariant</h2><pre>always: x &lt; 3</pre>');
    const attempts = [{ engine: 'bounded', bounds, reason: 'too <large>' }];
    const common = { engine: 'bounded', bounds, cause: 'time', reason: 'time is up', loc: null, attempts } as const;
    const unknown: CheckReport = { ...safe, outcome: { kind: 'unknown', ...common } };
    expect(printHtmlReport(unknown, sources, '1')).toContain('<li>bounded: too &lt;large&gt;</li>');
  });
});

describe('the picture of a step', () => {
  it('shows locks that are taken and given back, and not a wait that gives one back for a while', () => {
    const steps = [
      step(0, 1, { values: [word('2', '0')], events: call('pthread_mutex_lock', '&m') }),
      step(1, 1, { values: [word('0', '2'), word('2', '0')], events: call('pthread_cond_wait', '&c', '&m') }),
      step(2, 1, { values: [word('0', '2')], events: call('pthread_mutex_unlock', '&m') }),
      step(3, 0, { values: [], events: call('pthread_rwlock_wrlock', '&l') }),
      step(4, 0, { values: [], events: [...call('pthread_spin_lock', '&s'), { kind: 'blocked' }] }),
    ];
    expect(findMarks(steps)).toEqual([
      [{ kind: 'lock', lock: 'm' }],
      [],
      [{ kind: 'unlock', lock: 'm' }],
      [{ kind: 'lock', lock: 'l' }],
      [{ kind: 'wait' }],
    ]);
  });

  it('shows threads that begin, end and are joined', () => {
    const steps = [
      step(0, 0, { events: [{ kind: 'create', child: 1 }] }),
      step(1, 1, { events: [{ kind: 'exit' }] }),
      step(2, 0, { events: call('pthread_join', 'thread 1', 'NULL') }),
    ];
    expect(findMarks(steps)).toEqual([
      [{ kind: 'create', thread: 1 }],
      [{ kind: 'exit' }],
      [{ kind: 'join', thread: 1 }],
    ]);
  });
});

describe('a bounded verdict', () => {
  it('says at the lines what was cut, reached and missed', () => {
    const outcome: Outcome = {
      ...{ kind: 'bounded', engine: 'bounded', bounds: { unwind: 2, rounds: 2 }, reason: null },
      cuts: [{ kind: 'bound', where: 'main.0', loc: NOWHERE, place: at(1) }],
      assertions: { total: 2, reached: 1, missed: [at(2)], reachedAt: [at(3)] },
    };
    expect(findNotes(outcome).map(({ line, kind }) => `${line} ${kind}`)).toEqual(['1 cut', '2 missed', '3 reached']);
    const text = printHtmlReport({ ...reportOf([]), outcome }, sources, '1');
    expect(text).toContain('int x;<div class="note cut">main.0 goes on beyond its bound</div>');
  });
});

describe('ranges on the names of variables', () => {
  const texts = new Map([
    ['x', ['x: {0, 1}']],
    ['many', Array.from({ length: 20 }, (_, at) => `many[${at}]: </script>`)],
  ]);
  const text = '/* x */ int x; // x\nvoid f(void) { s.x = x < many[0]; p->x = "x"; }\n';
  const pageOf = (ranges: boolean) =>
    printHtmlReport(
      reportOf([step(0, 0)]),
      [{ name: 'race.c', text }],
      '1.0.0',
      ranges ? { ranges: { scope: ['Within the bounds.'], texts } } : {},
    );

  it('are marked in code only, not in comments, texts and members', () => {
    const html = pageOf(true);
    expect(html).toContain('/* x */ int <i data-r="0">x</i>; // x<');
    expect(html).toContain('s.x = <i data-r="0">x</i> &lt; <i data-r="1">many</i>[0]; p-&gt;x = &quot;x&quot;; }<');
    expect(html).toContain('Within the bounds.</p>');
    const table = JSON.parse(/id="ranges">(.*?)<\/script>/.exec(html)?.[1] ?? '');
    expect(table[0]).toBe('x: {0, 1}');
    expect(table[1].split('\n')).toEqual([...(texts.get('many') ?? []).slice(0, 8), '… 12 more']);
    expect(pageOf(false)).not.toMatch(/data-r=|id="ranges"/);
  });
});
