// The entry of the `lazuli` executable. Only what every run needs is imported here; commands are loaded when they run.
//
// There is no handler for SIGINT: the default ends the process at once, also in the middle of a long computation that
// would never come back to an event loop, and the shell reports exit code 130.

import { setFlagsFromString } from 'node:v8';
import { commands } from './commands.ts';
import { flushProcessStreams, processIo } from './io.ts';
import { reportThrown, run } from './run.ts';

// Most runs are over before optimised code pays off: V8 shall wait four times as long as it does before it compiles a function again.
// That saved about a fifth of the CPU time of short checks; one long symbolic execution took a quarter more (6.3 to 7.9 s).
setFlagsFromString('--interrupt-budget=500000');

const io = processIo();
if (io.env.LAZULI_DEBUG === '1') process.setSourceMapsEnabled(true);

async function end(code: number): Promise<void> {
  process.exitCode = code;
  await flushProcessStreams();
  process.exit(code);
}

process.on('uncaughtException', (error) => end(reportThrown(error, io)));
process.on('unhandledRejection', (reason) => end(reportThrown(reason, io)));

await end(await run(process.argv.slice(2), io, commands));
