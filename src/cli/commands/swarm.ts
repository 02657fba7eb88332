// `lazuli swarm`: one hard question as many small ones. The program is checked in instances, in each of which threads
// may be preempted only in some parts of their code; many instances run side by side, and the first bug ends them.

import { defineCommand } from '../define-command.ts';
import { runSwarmCommand } from '../run-swarm-command.ts';
import { swarmOptions } from '../swarm-options.ts';

export const run = defineCommand({
  name: 'swarm',
  summary: 'Checks many instances of a program, each with preemptions in some parts of its threads only.',
  operands: { name: 'FILE', min: 1, max: Number.POSITIVE_INFINITY, unless: 'compileCommands', compiled: true },
  options: swarmOptions,
  notes: [
    'The visible statements of each thread are cut into tiles; an instance takes some of them, and a thread is preempted',
    'only there and where it can block. All selections together have all interleavings of as many rounds as tiles are',
    'taken; more of them than --instances-limit are sampled, and the verdict says so. The configuration goes to',
    'FILE_auto_config.json, results go to FILE.swarm/results.jsonl as they come. After Ctrl-C or a crash the same command',
    'goes on where it stopped. docs/swarm.md tells more.',
  ].join(' '),
  run: async ({ options, operands, given }, io) => runSwarmCommand(operands, options, given, io),
});
