/** What is looked for where the user says nothing. */

import type { Token } from '../frontend/lex/token.ts';
import { type CheckName, defaultChecks } from '../program/check-names.ts';
import { verifierMeaning } from '../program/verifier-names.ts';

/**
 * A program that calls the error functions of competitions has said itself what it must not do: then this alone is
 * looked for.
 */
export function usualChecks(tokens: readonly Token[]): readonly CheckName[] {
  const saysItself = tokens.some(({ text }) => verifierMeaning(text) === 'error');
  return saysItself ? ['assertion'] : defaultChecks();
}
