// Runs the command line in this process and gives back what it wrote.

import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { memoryIo } from './memory-io.ts';

export async function lazuli(...args: string[]) {
  const io = memoryIo();
  const code = await run(args, io, commands);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}
