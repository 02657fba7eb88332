// The HTML report in a real browser: from disk, by keys, folded and filtered, dark, on paper, with a very long trace.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckReport } from '../../src/report/check-report.ts';
import { printHtmlReport } from '../../src/report/html.ts';
import type { TraceStep, TraceValue } from '../../src/trace/trace.ts';
import { openBrowser } from '../support/browser.ts';

const LIMIT_MS = 60_000;
const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-report-'));
let browser: Browser | null = null;

beforeAll(async () => {
  browser = await openBrowser();
}, LIMIT_MS);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const value = (kind: TraceValue['kind'], name: string, text: string, isInternal = false): TraceValue => ({
  ...{ kind, name, value: text, old: '0', isInternal, isUninitialised: false },
});

function step(index: number, thread: number, more: Partial<TraceStep> = {}): TraceStep {
  const common = { index, thread, isContextSwitch: false, function: `f${thread}`, callStack: [], events: [] };
  return {
    ...common,
    place: { file: 'a.c', line: 1 + (index % 4), column: 1 },
    statement: `s${index}`,
    values: [],
    ...more,
  };
}

/** Thread 1 writes x under a lock, does a few dull steps, and main reads it. */
const SHORT: readonly TraceStep[] = [
  step(0, 0, { events: [{ kind: 'create', child: 1 }] }),
  step(1, 1, { isContextSwitch: true, values: [value('write', 'm.__lock', '2', true)], statement: 'lock(&m);' }),
  step(2, 1, { values: [value('write', 'x', '7')], statement: 'x = 7;' }),
  ...[3, 4, 5, 6].map((index) => step(index, 1)),
  step(7, 1, { values: [{ ...value('write', 'm.__lock', '0', true), old: '2' }], events: [{ kind: 'exit' }] }),
  step(8, 0, { isContextSwitch: true, values: [value('read', 'x', '7')], statement: 'assert(x == 0);' }),
];

function reportOf(steps: readonly TraceStep[]): CheckReport {
  const violation = { check: 'assertion', message: 'x == 0', thread: 0, place: null } as const;
  const threads = [0, 1, 2].map((id) => ({ id, parent: id - 1, start: `f${id}` }));
  const trace = { version: 1, dataModel: 'LP64', violation, threads, steps, contextSwitches: 2 } as const;
  const outcome = { kind: 'unsafe', engine: 'bounded', bounds: { unwind: 1, rounds: 1 }, trace } as const;
  return { program: 'a.c', outcome, notes: [], approximations: [], elapsedMs: 1 };
}

const RANGES = {
  scope: ['In all interleavings.'],
  texts: new Map([
    ['a', ['a: 0 … 7']],
    ['c', ['c: {1, 3}']],
  ]),
};

function inReport(
  steps: readonly TraceStep[],
  test: (page: Page) => Promise<void>,
  options: Parameters<Browser['newPage']>[0] = {},
) {
  return async () => {
    if (!browser) return;
    const file = path.join(folder, `${steps.length}.html`);
    writeFileSync(
      file,
      printHtmlReport(reportOf(steps), [{ name: 'a.c', text: 'int a;\nint b;\nint c;\nint d;\n' }], '1', {
        ranges: RANGES,
      }),
    );
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    try {
      await page.goto(pathToFileURL(file).href);
      await test(page);
      expect(complaints).toEqual([]);
    } finally {
      await page.close();
    }
  };
}

const position = (page: Page) => page.locator('#position').textContent();
const rows = (page: Page) => page.locator('.row').count();

