// More statements of small random concurrent programs (random-threads.ts): what begins and ends. Constructors, exit
// handlers, cleanup handlers, threads that end in a function that they have called, locals, allocations and records
// that are handed to a new thread which may outlive them, detached threads, waits with a time limit or in a loop,
// objects that are destroyed, C11 threads.

import type { Random } from '../../src/support/random.ts';
import type { Extension, Scope, StatementWriter } from './random-thread-statements.ts';

const LIFETIME_FEATURES = [
  'constructors',
  'exitHandlers',
  'cleanups',
  'ends',
  'handedLocals',
  'handedAllocations',
  'handedRecords',
  'selves',
  'timedWaits',
  'waitLoops',
  'destructions',
  'c11',
] as const;

type LifetimeFeature = (typeof LIFETIME_FEATURES)[number];

/** How many threads a program may create beside those of main. */
const MOST_CREATED = 1;

export class LifetimeWriter implements Extension {
  readonly #random: Random;
  readonly #writer: StatementWriter;
  readonly #features: ReadonlySet<LifetimeFeature>;
  #created = 0;

  constructor(random: Random, writer: StatementWriter) {
    this.#random = random;
    this.#writer = writer;
    this.#features = new Set(LIFETIME_FEATURES.filter(() => random.chance(2, 5)));
  }

