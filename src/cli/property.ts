// What is to be checked, as competitions write it in property files (`.prp`). What Lazuli does not check (yet) is a
// problem told by name, never silently left out.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
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
  ['data-race', ['race']],
  ['no-data-race', ['race']],
  ['deadlock', ['deadlock']],
  ['no-deadlock', ['deadlock']],
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

/** The checks of a property of a task. Its file may be missing beside a single task: then its usual name says them. */
export function readTaskProperty(file: string): ReadProperty {
  return existsSync(file) ? readProperty(readFileSync(file, 'utf8'), file) : propertyByName(file);
}

/** `no-data-race`, of `properties/no-data-race.prp`. */
export function nameOfProperty(file: string): string {
  return path.basename(file).replace(/\.prp$/, '');
}

/** Tasks also name what generators of tests are to cover: no question to a verifier. */
export function isForTests(file: string): boolean {
  return /^coverage-/.test(path.basename(file));
}

const NAMED: ReadonlyMap<string, readonly CheckName[]> = new Map([
  ['unreach-call.prp', ['assertion']],
  ['no-overflow.prp', ['overflow', 'shift']],
  ['no-data-race.prp', ['race']],
  ['no-deadlock.prp', ['deadlock']],
  ['valid-memsafety.prp', ['pointer', 'bounds', 'free', 'lost']],
]);

function propertyByName(file: string): ReadProperty {
  const checks = NAMED.get(path.basename(file));
  return checks ? { kind: 'checks', checks } : { kind: 'problem', message: `${file}: no such file` };
}
