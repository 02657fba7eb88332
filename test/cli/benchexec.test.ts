// The tool-info module for BenchExec, loaded by Python with a stand-in for what it uses of BenchExec (Debian has no
// package of it): the command lines that it makes are run, and it reads their output.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';
import { requireTool } from '../support/tools.ts';

const LIMIT_MS = 60_000;
const contrib = fileURLToPath(new URL('../../contrib/benchexec', import.meta.url));
let built: Built;

/** The names of the real one, with what the module relies on. */
const STAND_IN: Readonly<Record<string, string>> = {
  'benchexec/__init__.py': '',
  'benchexec/result.py': 'RESULT_ERROR = "ERROR"\nRESULT_UNKNOWN = "unknown"\n',
  'benchexec/tools/__init__.py': '',
  'benchexec/tools/template.py': `
import subprocess
class UnsupportedFeatureException(Exception): pass
class BaseTool2:
    @staticmethod
    def _version_from_tool(executable):
        return subprocess.run([executable, "--version"], capture_output=True, text=True).stdout.strip()
`,
};

/** Asks the module for a command line, runs it, and lets the module read the answer. */
const DRIVER = `
import json, subprocess, sys
from types import SimpleNamespace as Record
from lazuli.tool_info import Tool
asked = json.load(sys.stdin)
tool = Tool()
task = Record(property_file=asked["property"], options=asked["options"], input_files_or_identifier=asked["files"])
command = tool.cmdline(asked["executable"], asked["more"], task, Record(cputime=20, walltime=None))
done = subprocess.run(command, capture_output=True, text=True)
# BenchExec keeps both in one file.
run = Record(output=(done.stdout + done.stderr).splitlines(True), exit_code=Record(value=done.returncode))
print(json.dumps({"command": command[1:], "result": tool.determine_result(run), "version": tool.version(asked["executable"])}))
`;

beforeAll(async () => {
  built = await build();
  mkdirSync(path.join(built.folder, 'benchexec/tools'), { recursive: true });
  for (const [name, text] of Object.entries(STAND_IN)) built.file(name, text);
}, LIMIT_MS);
afterAll(() => built.remove());

function ask(files: string[], property: string, options: object = {}, more: string[] = []) {
  const executable = path.join(built.folder, 'bin/lazuli.js');
  const asked = { executable, files, property: path.resolve(contrib, 'properties', property), options, more };
  const env = { ...process.env, PYTHONPATH: `${contrib}:${built.folder}`, PYTHONDONTWRITEBYTECODE: '1' };
  return JSON.parse(execFileSync('python3', ['-c', DRIVER], { input: JSON.stringify(asked), env, encoding: 'utf8' }));
}

it('calls Lazuli and reads its verdicts', { timeout: LIMIT_MS }, () => {
  if (!requireTool('python3')) return;
  const program = built.file('long.c', 'long x = 2147483647; int main(void) { x = x + 1; return 0; }\n');
  const wide = ask([program], 'no-overflow.prp', { language: 'C', data_model: 'LP64' });
  expect(wide).toMatchObject({ result: 'true', version: expect.stringMatching(/\d+\.\d+/) });
  expect(wide.command.slice(0, 4)).toEqual(['check', '--format', 'verdict', '--no-progress']);
  expect(wide.command.slice(6)).toEqual(['--64', '--timeout', '19', program]);
  expect(ask([program], 'no-overflow.prp', { data_model: 'ILP32' }).result).toBe('false(no-overflow)');
  expect(ask([program], 'no-overflow.prp', { data_model: 'ILP32' }, ['--64']).result).toBe('true');
  const broken = built.file('broken.c', 'int main(void) { return y; }\n');
  expect(ask([broken], 'unreach-call.prp').result).toBe('unknown');
  expect(ask(['missing.c'], 'unreach-call.prp').result).toBe('ERROR (file)');
  // A path of its own stays as it is.
  const other = built.file('termination.prp', 'CHECK( init(main()), LTL(F end) )\n');
  expect(ask([program], other).result).toBe('unknown');
});

it('has a benchmark definition whose property files are there', () => {
  const definition = readFileSync(path.join(contrib, 'lazuli.xml'), 'utf8');
  expect(definition).toContain('tool="lazuli.tool_info"');
  const names = [...definition.matchAll(/<propertyfile>(.*?)<\/propertyfile>/g)].map(([, name = '']) => name);
  expect(names).toHaveLength(4);
  for (const name of names) expect(readFileSync(path.join(contrib, name), 'utf8')).toContain('CHECK( init(main())');
});
