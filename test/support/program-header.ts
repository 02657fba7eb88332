/** The first line of a program in test/programs: what is to be expected of it, and with which options. */

import type { DataModel } from '../../src/program/data-model.ts';

export interface ProgramHeader {
  readonly verdict: 'safe' | 'unsafe';
  readonly unwind: number;
  readonly rounds: number;
  readonly dataModel: DataModel;
  /** Macros for the program and the models. */
  readonly defines: readonly string[];
}

const FORM =
  /^\/\/ lazuli: expect (?<verdict>safe|unsafe); unwind (?<unwind>\d+); rounds (?<rounds>\d+)(?<wide>; LP64)?(?<defines>(?:; define \S+?)*)\n/;

export function readProgramHeader(text: string): ProgramHeader {
  const found = FORM.exec(text)?.groups;
  if (!found) throw new Error(`the first line does not say what to expect: ${text.split('\n', 1)[0]}`);
  return {
    verdict: found.verdict as ProgramHeader['verdict'],
    unwind: Number(found.unwind),
    rounds: Number(found.rounds),
    dataModel: found.wide ? 'LP64' : 'ILP32',
    defines: [...(found.defines ?? '').matchAll(/; define ([^;\s]+)/g)].map(([, macro]) => macro as string),
  };
}
