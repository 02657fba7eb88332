// The helpers of the tests decide what is checked and what is left out, so they are tested too.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findBenchmarks, readBenchmarkManifest } from './benchmarks.ts';
import { hasTool, requireTool } from './tools.ts';

afterEach(() => vi.unstubAllEnvs());

describe('tools', () => {
  it('finds what is on the PATH, and nothing on an empty one', () => {
    const file = hasTool('gcc');
    expect(file === null || existsSync(file)).toBe(true);
    vi.stubEnv('PATH', '/nonexistent');
    expect(hasTool('gcc')).toBeNull();
    expect(hasTool('gcc -m32')).toBeNull();
  });

  it('turns a missing tool into an error only where tools are required', () => {
    vi.stubEnv('PATH', '/nonexistent');
    vi.stubEnv('LAZULI_REQUIRE_TOOLS', '0');
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(requireTool('cbmc')).toBeNull();
    expect(write.mock.calls.flat().join('')).toContain('not there: cbmc');
    write.mockRestore();
    vi.stubEnv('LAZULI_REQUIRE_TOOLS', '1');
    expect(() => requireTool('cbmc')).toThrow('not there: cbmc');
  });
});

describe('benchmarks', () => {
  it('lists programs that exist', () => {
    const folder = findBenchmarks();
    const programs = readBenchmarkManifest();
    expect(programs.length > 0).toBe(folder !== null);
    const missing = programs.filter(({ file }) => !existsSync(path.join(folder ?? '', file)));
    expect(missing).toEqual([]);
  });

  it('lists none where the folder is missing', () => {
    vi.stubEnv('LAZULI_BENCHMARKS', '/nonexistent');
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(readBenchmarkManifest()).toEqual([]);
    write.mockRestore();
  });
});
