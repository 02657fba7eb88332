// More statements of small random concurrent programs (random-threads.ts): loops in which a thread waits for another
// without doing anything, of all forms, and such that look like it: with a write now and then, with a local that
// outlives the turn, with an assertion inside.

import type { Random } from '../../src/support/random.ts';
import type { Extension, Scope, StatementWriter } from './random-thread-statements.ts';

export class SpinWriter implements Extension {
  readonly #random: Random;
  readonly #writer: StatementWriter;

  constructor(random: Random, writer: StatementWriter) {
    this.#random = random;
    this.#writer = writer;
  }

  writeGlobals(): void {
    const { line } = this.#writer;
    line('#include <sched.h>');
    line('int flag, turn, told, told2, *shown; _Bool busy; atomic_int word; atomic_flag bit;');
    line('void spin_lock(int *lock) { while (__sync_lock_test_and_set(lock, 1)) while (*lock) ; }');
    line('void spin_unlock(int *lock) { __sync_lock_release(lock); }');
  }

  writeSetup(): void {}

  statements(scope: Scope, body: (scope: Scope) => void): (() => void)[] {
    const { line, condition } = this.#writer;
    const wake = () => line(this.#random.pick(['flag = 1;', 'turn = 1;', 'word = 1;', 'flag = !flag;', 'busy = 0;']));
    return [
      wake,
      wake,
      () => this.#spin(scope),
      () => this.#spin(scope),
      () => this.#spinAndTell(scope),
      () => this.#poll(scope),
      () => this.#locked(scope, body),
      () => line(`assert(${condition(scope)});`),
    ];
  }

  /** Until a condition over what others write. */
  #spin(scope: Scope): void {
    const { line, condition, name } = this.#writer;
    const local = this.#random.pick(scope.locals);
    const [seen, other] = [name('seen'), name('seen')];
    const test = this.#random.pick(['flag', '!flag', 'flag && turn', 'turn != 1', 'word == 0', condition(scope)]);
    const pause = this.#random.pick([
      ';',
      'sched_yield();',
      '__asm__ volatile ("pause");',
      `int ${other} = turn; (void)${other};`,
    ]);
    const place = this.#random.pick(this.#writer.places);
    line(
      this.#random.pick([
        `while (${test}) ;`,
        `while (${test}) { ${pause} }`,
        `do { ${pause} } while (${test});`,
        `for (;;) { if (!(${test})) break; ${pause} }`,
        `for (;;) { ${pause} if (${test}) continue; break; }`,
        `int ${seen} = flag; while (${seen} == 0) ${seen} = flag;`,
        `int ${seen}, ${other}; do { ${seen} = flag; ${other} = turn; } while (${seen} != ${other}); ${local} = ${seen};`,
        `{ ${seen}: if (${test}) goto ${seen}; }`,
        // These carry something over, or write.
        `while (${test}) ${local} = ${local} ^ 1;`,
        `while (${test}) { if (turn == 2) { turn = 0; } }`,
        `while (${test}) { assert(turn != 2); }`,
        `while (${test}) { if (${place}) { ${place} = 0; break; } }`,
        `int ${seen} = 0; while (${test} && ${seen} < 2) { if (turn) ${seen}++; }`,
        // The loop around them goes on.
        `for (int ${seen} = 0; ${seen} < 2; ${seen}++) { while (${test}) ; ${local}++; }`,
        `for (int ${seen} = 0; ${seen} < 2; ${seen}++) { int ${other} = 1; do ; while (--${other} > 0); } ${local} += 1;`,
      ]),
    );
  }

  /** Turns that write what others may look at, and that often only one thread writes. */
  #spinAndTell(scope: Scope): void {
    const { line, condition, name } = this.#writer;
    const local = this.#random.pick(scope.locals);
    const own = this.#random.pick(['told', 'told2']);
    const [seen, given] = [name('seen'), name('seen')];
    const test = this.#random.pick(['flag', '!flag', 'turn != 1', 'word == 0', condition(scope)]);
    line(
      this.#random.pick([
        `while (${test}) ${own} = ${own};`,
        `while (${test}) ${own} = turn;`,
        `while (${test}) { ${own} = 1; ${own} = 0; }`,
        `${own} = 1; while (${test}) { ${own} = 0; ${own} = 1; }`,
        `while (${test}) { if (${own}) ${own} = 1; }`,
        `while (!atomic_compare_exchange_weak(&word, &${own}, ${own} + 1)) ;`,
        `${own} = word; while (!atomic_compare_exchange_strong(&word, &${own}, 1)) ;`,
        // A local that others see.
        `int ${seen}, ${given} = 1; shown = &${given}; do { ${seen} = turn; ${given} = 0; } while (${seen} != 1 && ${test});`,
        `int *${given} = shown; if (${given} && *${given} == 0) turn = 1;`,
        // A local that others set.
        `int ${given} = 0; shown = &${given}; while (!${given}) ;`,
        `int *${given} = shown; if (${given}) *${given} = 1;`,
        `assert(${own} == 0);`,
        `if (${own}) ${local} ^= ${own};`,
      ]),
    );
  }

  /** Under a lock: looks, and gives it back. Others may try the lock, or look twice. */
  #poll(scope: Scope): void {
    const { line, condition, name } = this.#writer;
    const local = this.#random.pick(scope.locals);
    const [seen, given] = [name('seen'), name('given')];
    const test = this.#random.pick(['flag', '!flag', 'turn != 1', 'word == 0', condition(scope)]);
    const [lock, unlock] = ['pthread_mutex_lock(&mutex);', 'pthread_mutex_unlock(&mutex);'];
    const change = this.#random.pick(['', '', 'flag = 0;', 'told++;', `${local}++;`]);
    line(
      this.#random.pick([
        `for (;;) { ${lock} if (!(${test})) break; ${unlock} } ${change} ${unlock}`,
        `int ${seen}; do { ${lock} ${seen} = ${test}; ${unlock} } while (${seen});`,
        `for (int ${seen} = 0; !${seen};) { ${lock} if (!(${test})) { ${seen} = 1; ${change} } ${unlock} sched_yield(); }`,
        `for (int ${seen} = 0; ${seen} < 2;) { ${lock} if (turn) { ${seen}++; ${change} } ${unlock} }`,
        `for (int ${seen} = 1; ${seen};) { ${lock} if (${test}) { ${unlock} continue; } ${seen} = 0; ${unlock} }`,
        `${lock} while (${test}) { ${unlock} sched_yield(); ${lock} } ${change} ${unlock}`,
        // What is seen without the lock, or written each time.
        `for (;;) { int ${given} = turn; ${lock} int ${seen} = ${test}; ${unlock} if (!${seen} || ${given}) break; }`,
        `for (;;) { ${lock} int ${seen} = ${test}; told2 = ${seen}; ${unlock} if (!${seen}) break; }`,
        `if (pthread_mutex_trylock(&mutex) == 0) { ${change} ${unlock} } else turn = 1;`,
      ]),
    );
  }

  /** A section of a lock that threads spin for. */
  #locked(scope: Scope, body: (scope: Scope) => void): void {
    if (scope.depth >= 2) return;
    const { line } = this.#writer;
    const expected = this.#writer.name('expected');
    const [take, give] = this.#random.pick([
      ['while (__sync_lock_test_and_set(&busy, 1)) ;', '__sync_lock_release(&busy);'],
      ['while (atomic_flag_test_and_set(&bit)) sched_yield();', 'atomic_flag_clear(&bit);'],
      ['while (!__sync_bool_compare_and_swap(&turn, 0, 1)) ;', 'turn = 0;'],
      ['spin_lock(&flag);', 'spin_unlock(&flag);'],
      ['while (pthread_mutex_trylock(&mutex)) sched_yield();', 'pthread_mutex_unlock(&mutex);'],
      [
        `int ${expected} = 0; while (!atomic_compare_exchange_strong(&word, &${expected}, 1)) ${expected} = 0;`,
        'word = 0;',
      ],
      [
        `int ${expected}; do { ${expected} = 0; } while (!atomic_compare_exchange_weak(&word, &${expected}, 1));`,
        'atomic_store(&word, 0);',
      ],
    ] as const);
    line(take);
    body({ ...scope, depth: scope.depth + 1 });
    line(give);
  }
}
