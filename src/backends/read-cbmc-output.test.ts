import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCbmcProgress, readCbmcStatistics, readCbmcAnswer as readOutput } from './read-cbmc-output.ts';

const recorded = (name: string) => readFileSync(new URL(`../../test/recorded/${name}`, import.meta.url), 'utf8');

const readCbmcAnswer = (stdout: string, stderr = '', exitCode = 0) => readOutput({ stdout, stderr, exitCode });

describe('readCbmcAnswer', () => {
  it('reads a violation with its trace', () => {
    const answer = readCbmcAnswer(recorded('cbmc-violation.json'));
    if (answer.kind !== 'violation') throw new Error(`the answer is ${answer.kind}`);
    expect(answer.description).toBe('assertion x != 7');
    expect(answer.statistics.clauses).toBeGreaterThan(0);
    const assigned = answer.steps.flatMap((step) =>
      step.kind === 'assignment' ? [`${step.inFunction}:${step.line} ${step.target} = ${step.value}`] : [],
    );
    expect(assigned.filter((text) => text.startsWith('thread_'))).toEqual([
      'thread_0:15 x = 0',
      'thread_0:16 x = 1',
      'thread_0:17 counter = 1',
      'thread_0:18 s.a = -5',
      'thread_0:19 s.b[1] = 1',
      'thread_0:20 pointer = &counter',
      'thread_0:21 counter = 7',
      'thread_0:22 null = NULL',
      'thread_0:23 ratio = 1.5',
      'thread_0:24 big = 18446744073709551615',
      'thread_0:25 flag = 1',
      'thread_1:30 x = 7',
    ]);
    expect(assigned).toContain('main:36 copy = { 1, 2, 3 }');
    expect(answer.steps.filter(({ kind }) => kind === 'call' || kind === 'return')).toEqual([
      { kind: 'call', callee: 'main', line: 34 },
      { kind: 'call', callee: 'thread_0', line: 38 },
      { kind: 'return', callee: 'thread_0' },
      { kind: 'call', callee: 'thread_1', line: 39 },
    ]);
    const failure = { kind: 'failure', line: 31, inFunction: 'thread_1', description: 'assertion x != 7' };
    expect(answer.steps.at(-1)).toEqual(failure);
  });

  it('reads the list of properties that CBMC gives without --stop-on-fail', () => {
    const [program, ...rest] = JSON.parse(recorded('cbmc-violation.json')) as Record<string, unknown>[];
    const listed = rest.map((message) =>
      'trace' in message ? { result: [{ status: 'SUCCESS' }, { ...message, status: 'FAILURE' }] } : message,
    );
    expect(readCbmcAnswer(JSON.stringify([program, ...listed]))).toEqual({
      ...readCbmcAnswer(recorded('cbmc-violation.json')),
      statistics: expect.anything(),
    });
  });

  it('reads what lies in new memory', () => {
    const value = {
      members: [
        { name: 'bits', value: { name: 'integer', type: 'unsigned int', data: '3u', binary: '011' } },
        { name: '$pad', value: { name: 'integer', data: '0', binary: '00000' } },
        {
          name: 'flags',
          value: { elements: [{ index: 0, value: { type: '_Bool', data: 'TRUE', binary: '00010000' } }] },
        },
        {
          name: 'u',
          value: { name: 'union', member: { name: 'i', value: { name: 'integer', binary: '0000000000000001' } } },
        },
        { name: 'next', value: { name: 'pointer', data: '((struct s *)NULL)' } },
        { name: 'own', value: { name: 'pointer', data: 'dynamic_object4' } },
        { name: 'inside', value: { name: 'pointer' } },
      ],
    };
    const sourceLocation = { file: '<builtin-library-malloc>', function: 'malloc', line: '12' };
    const step = { stepType: 'assignment', hidden: true, internal: true, sourceLocation, value };
    const trace = [
      { ...step, lhs: 'dynamic_object4' },
      { ...step, lhs: 'malloc_res' },
      { ...step, hidden: false, lhs: 'dynamic_object4.next', value: { name: 'pointer' } },
    ];
    expect(readCbmcAnswer(JSON.stringify([{ trace }, { cProverStatus: 'failure' }]))).toMatchObject({
      steps: [
        {
          kind: 'allocation',
          object: 'dynamic_object4',
          contents: [
            { kind: 'number', bits: 3, value: 3n },
            { kind: 'number', bits: 5, value: 0n },
            { kind: 'number', bits: 8, value: 1n },
            { kind: 'union', member: [{ kind: 'number', bits: 16, value: 1n }] },
            { kind: 'pointer', target: 'NULL' },
            { kind: 'pointer', target: 'dynamic_object4' },
            { kind: 'pointer', target: null },
          ],
        },
        { kind: 'assignment', line: 0, target: 'dynamic_object4.next' },
      ],
    });
  });

  it('reads the other answers', () => {
    expect(readCbmcAnswer(recorded('cbmc-safe.json'))).toMatchObject({ kind: 'safe' });
    const reason = "syntax error before '{'; PARSING ERROR";
    expect(readCbmcAnswer(recorded('cbmc-error.json'))).toEqual({ kind: 'unknown', reason });
    expect(readCbmcAnswer('[]')).toEqual({ kind: 'unknown', reason: 'CBMC gave no verdict' });
    const messageText = 'too many addressed objects: maximum number of objects is set to 2^n=256 (with n=8)';
    expect(readCbmcAnswer(JSON.stringify([{ messageText, messageType: 'ERROR' }]))).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('--backend-options="--object-bits 12"'),
    });
    const doubtful = 'CBMC reports success, but ends with exit code 6';
    expect(readCbmcAnswer(recorded('cbmc-safe.json'), '', 6)).toEqual({ kind: 'unknown', reason: doubtful });
  });

  it('survives JSON of any shape', () => {
    const steps = [null, 3, { stepType: 'assignment' }, { stepType: 'assignment', lhs: 5, value: null }];
    const messages = [null, 3, 'x', { result: 5 }, { result: [null, { status: 'FAILURE', trace: steps }] }];
    const assignment = { kind: 'assignment', line: 0, inFunction: '', target: '', value: '?' };
    expect(readCbmcAnswer(JSON.stringify([...messages, { cProverStatus: 'failure' }]), '', 10)).toMatchObject({
      kind: 'violation',
      description: '',
      steps: [assignment, assignment],
    });
  });

  it('reads characters as numbers', () => {
    const value = { name: 'integer', data: "'x'", binary: '01111000', type: 'char' };
    const location = { function: 'f', line: '1' };
    const trace = [{ stepType: 'assignment', lhs: 'c', sourceLocation: location, value }];
    const answer = readCbmcAnswer(JSON.stringify([{ trace }, { cProverStatus: 'failure' }]));
    expect(answer).toMatchObject({ steps: [{ target: 'c', value: '120' }] });
  });

  it('reads what is stored in allocated objects, which CBMC takes for internal', () => {
    const value = { name: 'integer', data: '-7', type: 'signed int' };
    const step = { stepType: 'assignment', internal: true, sourceLocation: { function: 'f', line: '1' }, value };
    const trace = ['dynamic_object1[1l]', 'malloc_res'].map((lhs) => ({ ...step, lhs }));
    const answer = readCbmcAnswer(JSON.stringify([{ trace }, { cProverStatus: 'failure' }]));
    const stored = { kind: 'assignment', line: 1, inFunction: 'f', target: 'dynamic_object1[1]', value: '-7' };
    expect(answer).toMatchObject({ steps: [stored] });
  });

  it('does not take half an answer for one', () => {
    const whole = recorded('cbmc-safe.json');
    const cut = whole.slice(0, whole.lastIndexOf('VERIFICATION'));
    expect(readCbmcAnswer(cut)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/incomplete; its last message: Generated/),
    });
  });

  it('says what it got instead of an answer', () => {
    const reason = (...output: Parameters<typeof readCbmcAnswer>) => {
      const answer = readCbmcAnswer(...output);
      return answer.kind === 'unknown' ? answer.reason : answer.kind;
    };
    expect(reason('', '', 3)).toBe('CBMC gave no output (exit code 3)');
    expect(reason('', 'terminate: std::bad_alloc', 1)).toBe('CBMC ran out of memory');
    expect(reason('\nhello world\n', 'more')).toBe('the output of CBMC is none of CBMC (exit code 0): hello world');
    const misused = '[{"program": "CBMC 5.4"}, {"messageText": "Unknown option: --json-ui"}';
    expect(reason(misused, 'Usage error!', 1)).toBe('CBMC does not know the option --json-ui');
    expect(reason('', 'x'.repeat(300)).length).toBeLessThan(160);
  });
});

describe('what CBMC tells on its way', () => {
  it('is the last message that says something', () => {
    expect(readCbmcProgress(recorded('cbmc-violation.json'))).toBe('Building error trace');
    expect(readCbmcProgress('{"messageText": "Adding CPROVER library (x86_64)"}')).toBeNull();
  });

  it('has the size of the largest formula', () => {
    const text = '"10 variables, 20 clauses" "30 variables, 90 clauses" "1 variables, 2 clauses"';
    expect(readCbmcStatistics(text)).toEqual({ variables: 30, clauses: 90 });
    expect(readCbmcStatistics('')).toEqual({ variables: null, clauses: null });
  });
});
