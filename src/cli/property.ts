// What is to be checked, as competitions write it: property files (`.prp`) and task definitions (`.yml`). What Lazuli
// does not check (yet) is a problem told by name, never silently left out.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseYaml } from 'yaml';
import type { CheckName } from '../program/code.ts';
import { pushAll } from '../support/push-all.ts';

/** The checks that a formula of a property file stands for. */
const CHECKS_OF: ReadonlyMap<string, readonly CheckName[]> = new Map([
  ['call(reach_error())', ['assertion']],
  ['call(__VERIFIER_error())', ['assertion']],
  ['overflow', ['overflow', 'shift']],
  ['valid-free', ['free']],
  ['valid-deref', ['pointer', 'bounds']],
  ['valid-memtrack', ['lost']],
  ['valid-memcleanup', ['leak']],
]);

export type ReadProperty =
  | { readonly kind: 'checks'; readonly checks: readonly CheckName[] }
  | { readonly kind: 'problem'; readonly message: string };

/** Reads the text of a property file: one or more lines `CHECK( init(main()), LTL(G ! …) )`. */
export function readProperty(text: string, name: string): ReadProperty {
  const checks: CheckName[] = [];
  let count = 0;
  for (const match of text.matchAll(/CHECK\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((.*)\)\s*\)/g)) {
    count++;
    const formula = (match[1] ?? '').trim();
    const wanted = /^G\s*!?\s*(.*)$/.exec(formula)?.[1]?.replace(/\s+/g, '') ?? '';
    const found = CHECKS_OF.get(wanted);
    if (!found) return { kind: 'problem', message: `${name}: the property '${formula}' is not supported` };
    pushAll(checks, found);
  }
  if (count === 0) return { kind: 'problem', message: `${name}: there is no property in it` };
  return { kind: 'checks', checks };
}

export type ReadTask =
  | {
      readonly kind: 'task';
      readonly inputFile: string;
      readonly dataModel: '32' | '64' | null;
      readonly propertyFiles: readonly string[];
    }
  | { readonly kind: 'problem'; readonly message: string };

/** Reads a task definition; file names in it are relative to it. */
export function readTask(file: string, text: string): ReadTask {
  const problem = (message: string): ReadTask => ({ kind: 'problem', message: `${file}: ${message}` });
  let document: unknown;
  try {
    document = parseYaml(text);
  } catch (error) {
    return problem(`no YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`);
  }
  if (!isRecord(document)) return problem('no task definition');
  const inputs = Array.isArray(document.input_files) ? document.input_files : [document.input_files];
  const [input] = inputs;
  if (inputs.length !== 1 || typeof input !== 'string') return problem('a task has one input file here');
  const options = isRecord(document.options) ? document.options : {};
  if (options.language !== undefined && options.language !== 'C')
    return problem(`the language is ${String(options.language)}`);
  const near = (name: string) => path.join(path.dirname(file), name);
  const properties = Array.isArray(document.properties) ? document.properties : [];
  const propertyFiles = properties
    .map((property) =>
      isRecord(property) && typeof property.property_file === 'string' ? near(property.property_file) : '',
    )
    .filter((name) => name !== '');
  const dataModel = options.data_model === 'ILP32' ? '32' : options.data_model === 'LP64' ? '64' : null;
  return { kind: 'task', inputFile: near(input), dataModel, propertyFiles };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The checks of the first property of a task that can be done. Its file may be missing beside a single task: then its
 * usual name says what it holds.
 */
export function readTaskProperties(files: readonly string[]): ReadProperty | null {
  let problem: ReadProperty | null = null;
  for (const file of files) {
    const read = existsSync(file) ? readProperty(readFileSync(file, 'utf8'), file) : propertyByName(file);
    if (read.kind === 'checks') return read;
    problem ??= read;
  }
  return problem;
}

const NAMED: ReadonlyMap<string, readonly CheckName[]> = new Map([
  ['unreach-call.prp', ['assertion']],
  ['no-overflow.prp', ['overflow', 'shift']],
  ['valid-memsafety.prp', ['pointer', 'bounds', 'free', 'lost']],
]);

function propertyByName(file: string): ReadProperty {
  const checks = NAMED.get(path.basename(file));
  return checks ? { kind: 'checks', checks } : { kind: 'problem', message: `${file}: no such file` };
}
