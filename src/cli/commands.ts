// The commands, one row each. The code of a command is loaded when it runs, so that the tool starts fast. To add one,
// write `commands/<name>.ts` with `export const run = defineCommand({ … })` and add its row here.

import type { RunCommand } from './define-command.ts';

export interface CommandRow {
  readonly name: string;
  /** One line for `lazuli --help`. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}

export const commands: readonly CommandRow[] = [
  { name: 'check', summary: 'find an interleaving that breaks a program', load: () => import('./commands/check.ts') },
  { name: 'parse', summary: 'read C, report its errors, print it back', load: () => import('./commands/parse.ts') },
  {
    name: 'prove',
    summary: 'prove that a program is safe, without bounds',
    load: () => import('./commands/prove.ts'),
  },
  {
    name: 'ranges',
    summary: 'show which values each variable can have, and in how many bits',
    load: () => import('./commands/ranges.ts'),
  },
  {
    name: 'replay',
    summary: 'show the counterexample of a report again, or run the real program in its order',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'sequentialize',
    summary: 'turn a multi-threaded program into sequential C for a backend',
    load: () => import('./commands/sequentialize.ts'),
  },
  {
    name: 'swarm',
    summary: 'check many instances of a program, with few preemptions each',
    load: () => import('./commands/swarm.ts'),
  },
  {
    name: 'worker',
    summary: 'run instances that swarms on any machine put on a queue',
    load: () => import('./commands/worker.ts'),
  },
];
