import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findQuestions, findTarget, type TargetOptions } from './check-target.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-target-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

const overflow = write('overflow.prp', 'CHECK( init(main()), LTL(G ! overflow) )\n');
const ending = write('ending.prp', 'CHECK( init(main()), LTL(F end) )\n');
const task = write(
  'task.yml',
  `format_version: '2.0'
input_files: 'program.c'
properties:
  - property_file: ending.prp
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
options:
  language: C
  data_model: ILP32
`,
);

function ask(operands: readonly string[], more: Partial<TargetOptions> = {}) {
  const options = { dataModel: '64', allowUndefined: false, check: [], property: [], ...more } as const;
  return findQuestions(operands, options, false);
}

function find(operand: string, more: Partial<TargetOptions> = {}, isDataModelGiven = false) {
  const options = { dataModel: '64', allowUndefined: false, check: [], property: [], ...more } as const;
  return findTarget([operand], options, isDataModelGiven);
}

describe('findTarget', () => {
  it('leaves the checks of a C file to the program, unless somebody asks for some', async () => {
    const target = {
      kind: 'target',
      files: ['a.c'],
      frontEnd: { dataModel: '64', allowUndefined: false },
      isDataModelGiven: false,
      checks: null,
      property: null,
      expected: null,
    };
    expect(await find('a.c')).toEqual(target);
    expect(await find('a.c', { check: ['free', 'leak'] })).toMatchObject({ checks: ['free', 'leak'] });
    expect(await find('a.c', { property: [overflow] })).toMatchObject({ checks: ['overflow', 'shift'] });
  });

  it('takes all of several properties', async () => {
    const race = write('race.prp', 'CHECK( init(main()), LTL(G ! data-race) )\n');
    const stuck = write('stuck.prp', 'CHECK( init(main()), LTL(G no-deadlock) )\n');
    expect(await find('a.c', { property: [race, stuck] })).toMatchObject({ checks: ['race', 'deadlock'] });
  });

  it('refuses a task with a property that is not checked, unless options choose another', async () => {
    expect(await find(task)).toEqual({ kind: 'problem', message: expect.stringMatching(/'F end' is not supported$/) });
    expect(await find(task, { check: ['free'] })).toMatchObject({ kind: 'target' });
  });

  it('takes several input files', async () => {
    const two = await find(write('two.yml', 'input_files: [a.c, lib/b.c]\n'));
    expect(two).toMatchObject({ files: [path.join(folder, 'a.c'), path.join(folder, 'lib/b.c')] });
  });

  it('takes options for stronger than the task', async () => {
    expect(await find(task, { check: ['free'] })).toMatchObject({ checks: ['free'] });
    expect(await find(task, { property: [overflow] })).toMatchObject({ checks: ['overflow', 'shift'] });
    expect(await find(task, { check: ['free'] }, true)).toMatchObject({ frontEnd: { dataModel: '64' } });
  });

  it('says which file cannot be read', async () => {
    const missing = path.join(folder, 'missing');
    const message = (name: string) => `cannot use '${name}': no such file or directory`;
    expect(await find('a.c', { property: [missing] })).toEqual({ kind: 'unusable', message: message(missing) });
    expect(await find(`${missing}.yml`)).toEqual({ kind: 'unusable', message: message(`${missing}.yml`) });
  });

  it.each([
    ['a property that is not checked', () => find('a.c', { property: [ending] }), /ending\.prp: .*'F end' is not/],
    [
      'a property that no table has',
      () => find('a.c', { property: [write('odd.prp', 'CHECK( init(main()), LTL(G ! constructor) )\n')] }),
      /odd\.prp: .*is not supported$/,
    ],
    ['a file without a property', () => find('a.c', { property: [task] }), /task\.yml: there is no property in it$/],
    ['a file that is no task', () => find(write('list.yml', '- 1\n')), /list\.yml: no task definition$/],
    ['a file that is no YAML', () => find(write('bad.yml', 'a: [')), /bad\.yml: no YAML: /],
  ])('refuses %s', async (_, result, message) => {
    expect(await result()).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });

  it.each([
    ['an unknown tag', 'input_files: !mine a.c', /no YAML: Unresolved tag: !mine/],
    ['a zero in a name', 'input_files: "x.c\\0"', /input_files is "x.c\\u0000"/],
    ['no name', 'input_files: ""', /input_files is ""/],
    ['no files', 'input_files: []', /input_files is \[\]/],
    ['a data model', 'input_files: a.c\noptions: {data_model: LP128}', /data_model "LP128" is not known/],
    ['properties', 'input_files: a.c\nproperties: 7', /properties are 7, no list/],
    ['a property', 'input_files: a.c\nproperties: [7]', /a property is 7/],
    ['a format', 'format_version: 99\ninput_files: a.c', /format_version 99 is not known/],
    ['options', 'input_files: a.c\noptions: [x]', /options are \["x"\]/],
    ['an alias', 'input_files: *a', /no YAML/],
  ])('says what is wrong in a task: %s', async (_, text, message) => {
    expect(await find(write('bad.yml', text))).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });

  it('keeps absolute names', async () => {
    expect(await find(write('far.yml', 'input_files: /far/away.c'))).toMatchObject({ files: ['/far/away.c'] });
  });
});

