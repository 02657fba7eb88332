import { describe, expect, it } from 'vitest';
import { readProgram } from '../frontend/front-end.ts';
import { NOWHERE } from '../support/source.ts';
import type { BackendStep } from './backend.ts';
import { type BackendTrace, readCheck, traceOnSource } from './trace-on-source.ts';

const source = `int x, data[3];
void *work(void *p) {
  x = x + 1;
  data[x] = 7;
  return p;
}
int main(void) {
  int local = 5;
  return local;
}
`;

/** A sequential program by hand: for each line its text and the line of the source. */
const emitted: readonly (readonly [string, number])[] = [
  ['__lazuli_J(0, 0, 1);', 8],
  ['local_1 = nondet_int();', 8],
  ['__lazuli_activate(1);', 8],
  ['__lazuli_t = x;', 3],
  ['x = __lazuli_t + 1;', 3],
  ['data[x] = 7;', 4],
  ['assert(0);', 9],
  ['__lazuli_cs_0 = 3;', 0],
];

function mapSteps(steps: readonly BackendStep[]) {
  const { program, sources } = readProgram({ fileName: 'a.c', text: source, dataModel: 'LP64' });
  const file = sources.files.find(({ name }) => name === 'a.c');
  if (program === null || file === undefined) throw new Error('the source is wrong');
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineMap = emitted.map(([, line]) => (line === 0 ? NOWHERE : sources.locAt(file, (starts[line - 1] ?? 0) + 2)));
  const thread = (number: number, functionName: string, startName: string) => ({
    number,
    functionName,
    startName,
    size: 1,
    labels: [],
  });
  const trace: BackendTrace = {
    steps,
    description: '',
    output: {
      text: emitted.map(([text]) => `${text}\n`).join(''),
      lineMap,
      threads: [thread(0, 'main_0', 'main'), thread(1, 'work_1', 'work'), thread(2, 'work_2', 'work')],
    },
    program,
    creators: [-1, 0, 0],
    isInput: (line) => line.includes('nondet_'),
  };
  return traceOnSource(trace);
}

const assign = (inFunction: string, line: number, target: string, value: string): BackendStep => ({
  kind: 'assignment',
  line,
  inFunction,
  target,
  value,
});
const failure: BackendStep = { kind: 'failure', line: 7, inFunction: 'main_0', description: 'mutex: unlocked twice' };

describe('traceOnSource', () => {
  const trace = mapSteps([
    assign('', 0, 'data[0]', '0'),
    assign('', 0, 'data[2]', '0'),
    assign('main', 8, '__lazuli_cs_0', '3'),
    assign('main_0', 2, 'local_1', '5'),
    assign('main_0', 3, '__lazuli_active_1', '1'),
    assign('work_1', 4, '__lazuli_t', '0'),
    assign('work_1', 5, 'x', '1'),
    assign('work_1', 6, 'data[0]', '0'),
    assign('work_1', 6, 'data[1]', '7'),
    assign('work_1', 6, 'data[2]', '0'),
    failure,
  ]);

  it('gives steps their thread, place, function and statement', () => {
    expect(
      trace?.steps.map(({ thread, place, function: f, statement }) => [thread, place?.line, f, statement]),
    ).toEqual([
      [0, 8, 'main', 'int local = 5;'],
      [1, 3, 'work', 'x = x + 1;'],
      [1, 4, 'work', 'data[x] = 7;'],
      [0, 9, 'main', 'return local;'],
    ]);
    expect(trace?.steps.map(({ isContextSwitch }) => isContextSwitch)).toEqual([false, true, false, true]);
    expect(trace?.contextSwitches).toBe(2);
  });

  it('shows the variables of the user by their names, and of an array what changes', () => {
    expect(
      trace?.steps.map(({ values }) => values.map(({ kind, name, value, old }) => [kind, name, value, old])),
    ).toEqual([
      [['input', 'local', '5', null]],
      [
        ['read', 'x', '0', null],
        ['write', 'x', '1', null],
      ],
      [['write', 'data[1]', '7', null]],
      [],
    ]);
  });

  it('knows which threads there are, and what is violated', () => {
    expect(trace?.threads).toEqual([
      { id: 0, parent: -1, start: 'main' },
      { id: 1, parent: 0, start: 'work' },
    ]);
    expect(trace?.steps[0]?.events).toEqual([{ kind: 'create', child: 1 }]);
    expect(trace?.violation).toMatchObject({
      check: 'mutex',
      message: 'unlocked twice',
      thread: 0,
      place: { line: 9 },
    });
  });

  it('begins a new step when a variable is written again', () => {
    const again = mapSteps([
      assign('work_1', 5, 'x', '1'),
      assign('work_1', 4, '__lazuli_t', '1'),
      assign('work_1', 5, 'x', '2'),
      failure,
    ]);
    expect(again?.steps.map(({ values }) => values.map(({ value, old }) => `${old} ${value}`))).toEqual([
      ['null 1', 'null 1'],
      ['1 2'],
      [],
    ]);
  });

  it('is nothing without a failure', () => {
    expect(mapSteps([assign('work_1', 5, 'x', '1')])).toBeNull();
    expect(mapSteps([])).toBeNull();
  });
});

describe('readCheck', () => {
  it('finds the name of the check before the message', () => {
    expect(readCheck('thread: joined twice')).toEqual({ check: 'thread', message: 'joined twice' });
    expect(readCheck('unwinding: loop main.0')).toEqual({ check: 'unwinding', message: 'loop main.0' });
    expect(readCheck('note: this is no check')).toEqual({ check: 'assertion', message: 'note: this is no check' });
    expect(readCheck('x == 1')).toEqual({ check: 'assertion', message: 'x == 1' });
  });
});
