// Small random concurrent C programs, by seed, for comparing engines: two or three threads of a few statements each, so that all
// interleavings can be enumerated. Inputs have small domains, loops end after a few turns, nothing uninitialised is read; faults
// (assertions that fail, freed or null pointers, misused locks) are welcome, as long as everybody finds the same.

import { createRandom, type Random } from '../../src/support/random.ts';

export interface RandomThreadsOptions {
  readonly seed: number;
  /** About how many statements a thread has. */
  readonly size?: number;
  readonly features?: Partial<RandomThreadsFeatures>;
}

/** Each is left out of about half of the programs; here it can be left out of all. */
export interface RandomThreadsFeatures {
  readonly widths: boolean;
  readonly arrays: boolean;
  readonly structs: boolean;
  readonly unions: boolean;
  readonly pointers: boolean;
  readonly heap: boolean;
  readonly locks: boolean;
  readonly semaphores: boolean;
  readonly conditions: boolean;
  readonly barriers: boolean;
  readonly atomics: boolean;
  readonly sections: boolean;
  readonly loops: boolean;
  readonly jumps: boolean;
  readonly calls: boolean;
  readonly tables: boolean;
  readonly recursion: boolean;
  readonly nested: boolean;
  readonly threadLocals: boolean;
  readonly inputs: boolean;
  readonly assumptions: boolean;
  readonly locals: boolean;
}

const FEATURES: readonly (keyof RandomThreadsFeatures)[] = [
  'widths',
  'arrays',
  'structs',
  'unions',
  'pointers',
  'heap',
  'locks',
  'semaphores',
  'conditions',
  'barriers',
  'atomics',
  'sections',
  'loops',
  'jumps',
  'calls',
  'tables',
  'recursion',
  'nested',
  'threadLocals',
  'inputs',
  'assumptions',
  'locals',
];

/** The text of a program. The same options give the same text. */
export function randomThreads(options: RandomThreadsOptions): string {
  return new ThreadsWriter(options).program();
}