describe('the HTML report', () => {
  it(
    'draws switches, forks, locks and where a value comes from',
    inReport(SHORT, async (page) => {
      expect(await page.locator('.arrow.switch').count()).toBe(2);
      expect(await page.locator('.arrow.create.right').count()).toBe(1);
      expect(await page.locator('.bracket.open').count()).toBe(1);
      expect(await page.locator('.bracket[title="holds m"]').count()).toBeGreaterThan(1);
      // The last step is selected: it reads what step 3 wrote.
      expect(await page.locator('.steps svg > path').count()).toBe(1);
      expect(await page.locator('.row.seen').getAttribute('aria-label')).toBe('step 3, thread 1, x = 7;: x = 7');
      await page.locator('#reads .link').click();
      expect(await position(page)).toBe('step 3 of 9');
      expect(await page.locator('tr.here .who').textContent()).toBe(' T1');
      expect(await page.locator('#stacks h3.current').textContent()).toBe('T1 f1');
    }),
    LIMIT_MS,
  );

  it(
    'is used by keys alone',
    inReport(SHORT, async (page) => {
      const press = (key: string) => page.keyboard.press(key);
      await press('Home');
      expect(await position(page)).toBe('step 1 of 9');
      await press('n');
      expect(await position(page)).toBe('step 2 of 9');
      await press('j');
      await press('j');
      expect(await position(page), 'the fold is passed').toBe('step 8 of 9');
      const folded = await rows(page);
      await press('Home');
      await press('Enter');
      expect(await rows(page)).toBe(folded + 3);
      expect(await position(page)).toBe('step 4 of 9');
      await press('/');
      await page.keyboard.type('x');
      expect(await rows(page)).toBe(2);
      await press('Escape');
      await press('End');
      expect(await page.locator('#live').textContent()).toBe('step 9, thread 0, assert(x == 0);: x is 7');
      expect(await page.locator('#steps').getAttribute('aria-activedescendant')).toBe(
        await page.locator('.row[aria-selected=true]').getAttribute('id'),
      );
      await page.locator('#thread').selectOption('0');
      expect(await rows(page)).toBe(1);
    }),
    LIMIT_MS,
  );

  it(
    'shows the values of variables on their names, by pointer and by keys, and to screen readers',
    inReport(SHORT, async (page) => {
      const tip = page.locator('[role=tooltip]');
      const names = page.locator('[data-r]');
      await names.nth(1).hover();
      expect(await tip.textContent()).toBe('c: {1, 3}');
      await page.locator('h1').hover();
      expect(await tip.isVisible()).toBe(false);
      // One of the names is on the way of Tab.
      expect(await page.locator('[data-r][tabindex="0"]').count()).toBe(1);
      await names.nth(0).focus();
      expect(await tip.textContent()).toBe('a: 0 … 7');
      await page.keyboard.press('ArrowRight');
      expect(await tip.textContent()).toBe('c: {1, 3}');
      expect(await tip.isVisible()).toBe(true);
      expect(await page.locator('[data-r]:focus').getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'));
      await page.keyboard.press('Escape');
      expect(await tip.isVisible()).toBe(false);
    }),
    LIMIT_MS,
  );

  it(
    'follows the theme of the system, and the button',
    inReport(
      SHORT,
      async (page) => {
        const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
        expect(await colour()).toBe('rgb(20, 23, 28)');
        await page.locator('#theme').click();
        expect(await colour()).toBe('rgb(255, 255, 255)');
      },
      { colorScheme: 'dark' },
    ),
    LIMIT_MS,
  );

  const long = Array.from({ length: 10_000 }, (_, index) => {
    const thread = index % 3;
    const values = [value(index % 2 === 0 ? 'write' : 'read', `x${index % 5}`, String(index))];
    return step(index, thread, { isContextSwitch: true, values, statement: `x${index % 5} = ${index % 40};` });
  });

  it(
    'has only the rows in view of a trace of 10,000 steps',
    inReport(long, async (page) => {
      expect(await position(page)).toBe('step 10000 of 10000');
      expect(await rows(page)).toBeLessThan(120);
      for (let i = 0; i < 20; i++) await page.keyboard.press('k');
      expect(await position(page)).toBe('step 9980 of 10000');
      await page.keyboard.press('Home');
      expect(await page.locator('.row[aria-selected=true] .index').textContent()).toContain('1');
      await page.evaluate("document.querySelector('.picture').scrollTop = 200000");
      await expect.poll(() => page.locator('.row').first().getAttribute('id')).toMatch(/^R4\d\d\d$/);
    }),
    LIMIT_MS,
  );

  it(
    'has all rows on paper',
    inReport(long.slice(0, 500), async (page) => {
      expect(await rows(page)).toBeLessThan(120);
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      await page.evaluate("document.querySelector('.picture').dispatchEvent(new Event('scroll'))");
      expect(await rows(page)).toBe(500);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      expect(await rows(page)).toBeLessThan(120);
      const pdf = await page.pdf();
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.tools').isVisible()).toBe(false);
    }),
    LIMIT_MS,
  );
});
