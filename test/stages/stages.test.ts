// A dozen small programs as each stage leaves them, one golden a stage and program: their Code, their steps, and what
// the passes from C to C make of them. What a change of a stage does to all of them is then seen at a glance.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printSteps } from '../../src/execute/print-steps.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { printProgram } from '../../src/frontend/print/print-program.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import type { Code } from '../../src/program/code.ts';
import { printFunction } from '../../src/program/print-code.ts';
import type { Program } from '../../src/program/tree.ts';
import { validateTree } from '../../src/program/validate-tree.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { prepareSteps } from '../support/agreement.ts';
import { expectGolden } from '../support/golden.ts';
import { lowerText } from '../support/lower-text.ts';

const FOLDER = new URL('./', import.meta.url);
const PROGRAMS = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.c') ? [file.slice(0, -2)] : []));

/** The other passes change little in programs of this size. */
const PASSES: ReadonlySet<string> = new Set([
  'simplify-statements',
  'inline-calls',
  'unwind-loops',
  'propagate-constants',
  'label-visible-statements',
]);

function textOf(name: string): string {
  return readFileSync(new URL(`${name}.c`, FOLDER), 'utf8');
}

/** The functions that the user wrote. */
function printOwnFunctions(code: Code): string {
  const own = code.functions.filter(({ isModel }) => !isModel);
  return `${own.map((each) => printFunction(each, code).join('\n')).join('\n\n')}\n`;
}

describe.each(PROGRAMS)('%s', (name) => {
  it('is lowered', async () => {
    await expectGolden(`code/${name}.txt`, printOwnFunctions(lowerText(textOf(name))));
  });

  it('is executed symbolically', async () => {
    const steps = prepareSteps(lowerText(textOf(name)), 2);
    await expectGolden(`steps/${name}.txt`, typeof steps === 'string' ? `${steps}\n` : printSteps(steps));
  });

  it('is bounded', async () => {
    const fileName = `${name}.c`;
    const { program } = readProgram({ fileName, text: textOf(name), dataModel: 'ILP32', models: true });
    const stages = new Map<string, string>();
    const options = { ...DEFAULT_BOUND_OPTIONS, unwind: 2 };
    boundProgram(program as Program, options, new DiagnosticSink(), {
      afterPass: (pass, after) => {
        expect(validateTree(after), pass.name).toEqual([]);
        const items = after.items.filter((item) => after.sources.fileOf(item.loc)?.name === fileName);
        if (PASSES.has(pass.name)) stages.set(pass.name, printProgram({ ...after, items }));
      },
    });
    expect([...stages.keys()]).toEqual([...PASSES]);
    for (const [pass, text] of stages) await expectGolden(`passes/${pass}/${name}.txt`, text);
  });
});
