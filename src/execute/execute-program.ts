/**
 * Bounded symbolic execution of a whole program: code in, steps out. The work is done by repeated execution
 * (settle.ts); here is decided what that starts with. Executions of the same program with smaller bounds have learned
 * most of what there is to know about memory, and what they learned holds within larger bounds, too: that is where the
 * next one starts.
 *
 * Why that is sound: knowledge is not believed but confirmed, by an execution that learns nothing beyond it. But
 * threads have to be numbered as they are created; where what was learned before does not give that, it is dropped.
 *
 * Where an access could go to too many places, the execution begins anew, and keeps track of words that lie in pieces
 * (whole-words.ts).
 */

import { findAddressNumbers } from '../program/address-numbers.ts';
import type { Code } from '../program/code.ts';
import { InvariantError } from '../support/invariant.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import type { ExecuteOptions } from './execution.ts';
import { Knowledge } from './knowledge.ts';
import { settle } from './settle.ts';
import type { SteppedProgram } from './steps.ts';
import { ExecutionLimitError, TooManyPlacesError } from './unsupported.ts';
import { WholeWords } from './whole-words.ts';

/** What executions of a program have learned, for further ones with larger bounds. */
export interface Experience {
  knowledge: Knowledge | null;
}

/** Throws UnsupportedError or ExecutionLimitError. */
export function executeProgram(
  code: Code,
  options: ExecuteOptions,
  experience: Experience = { knowledge: null },
): SteppedProgram {
  const { knowledge: former } = experience;
  experience.knowledge = null;
  const tracksWords = former !== null && former.words !== null;
  try {
    return attempt(code, options, experience, former, tracksWords);
  } catch (error) {
    if (isStackOverflow(error)) throw new ExecutionLimitError('calls are nested too deeply to be followed');
    if (!(error instanceof TooManyPlacesError) || tracksWords) throw error;
    return attempt(code, options, experience, null, true);
  }
}

function attempt(
  code: Code,
  options: ExecuteOptions,
  experience: Experience,
  former: Knowledge | null,
  tracksWords: boolean,
): SteppedProgram {
  const limit = code.dataModel === 'ILP32' ? 0xffff_ffffn : 0x7fff_ffff_ffffn;
  const avoided = findAddressNumbers(code);
  const start = (isFirst: boolean) => new Knowledge(limit, isFirst, tracksWords ? new WholeWords() : null, avoided);
  for (const begin of [() => former, () => start(true), () => start(false)]) {
    const knowledge = begin();
    const program = knowledge && settle(code, options, knowledge);
    if (!program) continue;
    knowledge.forgetGrowths();
    experience.knowledge = knowledge;
    return program;
  }
  throw new InvariantError('threads are not numbered as they are created');
}
