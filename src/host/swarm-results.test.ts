// Results that cannot be written are told as what they are, and no fault of ours.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ResultsUnwritable, SwarmResults } from './swarm-results.ts';

it('says that results cannot be written', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-results-'));
  const results = new SwarmResults(folder);
  results.open({ program: 'p.c', question: 'q', count: '2' }, true, () => {});
  rmSync(folder, { recursive: true });
  const none = { kind: 'none', cuts: [], assertions: null } as const;
  const add = () =>
    results.add({ key: '0', instance: { name: '0', windows: [] } }, { result: none, elapsedMs: 1, memoryBytes: 1 });
  expect(add).toThrow(ResultsUnwritable);
  expect(add).toThrow(/^cannot write '.*results\.jsonl': no such file or directory; what it has counts/);
});
