// The entry of the `lazuli` executable. Only what every run needs is imported here; commands are loaded when they run.
//
// There is no handler for signals here: the default ends the process at once, also in the middle of a long computation
// that would never come back to an event loop. Only who waits for others (a worker, a backend) has one meanwhile
// (signals.ts).

import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { flushProcessStreams, processIo } from './io.ts';
import { reportThrown, run } from './run.ts';

const { io, outputProblem } = processIo();

async function end(code: number): Promise<void> {
  process.exitCode = code;
  await flushProcessStreams();
  const problem = outputProblem();
  if (problem !== null) {
    process.exitCode = exitCodes.file;
    io.err.write(`lazuli: cannot write the output: ${problem}\n`);
    await flushProcessStreams();
  }
  process.exit();
}

process.on('uncaughtException', (error) => end(reportThrown(error, io)));
process.on('unhandledRejection', (reason) => end(reportThrown(reason, io)));

void run(process.argv.slice(2), io, commands).then(end);