const PREFIX = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
`;

const BLOCK_DEPTH_LIMIT = 3;

interface Scope {
  /** Scalars that may be read and written. */
  readonly places: readonly string[];
  /** Local variables of type int. */
  readonly locals: string[];
  depth: number;
  loopDepth: number;
  isAtomic: boolean;
  /** What `return` says here, or null where there is none. */
  readonly result: string | null;
}

class ThreadsWriter {
  readonly #random: Random;
  readonly #on: Set<keyof RandomThreadsFeatures>;
  readonly #size: number;
  readonly #lines: string[] = [];
  #names = 0;
  #indentation = '';
  #budget = 0;
  readonly #places: string[] = [];
  readonly #addressable: string[] = [];
  #threadCount = 2;

  constructor({ seed, size = 4, features = {} }: RandomThreadsOptions) {
    this.#random = createRandom(seed);
    this.#size = size;
    this.#on = new Set(FEATURES.filter((name) => features[name] !== false && this.#random.chance(2, 5)));
  }

  program(): string {
    this.#lines.push(...PREFIX.split('\n'));
    this.#threadCount = this.#random.chance(1, 4) ? 3 : 2;
    this.#writeGlobals();
    this.#writeFunctions();
    const starts = this.#random.chance(1, 3) ? 1 : this.#threadCount;
    for (let t = 0; t < starts; t++) this.#writeThread(t);
    this.#writeMain(starts);
    return `${this.#lines.join('\n')}\n`;
  }

  // -------------------------------------------------------------- text

  #line(text: string): void {
    this.#lines.push(`${this.#indentation}${text}`);
  }

  #block(head: string, body: () => void, tail = '}'): void {
    this.#line(`${head} {`);
    this.#indentation += '  ';
    body();
    this.#indentation = this.#indentation.slice(2);
    this.#line(tail);
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  #has(...features: (keyof RandomThreadsFeatures)[]): boolean {
    return features.every((feature) => this.#on.has(feature));
  }

  // -------------------------------------------------------------- declarations

  #writeGlobals(): void {
    const types = this.#has('widths')
      ? ['int', 'unsigned', 'unsigned char', 'signed char', 'short', 'long long', '_Bool', 'unsigned short']
      : ['int'];
    for (let n = 2 + this.#random.below(2); n > 0; n--) {
      const name = this.#name('g');
      const type = this.#random.pick(types);
      this.#line(`${type} ${name}${this.#random.chance(1, 3) ? ` = ${this.#random.below(3)}` : ''};`);
      this.#places.push(name);
      if (type === 'int') this.#addressable.push(name);
    }
    this.#line('int base;');
    this.#addressable.push('base');
    if (this.#has('arrays')) this.#declare(`${this.#random.pick(types)} array[3];`, 'array[0]', 'array[2]');
    if (this.#has('structs')) {
      this.#line('struct record { unsigned low : 3; unsigned high : 5; short whole; int last : 4; };');
      this.#declare('struct record record, copy;', 'record.low', 'record.high', 'record.whole', 'record.last');
    }
    if (this.#has('unions')) {
      this.#declare('union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } both;');
      this.#places.push('both.word', 'both.half[1]', 'both.byte[0]', 'both.byte[1]');
    }
    if (this.#has('pointers')) this.#line(`int *pointer = &${this.#random.pick(this.#addressable)};`);
    if (this.#has('pointers')) this.#line('int **second = &pointer;');
    if (this.#has('heap')) this.#line('int *heap;');
    if (this.#has('threadLocals')) this.#declare('__thread int own = 1;', 'own');
    this.#line('pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;');
    if (this.#has('locks')) this.#line('pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;');
    if (this.#has('conditions')) this.#line('pthread_cond_t condition = PTHREAD_COND_INITIALIZER;');
    if (this.#has('semaphores')) this.#line('sem_t semaphore;');
    if (this.#has('barriers')) this.#line('pthread_barrier_t barrier;');
    if (this.#has('atomics')) this.#declare('atomic_int atomic;', 'atomic');
  }

  #declare(text: string, ...places: string[]): void {
    this.#line(text);
    this.#places.push(...places);
  }

  #writeFunctions(): void {
    if (this.#has('recursion')) {
      const place = this.#random.pick(this.#places);
      this.#line(`int down(int a) { if (a <= 0) return ${place}; ${place} ^= 1; return down(a - 1); }`);
    }
    if (this.#has('tables')) {
      this.#line(`static int first(int a) { ${this.#random.pick(this.#places)} = a; return a; }`);
      this.#line(`static int other(int a) { return a + ${this.#random.pick(this.#places)}; }`);
      this.#line('int (*table[2])(int) = { first, other };');
      this.#line('int (*chosen)(int) = first;');
    }
    // Only what stands above may be called.
    const later = ['sections', 'calls'] as const;
    const isOn = later.map((feature) => this.#on.delete(feature));
    if (isOn[0]) this.#writeFunction('int __VERIFIER_atomic_both(int a)', 2, true);
    if (isOn[1]) this.#writeFunction('int plain(int a)', 2, false);
    for (const [i, feature] of later.entries()) if (isOn[i]) this.#on.add(feature);
  }

  #writeFunction(head: string, size: number, isAtomic: boolean): void {
    this.#block(head, () => {
      this.#budget = size;
      const scope = this.#scope(['a'], 'return a;', isAtomic);
      while (this.#budget > 0) this.#statement(scope);
      this.#line(`return ${this.#random.chance(1, 2) ? 'a' : this.#value(scope)};`);
    });
    this.#line('');
  }

  #scope(locals: string[], result: string | null, isAtomic = false): Scope {
    return { places: this.#places, locals, depth: 0, loopDepth: 0, isAtomic, result };
  }

  #writeThread(number: number): void {
    this.#block(`void *thread${number}(void *argument)`, () => {
      this.#line('int l = (int)(long)argument;');
      this.#budget = this.#size - this.#random.below(2);
      const scope = this.#scope(['l'], 'return (void *)(long)l;');
      if (this.#has('barriers') && this.#random.chance(1, 2)) this.#line('pthread_barrier_wait(&barrier);');
      while (this.#budget > 0) this.#statement(scope);
      this.#line('return (void *)(long)l;');
    });
    this.#line('');
  }

  #writeMain(starts: number): void {
    this.#block('int main(void)', () => {
      this.#line('int l = 0;');
      this.#line('void *result = 0;');
      if (this.#has('semaphores')) this.#line(`sem_init(&semaphore, 0, ${this.#random.below(2)});`);
      if (this.#has('barriers')) this.#line('pthread_barrier_init(&barrier, 0, 2);');
      const scope = this.#scope(['l'], null);
      this.#budget = this.#random.below(2);
      while (this.#budget > 0) this.#statement(scope);
      const handles = this.#createThreads(starts, scope);
      this.#budget = 1 + this.#random.below(2);
      while (this.#budget > 0) this.#statement(scope);
      for (const handle of handles) {
        if (this.#random.chance(1, 5)) continue;
        if (this.#random.chance(2, 3)) this.#line(`pthread_join(${handle}, 0);`);
        else {
          this.#line(`pthread_join(${handle}, &result);`);
          this.#line('l += (int)(long)result;');
        }
      }
      this.#finalAssertion(scope);
      this.#line('return 0;');
    });
  }

  #createThreads(starts: number, scope: Scope): string[] {
    const count = this.#threadCount;
    this.#line(`pthread_t handles[${count}];`);
    const argument = () => `(void *)(long)${this.#random.below(3)}`;
    if (starts === 1 && this.#has('loops')) {
      this.#line(
        `for (int i = 0; i < ${count}; i++) pthread_create(&handles[i], 0, thread0, (void *)(long)${this.#random.pick(['i', '1'])});`,
      );
    } else {
      for (let t = 0; t < count; t++) {
        const start = `thread${starts === 1 ? 0 : t}`;
        const isLate = t > 0 && this.#random.chance(1, 6);
        if (isLate) this.#statement(scope);
        this.#line(`pthread_create(&handles[${t}], 0, ${start}, ${argument()});`);
      }
    }
    return Array.from({ length: count }, (_, t) => `handles[${t}]`);
  }

  /** One that holds always, never or in some interleavings: nobody knows. */
  #finalAssertion(scope: Scope): void {
    const parts: string[] = [];
    for (let n = 1 + this.#random.below(3); n > 0; n--) {
      const mask = this.#random.pick([1, 3, 7]);
      parts.push(`(${this.#value(scope)} & ${mask}) == ${this.#random.below(mask + 1)}`);
    }
    this.#line(`assert(!(${parts.join(' && ')}));`);
  }

  // -------------------------------------------------------------- expressions

  #value(scope: Scope): string {
    const place = this.#random.pick(scope.places);
    const local = this.#random.pick(scope.locals);
    const options = [place, place, local];
    if (this.#has('arrays')) options.push(`array[${local} & 1]`);
    if (this.#has('unions')) options.push(`both.byte[${local} & 3]`);
    if (this.#has('pointers')) options.push('*pointer', '**second', `(pointer == &base)`);
    return this.#random.pick(options);
  }

  #expression(scope: Scope): string {
    const { below, pick, chance } = this.#random;
    const a = chance(1, 2) ? pick(scope.locals) : this.#value(scope);
    if (chance(1, 4)) return `${below(4)}`;
    if (chance(1, 3)) return a;
    const operators = this.#has('widths') ? ['+', '-', '^', '|', '&', '*', '%'] : ['+', '-', '^', '|'];
    const operator = pick(operators);
    const right = operator === '%' ? '3' : `${1 + below(3)}`;
    return chance(1, 5)
      ? `${a} ${operator === '%' ? '+' : operator} ${this.#value(scope)}`
      : `${a} ${operator} ${right}`;
  }

  #condition(scope: Scope): string {
    const { below, pick, chance } = this.#random;
    if (this.#has('inputs') && chance(1, 5)) return '__VERIFIER_nondet_bool()';
    const a = this.#value(scope);
    const text = `${a} ${pick(['==', '!=', '<', '>', '>='])} ${below(3)}`;
    return chance(1, 6) ? `${text} ${pick(['&&', '||'])} ${this.#value(scope)} ${pick(['==', '!='])} 1` : text;
  }

  /** Where a value can be stored. */
  #target(scope: Scope): string {
    const { pick, chance } = this.#random;
    if (chance(1, 4)) return pick(scope.locals);
    if (this.#has('arrays') && chance(1, 4)) return `array[${pick(scope.locals)} & 1]`;
    if (this.#has('unions') && chance(1, 6)) return `both.byte[${pick(scope.locals)} & 3]`;
    if (this.#has('pointers') && chance(1, 4)) return pick(['*pointer', '**second']);
    return pick(scope.places);
  }

  // -------------------------------------------------------------- statements

  #statement(scope: Scope): void {
    this.#budget--;
    const kinds: ((scope: Scope) => void)[] = [(s) => this.#assign(s), (s) => this.#assign(s), (s) => this.#update(s)];
    const add = (feature: keyof RandomThreadsFeatures, ...writers: ((scope: Scope) => void)[]) => {
      if (this.#has(feature)) kinds.push(...writers);
    };
    if (scope.depth < BLOCK_DEPTH_LIMIT) {
      kinds.push((s) => this.#if(s));
      add('loops', (s) => this.#loop(s));
      add('sections', (s) => this.#section(s));
      if (!scope.isAtomic) add('locks', (s) => this.#locked(s));
    }
    add('sections', (s) => this.#line(`${s.locals[0]} = __VERIFIER_atomic_both(${this.#expression(s)});`));
    add('pointers', (s) => this.#movePointer(s));
    add('heap', (s) => this.#useHeap(s));
    add('structs', () => this.#line(this.#random.pick(['copy = record;', 'record = copy;'])));
    add('atomics', (s) => this.#atomic(s));
    add('calls', (s) => this.#call(s, 'plain'));
    add('recursion', (s) => this.#call(s, 'down', `${this.#random.pick(s.locals)} & 1`));
    add('tables', (s) => this.#useTable(s));
    add('inputs', (s) => this.#input(s));
    add('assumptions', (s) => this.#line(`__VERIFIER_assume(${this.#condition(s)});`));
    add('locals', (s) => this.#local(s));
    add('jumps', (s) => this.#jump(s));
    if (!scope.isAtomic) {
      add('semaphores', () => this.#line(this.#random.pick(['sem_post(&semaphore);', 'sem_wait(&semaphore);'])));
      add('conditions', (s) => this.#wait(s));
      add('nested', (s) => this.#nest(s));
    }
    if (this.#random.chance(1, 8)) this.#line(`assert(${this.#condition(scope)});`);
    this.#random.pick(kinds)(scope);
  }

  #assign(scope: Scope): void {
    this.#line(`${this.#target(scope)} = ${this.#expression(scope)};`);
  }

  #update(scope: Scope): void {
    const { pick, chance, below } = this.#random;
    const target = this.#target(scope);
    if (chance(1, 2)) this.#line(`${target}${pick(['++', '--'])};`);
    else this.#line(`${target} ${pick(['+=', '-=', '^=', '|='])} ${1 + below(3)};`);
  }

  /** A few statements one level deeper. Locals declared there are not seen after it. */
  #body(scope: Scope, isLoop = false): void {
    const known = scope.locals.length;
    scope.depth++;
    if (isLoop) scope.loopDepth++;
    this.#statement(scope);
    if (this.#budget > 0 && this.#random.chance(1, 3)) this.#statement(scope);
    if (isLoop) scope.loopDepth--;
    scope.depth--;
    scope.locals.length = known;
  }

  #if(scope: Scope): void {
    const hasElse = this.#random.chance(1, 2);
    this.#block(`if (${this.#condition(scope)})`, () => this.#body(scope), hasElse ? '} else {' : '}');
    if (!hasElse) return;
    this.#indentation += '  ';
    this.#body(scope);
    this.#indentation = this.#indentation.slice(2);
    this.#line('}');
  }

  #loop(scope: Scope): void {
    if (scope.loopDepth > 0) {
      this.#assign(scope);
      return;
    }
    const i = this.#name('i');
    const most = this.#random.chance(1, 2) ? '2' : `(${this.#value(scope)} & 1) + 1`;
    const head = this.#random.pick([
      `for (int ${i} = 0; ${i} < ${most}; ${i}++)`,
      `for (int ${i} = 2; ${i}-- > 0 && ${this.#condition(scope)};)`,
    ]);
    this.#block(head, () => {
      if (this.#random.chance(1, 4))
        this.#line(`if (${this.#condition(scope)}) ${this.#random.pick(['break;', 'continue;'])}`);
      this.#body(scope, true);
    });
  }

  #section(scope: Scope): void {
    if (scope.isAtomic) {
      this.#assign(scope);
      return;
    }
    this.#line('__VERIFIER_atomic_begin();');
    scope.isAtomic = true;
    this.#body({ ...scope, result: null, loopDepth: 1 });
    scope.isAtomic = false;
    this.#line('__VERIFIER_atomic_end();');
  }

  #locked(scope: Scope): void {
    const inner = { ...scope, result: null };
    switch (this.#random.below(4)) {
      case 0:
        this.#block('if (pthread_mutex_trylock(&mutex) == 0)', () => {
          this.#body(inner);
          this.#line('pthread_mutex_unlock(&mutex);');
        });
        break;
      case 1: {
        const how = this.#random.pick(['rdlock', 'wrlock']);
        this.#line(`pthread_rwlock_${how}(&rwlock);`);
        this.#body(inner);
        this.#line('pthread_rwlock_unlock(&rwlock);');
        break;
      }
      default:
        this.#line('pthread_mutex_lock(&mutex);');
        this.#body(inner);
        this.#line('pthread_mutex_unlock(&mutex);');
    }
  }

  #wait(scope: Scope): void {
    if (this.#random.chance(1, 2)) {
      this.#line(`pthread_cond_${this.#random.pick(['signal', 'broadcast'])}(&condition);`);
      return;
    }
    this.#line('pthread_mutex_lock(&mutex);');
    this.#line(`if (${this.#condition(scope)}) pthread_cond_wait(&condition, &mutex);`);
    this.#line(`${this.#target(scope)} = ${this.#random.below(3)};`);
    this.#line('pthread_mutex_unlock(&mutex);');
  }

  #movePointer(scope: Scope): void {
    const { pick } = this.#random;
    const options = [`pointer = &${pick(this.#addressable)};`, `*second = &${pick(this.#addressable)};`];
    if (this.#has('threadLocals')) options.push('pointer = &own;');
    options.push(`*pointer = ${this.#expression(scope)};`, `*(unsigned char *)pointer = ${this.#random.below(3)};`);
    if (this.#has('heap')) options.push('if (heap) pointer = heap;');
    this.#line(pick(options));
  }

  #useHeap(scope: Scope): void {
    const name = this.#name('h');
    switch (this.#random.below(5)) {
      case 0:
        this.#line(`if (heap) *heap = ${this.#expression(scope)};`);
        break;
      case 1:
        this.#line(`if (heap) ${this.#random.pick(scope.locals)} = *heap;`);
        break;
      case 2:
        if (this.#random.chance(1, 2)) this.#line(`if (heap) { int *${name} = heap; heap = 0; free(${name}); }`);
        else this.#line('free(heap);');
        break;
      default:
        this.#line(
          `{ int *${name} = malloc(sizeof *${name}); *${name} = ${this.#expression(scope)}; heap = ${name}; }`,
        );
    }
  }

  #atomic(scope: Scope): void {
    const local = scope.locals[0];
    const value = this.#expression(scope);
    const expected = this.#name('e');
    this.#line(
      this.#random.pick([
        `${local} = atomic_fetch_add(&atomic, ${value});`,
        `atomic_store(&atomic, ${value});`,
        `${local} = atomic_exchange(&atomic, ${value});`,
        `{ int ${expected} = ${this.#random.below(2)}; ${local} = atomic_compare_exchange_strong(&atomic, &${expected}, ${value}) + 2 * ${expected}; }`,
        `${local} = __sync_fetch_and_add(&base, ${value});`,
        `${local} = __sync_bool_compare_and_swap(&base, ${this.#random.below(2)}, ${value});`,
        `__atomic_store_n(&base, ${value}, __ATOMIC_SEQ_CST);`,
        `${local} = __atomic_xor_fetch(&base, ${value}, __ATOMIC_SEQ_CST);`,
      ]),
    );
  }

  #call(scope: Scope, name: string, argument = this.#expression(scope)): void {
    const isUsed = this.#random.chance(1, 2);
    this.#line(`${isUsed ? `${this.#target(scope)} = ` : ''}${name}(${argument});`);
  }

  #useTable(scope: Scope): void {
    const { pick } = this.#random;
    const options = [
      `${this.#target(scope)} = table[${pick(scope.locals)} & 1](${this.#expression(scope)});`,
      `chosen = ${pick(['first', 'other'])};`,
      `${pick(scope.locals)} = chosen(${this.#random.below(2)});`,
    ];
    this.#line(pick(options));
  }

  #input(scope: Scope): void {
    const name = this.#name('n');
    const type = this.#random.pick(['int', 'unsigned char']);
    const call = type === 'int' ? '__VERIFIER_nondet_int()' : '__VERIFIER_nondet_uchar()';
    const target = this.#target(scope);
    this.#line(`{ ${type} ${name} = ${call}; __VERIFIER_assume(${name} >= 0 && ${name} <= 2); ${target} = ${name}; }`);
  }

  /** A local that lies in memory. */
  #local(scope: Scope): void {
    const name = this.#name('v');
    const use = [`*&${name} += ${this.#value(scope)};`];
    if (this.#has('pointers')) use.push(`pointer = &${name};`, `*second = &${name};`);
    this.#line(`int ${name} = ${this.#expression(scope)};`);
    this.#line(this.#random.pick(use));
    scope.locals.push(name);
  }

  #jump(scope: Scope): void {
    const { chance } = this.#random;
    if (scope.result !== null && chance(1, 3)) {
      this.#line(`if (${this.#condition(scope)}) ${scope.result}`);
      return;
    }
    const label = this.#name('L');
    if (scope.loopDepth === 0 && chance(1, 2)) {
      const count = this.#name('k');
      this.#line(`int ${count} = 0;`);
      this.#line(`${label}:;`);
      this.#body(scope, true);
      this.#line(`if (++${count} < 2 && ${this.#condition(scope)}) goto ${label};`);
      return;
    }
    this.#line(`if (${this.#condition(scope)}) goto ${label};`);
    const known = scope.locals.length;
    this.#block('', () => this.#body(scope));
    scope.locals.length = known;
    this.#line(`${label}:;`);
  }

  /** A thread that a thread creates. It can only do little. */
  #nest(scope: Scope): void {
    if (scope.loopDepth > 0 || this.#lines.filter((line) => line.includes('helper_of')).length > 1) {
      this.#assign(scope);
      return;
    }
    const name = this.#name('helper_of');
    const place = this.#random.pick(scope.places);
    const at = this.#lines.findIndex((line) => line.startsWith('pthread_mutex_t')) + 1;
    const effect = place.startsWith('atomic') || place === 'own' ? 'base ^= 1;' : `${place} ^= 1;`;
    this.#lines.splice(
      at,
      0,
      `void *${name}(void *argument) { ${this.#isLate(place) ? 'base ^= 1;' : effect} return argument; }`,
    );
    const handle = this.#name('t');
    this.#line(`pthread_t ${handle};`);
    this.#line(`pthread_create(&${handle}, 0, ${name}, (void *)(long)${this.#random.below(3)});`);
    if (this.#random.chance(1, 2)) this.#line(`pthread_join(${handle}, 0);`);
  }

  /** Declared after the place where helpers stand. */
  #isLate(place: string): boolean {
    return place === 'atomic';
  }
}
