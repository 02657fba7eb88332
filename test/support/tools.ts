// The programs that some tests compare Lazuli with. scripts/install-test-tools.sh installs them where it can; where one
// is missing, a test that wants it ends early with a note, or fails if LAZULI_REQUIRE_TOOLS=1 (as in CI).

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { noteOnce } from './note-once.ts';

export type Tool =
  | 'gcc'
  | 'gcc -m32'
  | 'cadical'
  | 'cbmc'
  | 'chromium'
  | 'frama-c'
  | 'redis-server'
  | 'openssl'
  | 'sbatch'
  | 'gdb'
  | 'python3';

/** The path of a tool, or null. Quiet: for choosing between ways to test. */
export function hasTool(tool: Tool): string | null {
  if (tool === 'gcc -m32') return compiles32Bit() ? hasTool('gcc') : null;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, tool);
    if (isExecutable(file)) return file;
  }
  return null;
}

/** The path of a tool; without it, null and a note, or an error if tools are required. */
export function requireTool(tool: Tool): string | null {
  const file = hasTool(tool);
  if (file !== null) return file;
  const text = `not there: ${tool}; tests that need it check nothing (scripts/install-test-tools.sh installs it)`;
  if (process.env.LAZULI_REQUIRE_TOOLS === '1') throw new Error(text);
  noteOnce(text);
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** gcc for 32 bits needs libraries of its own: only a compilation tells. */
function compiles32Bit(): boolean {
  const input = '#include <stdio.h>\nint main(void) { return 0; }\n';
  const { status } = spawnSync('gcc', ['-m32', '-x', 'c', '-o', '/dev/null', '-'], { input });
  return status === 0;
}
