// Small random concurrent C programs, by seed, for comparing engines: two or three threads of a few statements each, so
// that all interleavings can be enumerated. Inputs have small domains, loops end after a few turns, nothing
// uninitialised is read; faults (assertions that fail, freed or null pointers, misused locks) are welcome, as long as
// everybody finds the same.

import { createRandom, type Random } from '../../src/support/random.ts';
import { ByteWriter } from './random-thread-bytes.ts';
import { CutWriter } from './random-thread-cuts.ts';
import { LibraryWriter } from './random-thread-library.ts';
import { LifetimeWriter } from './random-thread-lifetimes.ts';
import { SetupWriter } from './random-thread-setup.ts';
import { SpinWriter } from './random-thread-spins.ts';
import { type RandomThreadsFeatures, type Scope, StatementWriter } from './random-thread-statements.ts';

export interface RandomThreadsOptions {
  readonly seed: number;
  /** About how many statements a thread has. */
  readonly size?: number;
  readonly features?: Partial<RandomThreadsFeatures>;
  /** Whether what random-thread-library.ts has to offer occurs, too. */
  readonly hasLibrary?: boolean;
  /** The same for random-thread-lifetimes.ts and random-thread-bytes.ts. */
  readonly hasLifetimes?: boolean;
  readonly hasBytes?: boolean;
  /** Whether threads spin (random-thread-spins.ts). */
  readonly hasSpins?: boolean;
  /** Whether loops and recursion go beyond bounds (random-thread-cuts.ts), with any faults or assertions only. */
  readonly hasCuts?: boolean | 'asserts';
  /** Whether main settles something for its threads, as random-thread-setup.ts has it. */
  readonly hasSetup?: boolean;
  /** What main does last, given the scalars of the program, instead of an assertion. */
  readonly last?: (places: readonly string[]) => readonly string[];
}

/** The text of a program. The same options give the same text. */
export function randomThreads(options: RandomThreadsOptions): string {
  return new ThreadsWriter(options).program();
}

const PREFIX = `#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
`;

class ThreadsWriter {
  readonly #random: Random;
  readonly #writer: StatementWriter;
  readonly #size: number;
  readonly #last: RandomThreadsOptions['last'];
  #threadCount = 2;

