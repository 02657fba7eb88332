// What the operating system says is wrong with a file or a program, in words for people.

/** Node's message is `ENOENT: no such file or directory, open 'x.c'`, or `spawn x ENOENT`. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'no such file or directory';
  if (code === 'EISDIR') return 'it is a directory';
  return /^[A-Z0-9_]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}
