// How a command is made: its description (name, options, operands) and a body that gets them parsed. Help and wrong
// usage are dealt with here, so that a body starts with values that are right.

import { type ExitCode, exitCodes } from './exit-codes.ts';
import { type CommandDescription, printCommandHelp } from './help.ts';
import type { Io } from './io.ts';
import { type OptionTable, type OptionValues, parseArguments } from './options.ts';

export interface CommandInput<T extends OptionTable> {
  readonly options: OptionValues<T>;
  readonly operands: readonly string[];
  /** The keys of the options that the user gave himself. */
  readonly given: ReadonlySet<keyof T>;
}

export type RunCommand = (args: readonly string[], io: Io) => Promise<ExitCode>;

interface CommandDefinition<T extends OptionTable> extends CommandDescription {
  readonly options: T;
  readonly run: (input: CommandInput<T>, io: Io) => Promise<ExitCode>;
}

/** Makes the `run` of a row of the command table. */
export function defineCommand<const T extends OptionTable>(definition: CommandDefinition<T>): RunCommand {
  return async (args, io) => {
    const parsed = parseArguments(definition.options, definition.operands, args);
    switch (parsed.kind) {
      case 'help':
        io.out.write(printCommandHelp(definition, io.out.columns));
        return exitCodes.ok;
      case 'problem':
        return reportUsage(io, definition.name, parsed.message);
      case 'parsed':
        return definition.run(parsed, io);
    }
  };
}

/** Tells the user in one line how the command was misused; also for rules that the option table cannot state. */
export function reportUsage(io: Io, command: string, message: string): ExitCode {
  io.err.write(`lazuli ${command}: ${message} (see 'lazuli ${command} --help')\n`);
  return exitCodes.usage;
}

/** Tells the user that something cannot be read, written or reached. */
export function reportUnusable(io: Pick<Io, 'err'>, message: string): ExitCode {
  io.err.write(`lazuli: ${message}\n`);
  return exitCodes.file;
}