  #has(feature: LifetimeFeature): boolean {
    return this.#features.has(feature);
  }

  #place(): string {
    return this.#random.pick(this.#writer.places);
  }

  writeGlobals(): void {
    const { line } = this.#writer;
    const { below, chance } = this.#random;
    if (this.#has('constructors')) {
      line(`__attribute__((constructor)) static void prepare(void) { ${this.#place()} = ${below(3)}; }`);
      if (chance(1, 2)) line(`__attribute__((destructor)) static void finish(void) { ${this.#assertion()} }`);
    }
    if (this.#has('exitHandlers'))
      line(`static void leave(void) { ${this.#place()} ^= 1; ${chance(1, 2) ? this.#assertion() : ''} }`);
    if (this.#has('cleanups')) {
      line(`static void undo(void *value) { ${this.#place()} ^= (int)(long)value; }`);
      line('static void unlock(void *lock) { pthread_mutex_unlock(lock); }');
    }
    if (this.#has('ends')) this.#writeEnd();
    if (this.#has('handedLocals'))
      line(`static void *borrow(void *given) { *(int *)given ^= 1; ${this.#place()} = *(int *)given; return given; }`);
    if (this.#has('handedAllocations')) {
      const last = this.#random.pick(['free(mine); return 0;', 'return mine;']);
      line(`static void *take(void *given) { int *mine = given; ${this.#place()} = *mine; ${last} }`);
    }
    if (this.#has('handedRecords')) {
      line('struct handed { int *where; int at; };');
      line('static void *use(void *given) { struct handed *mine = given; *mine->where ^= mine->at; return 0; }');
    }
    if (this.#has('selves')) line('pthread_t seen_self;');
    if (this.#has('timedWaits')) line('sem_t gate; struct timespec until;');
    if (this.#has('waitLoops')) line('int ready; pthread_cond_t changed = PTHREAD_COND_INITIALIZER;');
    if (this.#has('destructions')) line('pthread_mutex_t spare = PTHREAD_MUTEX_INITIALIZER;');
    if (this.#has('c11')) this.#writeC11();
  }

  /** Functions that may end their thread, and a pointer that leads to variables which end with it. */
  #writeEnd(): void {
    const { line } = this.#writer;
    const { below, chance, pick } = this.#random;
    line('int *left; __thread int private;');
    const publish = pick(['left = &inner;', 'left = &private;', `${this.#place()} = inner;`]);
    const test = chance(1, 3) ? '1' : `${this.#place()} == ${below(3)}`;
    line(
      `static int part(int a) { int inner = a; ${publish} if (${test}) pthread_exit((void *)(long)a); return inner; }`,
    );
    line('static int whole(int a) { int outer = a + 1, *seen = &outer; *seen += part(a); return outer; }');
  }

  #writeC11(): void {
    const { line } = this.#writer;
    const { below } = this.#random;
    line('mtx_t plain_lock; once_flag flag = ONCE_FLAG_INIT; tss_t slot;');
    line(`static void arrange(void) { ${this.#place()} ^= 1; }`);
    line(`static void discard(void *value) { ${this.#place()} = (int)(long)value; }`);
    line(
      `static int work(void *given) { ${this.#place()} ^= 1; if (given) thrd_exit(${below(3)}); return ${below(3)}; }`,
    );
  }

  #assertion(): string {
    const { below } = this.#random;
    return `assert(!(${this.#place()} == ${below(3)} && ${this.#place()} == ${below(3)}));`;
  }

  writeSetup(): void {
    const { line } = this.#writer;
    const { pick } = this.#random;
    if (this.#has('exitHandlers')) line('atexit(leave);');
    if (this.#has('timedWaits')) line(`sem_init(&gate, 0, ${this.#random.below(2)});`);
    if (!this.#has('c11')) return;
    line(`mtx_init(&plain_lock, ${pick(['mtx_plain', 'mtx_plain | mtx_recursive', 'mtx_timed'])});`);
    line(`tss_create(&slot, ${pick(['discard', '0'])});`);
  }

  statements(scope: Scope, body: (scope: Scope) => void): (() => void)[] {
    const kinds: (() => void)[] = [];
    if (scope.isAtomic) return kinds;
    const add = (feature: LifetimeFeature, write: () => void) => {
      if (this.#has(feature)) kinds.push(write);
    };
    const { line } = this.#writer;
    const inner = { ...scope, result: null };
    if (scope.depth < 2) {
      add('cleanups', () => this.#cleanup(inner, body));
      add('timedWaits', () => this.#timedWait(inner, body));
      add('c11', () => this.#c11Lock(inner, body));
      add('destructions', () => this.#destroy(inner, body));
    }
    add('waitLoops', () => this.#waitLoop(scope));
    add('exitHandlers', () => line(`if (${this.#writer.condition(scope)}) exit(0);`));
    add('ends', () => this.#end(scope));
    add('selves', () => this.#self(scope));
    add('c11', () => this.#c11Other(scope));
    if (scope.loopDepth > 0 || this.#created >= MOST_CREATED) return kinds;
    add('handedLocals', () => this.#handLocal(scope, body));
    add('handedAllocations', () => this.#handAllocation(scope));
    add('handedRecords', () => this.#handRecords(scope));
    add('c11', () => this.#c11Thread(scope));
    return kinds;
  }

  /** Between push and pop nothing may jump out; the thread may end. */
  #cleanup(scope: Scope, body: (scope: Scope) => void): void {
    const { line, value, condition, block } = this.#writer;
    const { chance, below } = this.#random;
    const end = chance(1, 2) ? `if (${condition(scope)}) pthread_exit((void *)(long)${below(3)});` : '';
    block('', () => {
      if (chance(1, 3)) {
        line('pthread_mutex_lock(&mutex);');
        line('pthread_cleanup_push(unlock, &mutex);');
        body(scope);
        line(end);
        line('pthread_cleanup_pop(1);');
        return;
      }
      line(`pthread_cleanup_push(undo, (void *)(long)(${value(scope)} & 3));`);
      body(scope);
      line(end);
      line(`pthread_cleanup_pop(${below(2)});`);
    });
  }

  #timedWait(scope: Scope, body: (scope: Scope) => void): void {
    const { line, block, condition, target } = this.#writer;
    const after = (test: string, release: string) =>
      block(`if (${test} == 0)`, () => {
        body(scope);
        line(release);
      });
    switch (this.#random.below(5)) {
      case 0:
        after('pthread_mutex_timedlock(&mutex, &until)', 'pthread_mutex_unlock(&mutex);');
        break;
      case 1:
        after('sem_timedwait(&gate, &until)', 'sem_post(&gate);');
        break;
      case 2:
        after('sem_trywait(&gate)', 'sem_post(&gate);');
        break;
      case 3:
        line('sem_post(&gate);');
        break;
      default: {
        const wait = this.#writer.name('wait');
        block('', () => {
          line(`pthread_cond_t ${wait} = PTHREAD_COND_INITIALIZER;`);
          line('pthread_mutex_lock(&mutex);');
          line(
            `if (${condition(scope)}) ${target(scope)} = pthread_cond_timedwait(&${wait}, &mutex, &until) == ETIMEDOUT;`,
          );
          line('pthread_mutex_unlock(&mutex);');
        });
      }
    }
  }

  #waitLoop(scope: Scope): void {
    const { line, target, block } = this.#writer;
    block('', () => {
      line('pthread_mutex_lock(&mutex);');
      if (this.#random.chance(1, 2)) {
        line('while (!ready) pthread_cond_wait(&changed, &mutex);');
        line(`ready--; ${target(scope)} ^= 1;`);
      } else line(`ready++; pthread_cond_${this.#random.pick(['signal', 'broadcast'])}(&changed);`);
      line('pthread_mutex_unlock(&mutex);');
    });
  }

  #destroy(scope: Scope, body: (scope: Scope) => void): void {
    const { line } = this.#writer;
    if (this.#random.chance(1, 3)) {
      line('pthread_mutex_destroy(&spare);');
      if (this.#random.chance(1, 2)) line('pthread_mutex_init(&spare, 0);');
      return;
    }
    line('pthread_mutex_lock(&spare);');
    body(scope);
    line('pthread_mutex_unlock(&spare);');
  }

  #end(scope: Scope): void {
    const { line, target, value } = this.#writer;
    line(
      this.#random.pick([
        `${target(scope)} = part(${value(scope)} & 3);`,
        `${target(scope)} = whole(${value(scope)} & 3);`,
        `private += 1; left = &private;`,
        `if (left) ${target(scope)} = *left;`,
        `if (left) *left = ${this.#random.below(3)};`,
      ]),
    );
  }

  writeLast(): void {
    if (this.#has('ends') && this.#random.chance(1, 2)) this.#writer.line('if (left) l += *left;');
  }

  #self(scope: Scope): void {
    const { line, target } = this.#writer;
    line(
      this.#random.pick([
        'seen_self = pthread_self();',
        `${target(scope)} = pthread_equal(seen_self, pthread_self()) != 0;`,
        'if (pthread_equal(seen_self, pthread_self())) pthread_detach(seen_self);',
      ]),
    );
  }

  #handLocal(scope: Scope, body: (scope: Scope) => void): void {
    const { line, value, block, name, target } = this.#writer;
    const { chance } = this.#random;
    this.#created++;
    const [local, handle] = [name('v'), name('t')];
    block('', () => {
      line(`int ${local} = ${value(scope)} & 3;`);
      line(`pthread_t ${handle};`);
      line(`pthread_create(&${handle}, 0, borrow, &${local});`);
      if (chance(1, 3)) body({ ...scope, result: null });
      if (chance(2, 3)) line(`pthread_join(${handle}, 0);`);
      line(`${target(scope)} = ${local};`);
    });
  }

  #handAllocation(scope: Scope): void {
    const { line, value, block, name, target } = this.#writer;
    const { pick } = this.#random;
    this.#created++;
    const [made, handle, result] = [name('m'), name('t'), name('r')];
    const join = `void *${result}; pthread_join(${handle}, &${result});`;
    block('', () => {
      line(`int *${made} = malloc(sizeof *${made});`);
      line(`*${made} = ${value(scope)} & 3;`);
      line(`pthread_t ${handle};`);
      line(`pthread_create(&${handle}, 0, take, ${made});`);
      line(
        pick([
          `pthread_detach(${handle});`,
          `${join} free(${result});`,
          `${join} if (${result}) ${target(scope)} = *(int *)${result};`,
          `free(${made});`,
          `*${made} = 1;`,
        ]),
      );
    });
  }

  /** Each is filled in just before its thread is created, while others run. */
  #handRecords(scope: Scope): void {
    const { line, condition, block, name, addressable } = this.#writer;
    const { pick, chance } = this.#random;
    this.#created++;
    const [records, handles] = [name('h'), name('t')];
    block('', () => {
      if (chance(1, 2)) line(`struct handed ${records}[2];`);
      else line(`struct handed *${records} = malloc(2 * sizeof *${records});`);
      line(`pthread_t ${handles}[2];`);
      block('for (int k = 0; k < 2; k++)', () => {
        line(`${records}[k].where = &${pick(addressable)};`);
        line(
          pick([`${records}[k].at = k;`, `if (${condition(scope)}) ${records}[k].at = 1; else ${records}[k].at = 2;`]),
        );
        line(`pthread_create(&${handles}[k], 0, use, &${records}[k]);`);
        if (chance(1, 3)) line(`${records}[k].at = 3;`);
      });
      if (chance(3, 4)) line(`for (int k = 0; k < 2; k++) pthread_join(${handles}[k], 0);`);
    });
  }

  #c11Lock(scope: Scope, body: (scope: Scope) => void): void {
    const { line, block } = this.#writer;
    const how = this.#random.pick(['mtx_trylock(&plain_lock)', 'mtx_lock(&plain_lock)']);
    block(`if (${how} == thrd_success)`, () => {
      body(scope);
      line('mtx_unlock(&plain_lock);');
    });
  }

  #c11Other(scope: Scope): void {
    const { line, value, target } = this.#writer;
    line(
      this.#random.pick([
        'call_once(&flag, arrange);',
        `tss_set(slot, (void *)(long)(${value(scope)} & 3));`,
        `${target(scope)} = (int)(long)tss_get(slot);`,
      ]),
    );
  }

  #c11Thread(scope: Scope): void {
    const { line, name, block, target } = this.#writer;
    this.#created++;
    const [handle, result] = [name('t'), name('r')];
    block('', () => {
      line(`thrd_t ${handle};`);
      line(`thrd_create(&${handle}, work, ${this.#random.pick(['0', '&base'])});`);
      line(
        this.#random.pick([
          `thrd_detach(${handle});`,
          `thrd_join(${handle}, 0);`,
          `int ${result}; thrd_join(${handle}, &${result}); ${target(scope)} = ${result};`,
        ]),
      );
    });
  }
}
