import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { enumerate } from '../../src/engines/explore/enumerate.ts';
import { memoryModels } from '../../src/program/memory-model.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { CHECKS, readCode } from '../support/agreement.ts';
import { CLASSICAL } from '../support/classical-litmus.ts';
import { emitLitmus, isAllowed } from '../support/litmus.ts';

/** Those that few states are enough for. */
const SMALL = CLASSICAL.filter(({ threads }) => threads.length <= 2);

describe('the litmus tests of the literature', () => {
  it.each(CLASSICAL)('$name: the oracle says what is known of it', (litmus) => {
    expect(memoryModels.filter((model) => isAllowed(litmus, model))).toEqual(litmus.allowed);
  });

  it.each(SMALL)('$name: enumeration with buffers finds it where it is possible', (litmus) => {
    const program = compileProgram(readCode(emitLitmus(litmus)));
    const found = memoryModels.filter((memoryModel) => {
      const options = { checks: CHECKS, stateLimit: 20_000, stopAtFirst: true, memoryModel };
      const { violations, isComplete } = enumerate(program, options);
      expect(isComplete || violations.length > 0).toBe(true);
      return violations.length > 0;
    });
    expect(found).toEqual(litmus.allowed);
  });
});

describe('docs/weak-memory.md', () => {
  it('has the table', () => {
    const cell = (text: string) => text.replaceAll('|', '\\|');
    const rows = CLASSICAL.map(({ name, threads, outcome, allowed }) => {
      const end = Object.entries(outcome).map(([key, value]) => `${key} = ${value}`);
      const marks = memoryModels.map((model) => (allowed.includes(model) ? 'yes' : 'no'));
      return `| ${cell(name)} | ${threads.map((thread) => `\`${thread}\``).join(' ‖ ')} | ${end.join(', ')} | ${marks.join(' | ')} |`;
    });
    const table = ['| test | threads | end | SC | TSO | PSO |', '|---|---|---|---|---|---|', ...rows].join('\n');
    expect(readFileSync('docs/weak-memory.md', 'utf8')).toContain(table);
  });
});
