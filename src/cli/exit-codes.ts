// The exit codes of every command: the one list from which `--help` and the documents derive.
//
// A script can rely on them: 0 and 10 are verdicts, all others say that there is none. They keep clear of the codes
// that a shell gives to signals (above 128); what ends the process from outside has those, by the same convention.

export const exitCodes = {
  ok: 0,
  unknown: 1,
  usage: 2,
  program: 3,
  file: 4,
  internal: 5,
  queue: 6,
  violation: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'no violation, or nothing to complain about',
  unknown: 'no verdict; the reason is printed',
  usage: 'wrong usage of the command line',
  program: 'the C program has errors or uses C that is not supported',
  file: 'a file cannot be read or written',
  internal: 'an internal error of Lazuli',
  queue: 'the queue cannot be used',
  violation: 'a violation was found',
  hungUp: 'the terminal is gone',
  interrupted: 'interrupted',
  terminated: 'terminated by a signal',
};
