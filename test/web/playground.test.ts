// The playground as people use it, in a real browser, from its static files: check an example, see the lanes, step,
// cancel a long run, open a link, work without network, on a phone.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type StaticServer, serveFolder } from '../support/browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-web-'));
/** Pages wait for the verifier on a machine that may be busy. */
const PATIENCE_MS = 100_000;

let browser: Browser | null = null;
let server: StaticServer;

beforeAll(async () => {
  const args = ['run', '--silent', 'build:web', '--', '--outDir', folder, '--logLevel', 'error'];
  execFileSync('npm', args, { cwd: root, env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' });
  server = await serveFolder(folder);
  browser = await openBrowser();
}, PATIENCE_MS);

afterAll(async () => {
  await browser?.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Gives a fresh page to a test; what the page complains about fails it. */
function inPage(test: (page: Page) => Promise<void>, options: Parameters<Browser['newContext']>[0] = {}) {
  return async () => {
    if (!browser) return;
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    try {
      await page.goto(server.url);
      await test(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  };
}

async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').fill(text);
}

const status = (page: Page) => page.locator('#status');
const report = (page: Page) => page.frameLocator('#report');

/** Two threads that only a very large search would be done with. */
const LONG = `#include <assert.h>
#include <pthread.h>
unsigned a = 1, b = 1, n;
unsigned nondet(void);
void *f(void *p) { for (;;) { a = a * 1664525u + b * nondet() + 1013904223u; n++; } return p; }
void *g(void *p) { for (;;) { b = b * 22695477u + a * nondet() + 1u; n++; } return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  assert(n < 100000 || a * b != 12345677u);
  return 0;
}
`;

/** Right in every interleaving, and wrong when stores wait in buffers. */
const WEAK = `int x, y, r, s;
#include <assert.h>
#include <pthread.h>
void *f(void *p) { x = 1; r = y; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  y = 1;
  s = x;
  pthread_join(t, 0);
  assert(r || s);
  return 0;
}
`;

describe('the playground', () => {
  it(
    'checks an example and shows its lanes, through which keys step',
    inPage(async (page) => {
      await page.locator('#example').selectOption('bank-account-unsafe');
      await page.locator('#check').click();
      await expect.poll(() => status(page).textContent(), { timeout: PATIENCE_MS }).toMatch(/^unsafe: /);
      // The report is a page of its own, which comes after the verdict.
      const soon = { timeout: PATIENCE_MS };
      await expect.poll(() => report(page).locator('.lanes span').count(), soon).toBeGreaterThan(2);
      const position = report(page).locator('#position');
      await expect.poll(() => position.textContent(), soon).toMatch(/^step (\d+) of \1$/);
      const [, last] = /^step (\d+)/.exec((await position.textContent()) ?? '') ?? [];
      expect(Number(last)).toBeGreaterThan(3);
      await report(page).locator('.steps').press('Home');
      await expect.poll(() => position.textContent(), soon).toBe(`step 1 of ${last}`);
      await report(page).locator('.steps').press('j');
      await expect.poll(() => position.textContent(), soon).not.toBe(`step 1 of ${last}`);
      await expect.poll(() => page.locator('.cm-thread-current').count(), soon).toBe(1);
    }),
    PATIENCE_MS,
  );

  it(
    'shows the values of variables at the cursor, and knows weak memory',
    inPage(async (page) => {
      await write(page, WEAK);
      await page.locator('#options summary').click();
      await page.locator('[name=memoryModel]').selectOption('tso');
      await page.locator('#check').click();
      await expect.poll(() => status(page).textContent(), { timeout: PATIENCE_MS }).toMatch(/^unsafe: /);
      await page.locator('.cm-content').focus();
      // Until the values are there, the key says so.
      const ask = async () => {
        await page.keyboard.press('Control+Home');
        for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Alt+r');
        return status(page).textContent();
      };
      await expect.poll(ask, { timeout: PATIENCE_MS, interval: 500 }).toMatch(/^x: 0 … 1|^x: \{0, 1\}/);
      expect(await page.locator('.cm-range[role=tooltip]').textContent()).toContain('x: ');
      await page.keyboard.press('Escape');
      expect(await page.locator('.cm-range').count()).toBe(0);
    }),
    PATIENCE_MS,
  );

  it(
    'proves with what a browser has',
    inPage(async (page) => {
      await page.locator('#example').selectOption('peterson-safe');
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => status(page).textContent(), { timeout: PATIENCE_MS }).toMatch(/^safe/);
      expect(await report(page).locator('.prose').textContent()).toContain('Verdict');
    }),
    PATIENCE_MS,
  );

  it(
    'cancels a long run, and says what is covered or that nothing is known',
    inPage(async (page) => {
      await write(page, LONG);
      await page.locator('#check').click();
      await expect.poll(() => status(page).textContent(), { timeout: PATIENCE_MS }).toMatch(/^\d+ of 60 s: \w/);
      await page.locator('#cancel').click();
      await expect.poll(() => status(page).textContent()).toMatch(/^(?:unknown: cancelled|safe up to bounds)/);
      expect(await page.locator('#check').isEnabled()).toBe(true);
    }),
    PATIENCE_MS,
  );

  it(
    'shows diagnostics at their places, before anybody asks for a check',
    inPage(async (page) => {
      await write(page, 'int main(void) {\n  return undeclared;\n}\n');
      const message = page.locator('#messages .error');
      await expect.poll(() => message.textContent()).toMatch(/^2:10: error: .*undeclared/);
      await expect.poll(() => page.locator('.cm-lintRange-error').textContent()).toBe('undeclared');
      await message.click();
      expect(await page.locator('.cm-activeLine').textContent()).toContain('return undeclared;');
    }),
    PATIENCE_MS,
  );

  it(
    'carries program and options in a link',
    inPage(async (page) => {
      await write(page, 'int main(void) { /* ä § 𝔘 */ return 0; }\n');
      await page.locator('#options summary').click();
      await page.locator('[name=rounds]').fill('3');
      await page.locator('[name=dataModel]').selectOption('ILP32');
      await page.locator('[value=race]').check();
      await page.locator('#share').click();
      await expect.poll(() => page.url()).toContain('#1.');
      const other = await page.context().newPage();
      await other.goto('about:blank');
      await other.goto(page.url());
      await expect.poll(() => other.locator('.cm-content').textContent()).toContain('/* ä § 𝔘 */');
      expect(await other.locator('[name=rounds]').inputValue()).toBe('3');
      expect(await other.locator('[name=unwind]').inputValue()).toBe('');
      expect(await other.locator('[name=dataModel]').inputValue()).toBe('ILP32');
      expect(await other.locator('[value=race]').isChecked()).toBe(true);
      await other.goto(`${server.url}#1.damaged`);
      await expect.poll(() => status(other).textContent()).toContain('the link is damaged');
    }),
    PATIENCE_MS,
  );

  it(
    'works without network after the first load',
    inPage(async (page) => {
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      await page.context().setOffline(true);
      await page.reload();
      await write(page, '#include <assert.h>\nint main(void) { assert(1 + 1 == 3); return 0; }\n');
      await page.locator('#check').click();
      await expect.poll(() => status(page).textContent(), { timeout: PATIENCE_MS }).toMatch(/^unsafe: assertion/);
    }),
    PATIENCE_MS,
  );

  it(
    'fits a phone',
    inPage(
      async (page) => {
        await page.locator('#check').click();
        await expect.poll(() => status(page).textContent(), { timeout: PATIENCE_MS }).toMatch(/^unsafe: /);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await report(page).locator('#previous').tap();
        expect(await report(page).locator('#position').textContent()).toMatch(/^step \d+ of \d+$/);
      },
      { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true },
    ),
    PATIENCE_MS,
  );
});
