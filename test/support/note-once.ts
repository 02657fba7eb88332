// A note on the terminal about what a test run leaves out. Each is printed once per test file's process, straight to
// the terminal, so that no reporter hides it.

const printed = new Set<string>();

export function noteOnce(text: string): void {
  if (printed.has(text)) return;
  printed.add(text);
  process.stderr.write(`note: ${text}\n`);
}
