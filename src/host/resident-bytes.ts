/** The memory that a process holds; 0 where that cannot be read. */

import { readFileSync } from 'node:fs';

export function residentBytes(pid: number): number {
  try {
    const resident = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return resident ? Number(resident[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}
