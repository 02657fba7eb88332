// The programs in examples/checks/: a data race and a deadlock, each beside a program without one. The solver alone
// says what their first lines say.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkText, violatedCheck } from '../support/check-text.ts';
import { readProgramHeader } from '../support/program-header.ts';

const folder = fileURLToPath(new URL('../../examples/checks/', import.meta.url));

it.each(readdirSync(folder))('%s', async (file) => {
  const text = readFileSync(folder + file, 'utf8');
  const { verdict, unwind } = readProgramHeader(text);
  const outcome = await checkText(text, { unwind, checks: ['race', 'deadlock'] });
  const broken = file.startsWith('two-accounts') ? 'deadlock' : 'race';
  expect(violatedCheck(outcome)).toBe(verdict === 'safe' ? 'safe' : broken);
});