describe('findQuestions', () => {
  const files = [path.join(folder, 'program.c')];
  const race = write('no-data-race.prp', 'CHECK( init(main()), LTL(G ! data-race) )\n');

  it('asks for each property of a task alone, also for those that cannot be answered', async () => {
    // All of its files are there: the rest are inputs.
    const given = { frontEnd: { dataModel: '32', allowUndefined: true }, isDataModelGiven: true };
    expect(await ask([task])).toEqual({
      kind: 'questions',
      questions: [
        { kind: 'unanswerable', files, property: 'ending', reason: expect.stringMatching(/'F end' is not supported/) },
        { kind: 'target', files, ...given, checks: ['assertion'], property: 'unreach-call', expected: false },
      ],
    });
  });

  it('asks for each property of the command line alone', async () => {
    expect(await ask(['a.c', 'b.c'], { property: [overflow, race] })).toMatchObject({
      questions: [
        { files: ['a.c', 'b.c'], checks: ['overflow', 'shift'], property: 'overflow', expected: null },
        { files: ['a.c', 'b.c'], checks: ['race'], property: 'no-data-race', expected: null },
      ],
    });
  });

  it('takes what is expected from the task, also where the command line asks', async () => {
    const both = write(
      'both.yml',
      'input_files: a.c\nproperties: [{property_file: overflow.prp, expected_verdict: true}]',
    );
    expect(await ask([both], { property: [overflow, race] })).toMatchObject({
      questions: [{ expected: true }, { expected: null }],
    });
  });

  it('leaves out what generators of tests are to cover', async () => {
    const covered = write(
      'covered.yml',
      'input_files: a.c\nproperties: [{property_file: coverage-branches.prp}, {property_file: no-deadlock.prp}]',
    );
    expect(await ask([covered])).toMatchObject({ questions: [{ property: 'no-deadlock' }] });
  });

  it('takes tasks, and with --each all files, for programs of their own', async () => {
    const filesOf = async (...asked: Parameters<typeof ask>) => {
      const found = await ask(...asked);
      return found.kind === 'questions' ? found.questions.map((question) => question.files) : found;
    };
    const one = write('one.yml', 'input_files: a.c');
    const two = write('two.yml', 'input_files: [b.c, c.c]');
    const a = path.join(folder, 'a.c');
    expect(await filesOf([one, two])).toEqual([[a], [path.join(folder, 'b.c'), path.join(folder, 'c.c')]]);
    expect(await filesOf(['x.c', 'y.c'], { each: true })).toEqual([['x.c'], ['y.c']]);
    expect(await filesOf(['x.c', one], { each: true })).toEqual([['x.c'], [a]]);
    expect(await ask(['x.c', one])).toMatchObject({ message: expect.stringContaining('with --each') });
  });

  it('takes the tasks of a folder, or its C files', async () => {
    const inner = path.join(folder, 'inner');
    mkdirSync(inner);
    expect(await ask([inner], { each: true })).toMatchObject({ message: `there is no program in '${inner}'` });
    for (const name of ['b.i', 'a.c', 'a.h']) write(`inner/${name}`, '');
    const cFiles = [[path.join(inner, 'a.c')], [path.join(inner, 'b.i')]];
    expect(await ask([inner], { each: true })).toMatchObject({ questions: cFiles.map((files) => ({ files })) });
    write('inner/t.yml', 'input_files: a.c');
    expect(await ask([inner], { each: true })).toMatchObject({ questions: [{ files: cFiles[0] }] });
  });
});
