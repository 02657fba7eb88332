// The front end reads what the model library makes of a program: every model with every header on both data models, and
// the examples.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProgram } from '../../src/frontend/front-end.ts';
import { bundledHeaders, bundledModels } from '../../src/frontend/headers/bundled.ts';
import type { DataModel } from '../../src/program/data-model.ts';

const examples = new URL('../../examples/', import.meta.url);

function messages(fileName: string, text: string, dataModel: DataModel): string[] {
  const { diagnostics, sources } = readProgram({ fileName, text, dataModel, models: true });
  return diagnostics.map(({ loc, message }) => `${sources.place(loc)?.file}:${sources.place(loc)?.line}: ${message}`);
}

/** A program that includes all headers and mentions every function of the library that they declare. */
function useEverything(): string {
  const headers = [...bundledHeaders.keys()].filter((name) => !/^(iso646|complex|stdnoreturn)\.h$/.test(name));
  const glibcOnly = /^__lazuli|^__CPROVER|^__isoc|^__ctype|register_cancel$|unwind_next$|sigsetjmp_cancel$/;
  const functions = bundledModels.items.filter((item) => item.kind === 'function');
  const names = functions.map((item) => item.name).filter((name) => !glibcOnly.test(name));
  expect(names.length).toBeGreaterThan(250);
  const includes = headers.map((name) => `#include <${name}>\n`).join('');
  return `${includes}int main(void) {\n${names.map((name) => `  (void)${name};\n`).join('')}  return 0;\n}\n`;
}

describe('the front end', () => {
  it.each(['ILP32', 'LP64'] as const)('reads all headers and models for %s', (dataModel) => {
    expect(messages('everything.c', useEverything(), dataModel)).toEqual([]);
  });

  it.each(readdirSync(examples).filter((name) => name.endsWith('.c')))('reads %s with its models', (file) => {
    expect(messages(file, readFileSync(new URL(file, examples), 'utf8'), 'LP64')).toEqual([]);
  });
});