  constructor({ seed, size = 4, features = {}, last, ...more }: RandomThreadsOptions) {
    this.#random = createRandom(seed);
    this.#size = size;
    this.#last = last;
    this.#writer = new StatementWriter(this.#random, features);
    const { extensions } = this.#writer;
    if (more.hasLibrary) extensions.push(new LibraryWriter(this.#random, this.#writer));
    if (more.hasLifetimes) extensions.push(new LifetimeWriter(this.#random, this.#writer));
    if (more.hasBytes) extensions.push(new ByteWriter(this.#random, this.#writer));
    if (more.hasSpins) extensions.push(new SpinWriter(this.#random, this.#writer));
    if (more.hasCuts) extensions.push(new CutWriter(this.#random, this.#writer, more.hasCuts === 'asserts'));
    if (more.hasSetup) this.#writer.setup = new SetupWriter(this.#random, this.#writer);
  }

  program(): string {
    this.#writer.lines.push(...PREFIX.split('\n'));
    this.#threadCount = this.#random.chance(1, 4) ? 3 : 2;
    this.#writeGlobals();
    this.#writeFunctions();
    const starts = this.#random.chance(1, 3) ? 1 : this.#threadCount;
    for (let t = 0; t < starts; t++) this.#writeThread(t);
    this.#writeMain(starts);
    return `${this.#writer.lines.join('\n')}\n`;
  }

  // -------------------------------------------------------------- declarations

  #writeGlobals(): void {
    const types = this.#writer.has('widths')
      ? ['int', 'unsigned', 'unsigned char', 'signed char', 'short', 'long long', '_Bool', 'unsigned short']
      : ['int'];
    for (let n = 2 + this.#random.below(2); n > 0; n--) {
      const name = this.#writer.name('g');
      const type = this.#random.pick(types);
      this.#writer.line(`${type} ${name}${this.#random.chance(1, 3) ? ` = ${this.#random.below(3)}` : ''};`);
      this.#writer.places.push(name);
      if (type === 'int') this.#writer.addressable.push(name);
    }
    this.#writer.line('int base;');
    this.#writer.addressable.push('base');
    if (this.#writer.has('arrays')) this.#declare(`${this.#random.pick(types)} array[3];`, 'array[0]', 'array[2]');
    if (this.#writer.has('structs')) {
      this.#writer.line('struct record { unsigned low : 3; unsigned high : 5; short whole; int last : 4; };');
      this.#declare('struct record record, copy;', 'record.low', 'record.high', 'record.whole', 'record.last');
    }
    if (this.#writer.has('unions')) {
      this.#declare('union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } both;');
      this.#writer.places.push('both.word', 'both.half[1]', 'both.byte[0]', 'both.byte[1]');
    }
    if (this.#writer.has('records')) {
      this.#writer.line('struct pair { int a; struct pair *next; short b; };');
      this.#declare('struct pair one = { 1, 0, 2 }, two = { 0, &one, 1 };', 'one.a', 'two.b', 'two.next->a');
      this.#writer.line('struct pair *link = &two;');
    }
    if (this.#writer.has('handles')) this.#writer.line('pthread_t shared_handle;');
    if (this.#writer.has('pointers'))
      this.#writer.line(`int *pointer = &${this.#random.pick(this.#writer.addressable)};`);
    if (this.#writer.has('pointers')) this.#writer.line('int **second = &pointer;');
    if (this.#writer.has('heap')) this.#writer.line('int *heap;');
    if (this.#writer.has('threadLocals')) this.#declare('__thread int own = 1;', 'own');
    this.#writer.line('pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;');
    if (this.#writer.has('locks')) this.#writer.line('pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;');
    if (this.#writer.has('conditions')) this.#writer.line('pthread_cond_t condition = PTHREAD_COND_INITIALIZER;');
    if (this.#writer.has('semaphores')) this.#writer.line('sem_t semaphore;');
    if (this.#writer.has('barriers')) this.#writer.line('pthread_barrier_t barrier;');
    if (this.#writer.has('atomics')) this.#declare('atomic_int atomic;', 'atomic');
    for (const extension of this.#writer.extensions) extension.writeGlobals();
    this.#writer.setup?.writeGlobals();
  }

  #declare(text: string, ...places: string[]): void {
    this.#writer.line(text);
    this.#writer.places.push(...places);
  }

  #writeFunctions(): void {
    if (this.#writer.has('records'))
      this.#writer.line('struct pair swap(struct pair p) { struct pair q = { p.b, p.next, (short)p.a }; return q; }');
    if (this.#writer.has('recursion')) {
      const place = this.#random.pick(this.#writer.places);
      this.#writer.line(`int down(int a) { if (a <= 0) return ${place}; ${place} ^= 1; return down(a - 1); }`);
    }
    if (this.#writer.has('tables')) {
      this.#writer.line(`static int first(int a) { ${this.#random.pick(this.#writer.places)} = a; return a; }`);
      this.#writer.line(`static int other(int a) { return a + ${this.#random.pick(this.#writer.places)}; }`);
      this.#writer.line('int (*table[2])(int) = { first, other };');
      this.#writer.line('int (*chosen)(int) = first;');
    }
    // Only what stands above may be called.
    const later = ['sections', 'calls'] as const;
    const isOn = later.map((feature) => this.#writer.features.delete(feature));
    if (isOn[0]) this.#writeFunction('int __VERIFIER_atomic_both(int a)', 2, true);
    if (isOn[1]) this.#writeFunction('int plain(int a)', 2, false);
    for (const [i, feature] of later.entries()) if (isOn[i]) this.#writer.features.add(feature);
  }

  #writeFunction(head: string, size: number, isAtomic: boolean): void {
    this.#writer.block(head, () => {
      this.#writer.budget = size;
      const scope = this.#scope(['a'], 'return a;', isAtomic);
      while (this.#writer.budget > 0) this.#writer.statement(scope);
      this.#writer.line(`return ${this.#random.chance(1, 2) ? 'a' : this.#writer.value(scope)};`);
    });
    this.#writer.line('');
  }

  #scope(locals: string[], result: string | null, isAtomic = false, hasStart = false): Scope {
    return { places: this.#writer.places, locals, depth: 0, loopDepth: 0, isAtomic, result, hasStart };
  }

  #writeThread(number: number): void {
    this.#writer.block(`void *thread${number}(void *argument)`, () => {
      const { setup } = this.#writer;
      if (setup) setup.writeStart();
      else this.#writer.line('int l = (int)(long)argument;');
      this.#writer.budget = this.#size - this.#random.below(2);
      const scope = this.#scope(['l'], 'return (void *)(long)l;', false, setup !== null);
      if (this.#writer.has('barriers') && this.#random.chance(1, 2))
        this.#writer.line('pthread_barrier_wait(&barrier);');
      while (this.#writer.budget > 0) this.#writer.statement(scope);
      for (const extension of this.#writer.extensions) extension.writeEnd?.(scope);
      this.#writer.line('return (void *)(long)l;');
    });
    this.#writer.line('');
  }

  #writeMain(starts: number): void {
    this.#writer.block('int main(void)', () => {
      this.#writer.line('int l = 0;');
      this.#writer.line('void *result = 0;');
      if (this.#writer.has('semaphores')) this.#writer.line(`sem_init(&semaphore, 0, ${this.#random.below(2)});`);
      if (this.#writer.has('barriers')) this.#writer.line('pthread_barrier_init(&barrier, 0, 2);');
      for (const extension of this.#writer.extensions) extension.writeSetup();
      this.#writer.setup?.writeSetup();
      const scope = this.#scope(['l'], null);
      this.#writer.budget = this.#random.below(2);
      while (this.#writer.budget > 0) this.#writer.statement(scope);
      const handles = this.#createThreads(starts, scope);
      this.#writer.setup?.writeLate();
      this.#writer.budget = 1 + this.#random.below(2);
      while (this.#writer.budget > 0) this.#writer.statement(scope);
      for (const handle of handles) {
        if (this.#random.chance(1, 5)) continue;
        if (this.#random.chance(2, 3)) this.#writer.line(`pthread_join(${handle}, 0);`);
        else {
          this.#writer.line(`pthread_join(${handle}, &result);`);
          this.#writer.line('l += (int)(long)result;');
        }
      }
      for (const extension of this.#writer.extensions) extension.writeLast?.();
      if (this.#last) for (const line of this.#last(this.#writer.places)) this.#writer.line(line);
      else if (!this.#writer.isQuiet) this.#finalAssertion(scope);
      for (const extension of this.#writer.extensions) extension.writeEnd?.(scope);
      this.#writer.line('return 0;');
    });
  }

  #createThreads(starts: number, scope: Scope): string[] {
    const count = this.#threadCount;
    this.#writer.line(`pthread_t handles[${count}];`);
    const { setup } = this.#writer;
    const argument = (thread: string) => setup?.argument(thread) ?? `(void *)(long)${this.#random.below(3)}`;
    if (starts === 1 && this.#writer.has('loops')) {
      const each = setup?.argument('i') ?? `(void *)(long)${this.#random.pick(['i', '1'])}`;
      this.#writer.line(`for (int i = 0; i < ${count}; i++) pthread_create(&handles[i], 0, thread0, ${each});`);
    } else {
      for (let t = 0; t < count; t++) {
        let start = `thread${starts === 1 ? 0 : t}`;
        if (starts > 1 && this.#writer.has('tables') && this.#random.chance(1, 3))
          start = `${this.#writer.condition(scope)} ? thread0 : thread1`;
        const isLate = t > 0 && this.#random.chance(1, 6);
        if (isLate) this.#writer.statement(scope);
        this.#writer.line(`pthread_create(&handles[${t}], 0, ${start}, ${argument(`${t}`)});`);
      }
    }
    if (this.#writer.has('handles')) this.#writer.line(`shared_handle = handles[${this.#random.below(count)}];`);
    return Array.from({ length: count }, (_, t) => `handles[${t}]`);
  }

  /** One that holds always, never or in some interleavings: nobody knows. */
  #finalAssertion(scope: Scope): void {
    const parts: string[] = [];
    for (let n = 1 + this.#random.below(3); n > 0; n--) {
      const mask = this.#random.pick([1, 3, 7]);
      parts.push(`(${this.#writer.value(scope)} & ${mask}) == ${this.#random.below(mask + 1)}`);
    }
    this.#writer.line(`assert(!(${parts.join(' && ')}));`);
  }
}
