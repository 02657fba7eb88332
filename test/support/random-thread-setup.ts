// What small random concurrent programs (random-threads.ts) settle before they create threads, and what they hand to
// them: settings that main puts into global variables and threads read, perhaps changed once more when that is too
// late; an argument that leads to a record of the thread's own, global or local to main, with a pointer in it; and
// variables that one thread alone writes. For the passes that tell threads what main knows.

import type { Random } from '../../src/support/random.ts';
import type { Scope, StatementWriter } from './random-thread-statements.ts';

export class SetupWriter {
  readonly #random: Random;
  readonly #writer: StatementWriter;
  /** Where the records of threads lie: global, or variables of main. */
  readonly #isLocal: boolean;
  readonly #isChangedLate: boolean;

  constructor(random: Random, writer: StatementWriter) {
    this.#random = random;
    this.#writer = writer;
    this.#isLocal = random.chance(1, 4);
    this.#isChangedLate = random.chance(1, 3);
  }

  /** After the other global variables and functions. */
  writeGlobals(): void {
    const { below, chance, pick } = this.#random;
    const { line, addressable } = this.#writer;
    const first = chance(1, 2) ? ` = { ${below(3)}, { ${below(3)}, 1 } }` : '';
    line('static int zero(int a) { return a & 1; }');
    line('static int twice(int a) { return base + a; }');
    line(`struct settings { int limit; short steps[2]; int *where; int (*how)(int); } settings${first};`);
    line('struct start { int number; int *where; };');
    if (!this.#isLocal) line(`struct start starts[3]${chance(1, 2) ? ` = { { 1, &${pick(addressable)} } }` : ''};`);
    for (let t = 0; t < 3; t++) line(`int only${t}${chance(1, 2) ? ` = ${below(3)}` : ''};`);
    line('__thread int near = 1;');
  }

  /** At the start of main. */
  writeSetup(): void {
    const { line, addressable, condition } = this.#writer;
    const { below, chance, pick } = this.#random;
    const scope: Scope = {
      places: ['base'],
      locals: ['l'],
      depth: 0,
      loopDepth: 0,
      isAtomic: false,
      result: null,
      hasStart: false,
    };
    const settle = [
      `settings.limit = ${below(3)};`,
      `settings.limit = settings.limit + ${below(2)};`,
      `settings.steps[${below(2)}] = ${below(3)};`,
      `settings.steps[settings.limit & 1] = ${below(3)};`,
      `if (${condition(scope)}) settings.limit = ${below(3)};`,
      `for (int i = 0; i < 2; i++) settings.steps[i] = i + ${below(2)};`,
    ];
    if (this.#isLocal) line('struct start starts[3];');
    line(`settings.where = &${pick(addressable)};`);
    line(`settings.how = ${pick(['zero', 'twice'])};`);
    for (let n = below(4); n > 0; n--) line(pick(settle));
    if (chance(1, 2)) line(`only${below(3)} = 1;`);
    for (let t = 0; t < 3; t++) line(`starts[${t}].number = ${t}, starts[${t}].where = &${pick(addressable)};`);
  }

  /** The argument of a thread that main creates. */
  argument(thread: string): string {
    return `&starts[${thread}]`;
  }

  /** At the start of a thread. */
  writeStart(): void {
    this.#writer.line('struct start *start = argument;');
    this.#writer.line('int l = start->number;');
  }

  /**
   * Of main, once there are threads: some of what threads rely on is not so settled, and a thread is joined that the
   * text does not name.
   */
  writeLate(): void {
    if (this.#random.chance(1, 4)) this.#writer.line('pthread_join(handles[settings.limit & 1], 0);');
    if (this.#random.chance(1, 6)) this.#writer.line('if (base < 2) pthread_join(handles[base & 1], 0);');
    if (!this.#isChangedLate) return;
    this.#writer.line(this.#random.pick(['settings.limit = 2;', 'settings.steps[0]++;', 'starts[0].number = 2;']));
  }

  /** What can stand in a thread. */
  statements(scope: Scope): (() => void)[] {
    const { line, target } = this.#writer;
    const { pick, below } = this.#random;
    const local = pick(scope.locals);
    const read = [
      `${target(scope)} = settings.limit;`,
      `if (settings.steps[${below(2)}] == ${below(3)}) ${target(scope)} = 1;`,
      `${target(scope)} = settings.steps[${local} & 1];`,
      `*settings.where = ${below(3)};`,
      `${target(scope)} = settings.how(${local});`,
      `for (int i = 0; i < settings.limit && i < 2; i++) only${below(3)}++;`,
      `near += settings.limit; if (near > 2) ${target(scope)} = near;`,
      `only0 = ${local}; if (only0 == 1) ${target(scope)} = only1;`,
    ];
    const own = ['*start->where = l;', 'l += *start->where;', 'if (start->number == 1) start->number = l;'];
    const statements = [pick(read), pick(scope.hasStart ? own : read)];
    return statements.map((text) => () => line(text));
  }
}
