// More statements of small random concurrent programs (random-threads.ts): what bounds cut. Loops that never end or go
// on longer than the bound, of all forms, in all places, recursion without end; and faults right before them, between
// them and behind them. Most programs have few faults, so that one that is easy to find does not hide the others.

import type { Random } from '../../src/support/random.ts';
import type { Extension, Scope, StatementWriter } from './random-thread-statements.ts';

export class CutWriter implements Extension {
  readonly #random: Random;
  readonly #writer: StatementWriter;
  readonly #asserts: boolean;
  /** How many may still be written. */
  #faults: number;

  /** `asserts`: faults are assertions that fail and misused locks, nothing that C leaves undefined. */
  constructor(random: Random, writer: StatementWriter, asserts: boolean) {
    this.#asserts = asserts;
    this.#random = random;
    this.#writer = writer;
    writer.isQuiet = random.chance(3, 4);
    this.#faults = writer.isQuiet ? 1 + random.below(2) : 8;
  }

  writeGlobals(): void {
    const { line, places } = this.#writer;
    const [first, second] = [this.#random.pick(places), this.#random.pick(places)];
    line(`static int endless(int a) { ${first} ^= 1; return endless(a + 1); }`);
    line(`static int deep(int a) { if (a >= ${2 + this.#random.below(3)}) return ${second}; return deep(a + 1); }`);
  }

  writeSetup(): void {}

  statements(scope: Scope, body: (scope: Scope) => void): (() => void)[] {
    const kinds = [
      () => this.#fault(scope),
      () => this.#fault(scope),
      () => this.#last(scope),
      () => this.#writer.line(`${this.#random.pick(scope.locals)} = deep(${this.#random.below(2)});`),
    ];
    if (scope.depth < 2) kinds.push(...[1, 2, 3].map(() => () => this.#loop(scope, body)));
    return kinds;
  }

  /** What may break the program here. */
  #fault(scope: Scope): void {
    if (this.#faults-- <= 0) return;
    this.#writeFault(scope);
    if (this.#random.chance(1, 2)) this.#last(scope);
  }

  #writeFault(scope: Scope): void {
    const { line, value, condition } = this.#writer;
    const local = this.#random.pick(scope.locals);
    const faults = [
      `assert(${condition(scope)});`,
      `assert(${condition(scope)});`,
      `if (${condition(scope)}) { ${this.#writer.name('here')}: ; assert(0); }`,
      `if (${condition(scope)}) pthread_mutex_unlock(&mutex);`,
    ];
    const undefinedOnes = [
      `${local} = 2 / (${value(scope)} - ${this.#random.below(2)});`,
      `if (${condition(scope)}) *(volatile int *)0 = 1;`,
    ];
    line(this.#random.pick(this.#asserts ? faults : [...faults, ...undefinedOnes]));
  }

  #loop(scope: Scope, body: (scope: Scope) => void): void {
    const { block, condition, name } = this.#writer;
    const counter = name('i');
    scope.loopDepth++;
    switch (this.#random.below(6)) {
      case 0:
        block(`while (${condition(scope)})`, () => body(scope));
        break;
      case 1:
        block('do', () => body(scope), `} while (${condition(scope)});`);
        break;
      case 2:
        block(`for (int ${counter} = 0; ${counter} < ${2 + this.#random.below(3)}; ${counter}++)`, () => body(scope));
        break;
      case 3:
        block('for (;;)', () => {
          body(scope);
          this.#writer.line(`if (${condition(scope)}) break;`);
        });
        break;
      case 4: {
        const label = name('again');
        block(`${label}:`, () => body(scope));
        this.#writer.line(`if (${condition(scope)}) goto ${label};`);
        break;
      }
      default:
        block(`for (;;)`, () => body(scope));
    }
    scope.loopDepth--;
  }

  /** The thread never gets beyond it. */
  #last(scope: Scope): void {
    const guard = this.#random.chance(1, 2) ? `if (${this.#writer.condition(scope)}) ` : '';
    const local = this.#random.pick(scope.locals);
    const label = this.#writer.name('ever');
    this.#writer.line(
      this.#random.pick([
        `${guard}for (;;) ;`,
        `${guard}while (1) ${local}++;`,
        `${guard}{ ${label}: goto ${label}; }`,
        `${guard}${local} = endless(0);`,
        `${guard}for (int i = 0; i < 1000; i++) ${local} ^= i;`,
        // Its end is a matter of private values that are not constant.
        `${guard}for (int i = ${local} & 1; i < 1000; i++) ;`,
      ]),
    );
  }

  /** At the end of a thread. */
  writeEnd(scope: Scope): void {
    if (this.#random.chance(1, 2)) this.#fault(scope);
    if (this.#random.chance(1, 3)) this.#last(scope);
  }
}
