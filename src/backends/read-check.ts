/** Which check a failed assertion of the sequential program is about: its message begins with the name. */

import { type CheckName, checkNames } from '../program/check-names.ts';

const CHECKS: ReadonlySet<string> = new Set<CheckName>([
  ...checkNames.map(({ name }) => name),
  'unsupported',
  'unwinding',
]);

/** The check that a message is about, and the rest of the message. */
export function readCheck(text: string): { readonly check: CheckName; readonly message: string } {
  const [, name = '', rest = ''] = /^([a-z]+): (.*)$/s.exec(text) ?? [];
  return CHECKS.has(name) ? { check: name as CheckName, message: rest } : { check: 'assertion', message: text };
}
