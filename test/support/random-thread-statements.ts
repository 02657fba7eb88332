// The statements of small random concurrent programs (random-threads.ts): what one thread does to shared state.

import type { Random } from '../../src/support/random.ts';
import type { SetupWriter } from './random-thread-setup.ts';

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
  readonly switches: boolean;
  readonly exits: boolean;
  readonly handles: boolean;
  readonly records: boolean;
  readonly sideEffects: boolean;
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
  'switches',
  'exits',
  'handles',
  'records',
  'sideEffects',
];

const BLOCK_DEPTH_LIMIT = 3;

export interface Scope {
  /** Scalars that may be read and written. */
  readonly places: readonly string[];
  /** Local variables of type int. */
  readonly locals: string[];
  depth: number;
  loopDepth: number;
  isAtomic: boolean;
  /** What `return` says here, or null where there is none. */
  readonly result: string | null;
  /** Whether `start` leads to a record of the thread (random-thread-setup.ts). */
  readonly hasStart: boolean;
}

/** What else can stand in a program. */
export interface Extension {
  /** After the other global variables. */
  writeGlobals(): void;
  /** At the start of main. */
  writeSetup(): void;
  /** What can stand in a thread; `body` writes a few statements one level deeper. */
  statements(scope: Scope, body: (scope: Scope) => void): (() => void)[];
  /** Of main, when it has joined threads. */
  writeLast?(): void;
  /** The last statements of every thread. */
  writeEnd?(scope: Scope): void;
}

/** Writes statements into a list of lines, on the shared state that its owner has declared. */
export class StatementWriter {
  readonly #random: Random;
  readonly features: Set<keyof RandomThreadsFeatures>;
  readonly lines: string[] = [];
  /** Scalars of the program, and those of type int, by the expressions that denote them. */
  readonly places: string[] = [];
  readonly addressable: string[] = [];
  /** About how many statements are still to be written. */
  budget = 0;
  /** What else there is to write, if anything. */
  readonly extensions: Extension[] = [];
  setup: SetupWriter | null = null;
  /** Nothing is asserted but what extensions assert: a fault that is easy to find hides others. */
  isQuiet = false;
  #names = 0;
  #indentation = '';

  constructor(random: Random, left: Partial<RandomThreadsFeatures>) {
    this.#random = random;
    this.features = new Set(FEATURES.filter((name) => left[name] !== false && random.chance(2, 5)));
  }

  // -------------------------------------------------------------- text

  readonly line = (text: string): void => {
    this.lines.push(`${this.#indentation}${text}`);
  };

  readonly block = (head: string, body: () => void, tail = '}'): void => {
    this.line(`${head} {`);
    this.#indentation += '  ';
    body();
    this.#indentation = this.#indentation.slice(2);
    this.line(tail);
  };

  readonly name = (prefix: string): string => `${prefix}${this.#names++}`;

  has(...features: (keyof RandomThreadsFeatures)[]): boolean {
    return features.every((feature) => this.features.has(feature));
  }

  // -------------------------------------------------------------- expressions

  readonly value = (scope: Scope): string => {
    const place = this.#random.pick(scope.places);
    const local = this.#random.pick(scope.locals);
    const options = [place, place, local];
    if (this.has('arrays')) options.push(`array[${local} & 1]`);
    if (this.has('unions')) options.push(`both.byte[${local} & 3]`);
    if (this.has('pointers')) options.push('*pointer', '**second', `(pointer == &base)`);
    return this.#random.pick(options);
  };

  #expression(scope: Scope): string {
    const { below, pick, chance } = this.#random;
    const a = chance(1, 2) ? pick(scope.locals) : this.value(scope);
    if (chance(1, 4)) return `${below(4)}`;
    if (chance(1, 3)) return a;
    const operators = this.has('widths') ? ['+', '-', '^', '|', '&', '*', '%'] : ['+', '-', '^', '|'];
    const operator = pick(operators);
    const right = operator === '%' ? '3' : `${1 + below(3)}`;
    return chance(1, 5)
      ? `${a} ${operator === '%' ? '+' : operator} ${this.value(scope)}`
      : `${a} ${operator} ${right}`;
  }

  readonly condition = (scope: Scope): string => {
    const { below, pick, chance } = this.#random;
    if (this.has('inputs') && chance(1, 5)) return '__VERIFIER_nondet_bool()';
    const a = this.value(scope);
    const text = `${a} ${pick(['==', '!=', '<', '>', '>='])} ${below(3)}`;
    return chance(1, 6) ? `${text} ${pick(['&&', '||'])} ${this.value(scope)} ${pick(['==', '!='])} 1` : text;
  };

  /** Where a value can be stored. */
  readonly target = (scope: Scope): string => {
    const { pick, chance } = this.#random;
    if (chance(1, 4)) return pick(scope.locals);
    if (this.has('arrays') && chance(1, 4)) return `array[${pick(scope.locals)} & 1]`;
    if (this.has('unions') && chance(1, 6)) return `both.byte[${pick(scope.locals)} & 3]`;
    if (this.has('pointers') && chance(1, 4)) return pick(['*pointer', '**second']);
    return pick(scope.places);
  };

  // -------------------------------------------------------------- statements

  statement(scope: Scope): void {
    this.budget--;
    const kinds: ((scope: Scope) => void)[] = [(s) => this.#assign(s), (s) => this.#assign(s), (s) => this.#update(s)];
    const add = (feature: keyof RandomThreadsFeatures, ...writers: ((scope: Scope) => void)[]) => {
      if (this.has(feature)) kinds.push(...writers);
    };
    if (scope.depth < BLOCK_DEPTH_LIMIT) {
      kinds.push((s) => this.#if(s));
      add('loops', (s) => this.#loop(s));
      add('sections', (s) => this.#section(s));
      if (!scope.isAtomic) add('locks', (s) => this.#locked(s));
    }
    add('sections', (s) => this.line(`${s.locals[0]} = __VERIFIER_atomic_both(${this.#expression(s)});`));
    add('pointers', (s) => this.#movePointer(s));
    add('heap', (s) => this.#useHeap(s));
    add('structs', () => this.line(this.#random.pick(['copy = record;', 'record = copy;'])));
    add('atomics', (s) => this.#atomic(s));
    add('calls', (s) => this.#call(s, 'plain'));
    add('recursion', (s) => this.#call(s, 'down', `${this.#random.pick(s.locals)} & 1`));
    add('tables', (s) => this.#useTable(s));
    add('inputs', (s) => this.#input(s));
    add('assumptions', (s) => this.line(`__VERIFIER_assume(${this.condition(s)});`));
    add('locals', (s) => this.#local(s));
    add('jumps', (s) => this.#jump(s));
    add('switches', (s) => this.#switch(s));
    add('exits', (s) => this.#exit(s));
    add('records', (s) => this.#record(s));
    add('sideEffects', (s) => this.#sideEffect(s));
    if (!scope.isAtomic) {
      add('handles', () => this.line('if (shared_handle) pthread_join(shared_handle, 0);'));
      add('semaphores', () => this.line(this.#random.pick(['sem_post(&semaphore);', 'sem_wait(&semaphore);'])));
      add('conditions', (s) => this.#wait(s));
      add('nested', (s) => this.#nest(s));
    }
    for (const extension of this.extensions) kinds.push(...extension.statements(scope, (inner) => this.#body(inner)));
    if (this.setup) kinds.push(...this.setup.statements(scope));
    if (!this.isQuiet && this.#random.chance(1, 8)) this.line(`assert(${this.condition(scope)});`);
    this.#random.pick(kinds)(scope);
  }

  #assign(scope: Scope): void {
    this.line(`${this.target(scope)} = ${this.#expression(scope)};`);
  }

  #update(scope: Scope): void {
    const { pick, chance, below } = this.#random;
    const target = this.target(scope);
    if (chance(1, 2)) this.line(`${target}${pick(['++', '--'])};`);
    else this.line(`${target} ${pick(['+=', '-=', '^=', '|='])} ${1 + below(3)};`);
  }

  /** A few statements one level deeper. Locals declared there are not seen after it. */
  #body(scope: Scope, isLoop = false): void {
    const known = scope.locals.length;
    scope.depth++;
    if (isLoop) scope.loopDepth++;
    this.statement(scope);
    if (this.budget > 0 && this.#random.chance(1, 3)) this.statement(scope);
    if (isLoop) scope.loopDepth--;
    scope.depth--;
    scope.locals.length = known;
  }

  #if(scope: Scope): void {
    const hasElse = this.#random.chance(1, 2);
    this.block(`if (${this.condition(scope)})`, () => this.#body(scope), hasElse ? '} else {' : '}');
    if (!hasElse) return;
    this.#indentation += '  ';
    this.#body(scope);
    this.#indentation = this.#indentation.slice(2);
    this.line('}');
  }

  #loop(scope: Scope): void {
    if (scope.loopDepth > 0) {
      this.#assign(scope);
      return;
    }
    const i = this.name('i');
    const most = this.#random.chance(1, 2) ? '2' : `(${this.value(scope)} & 1) + 1`;
    const head = this.#random.pick([
      `for (int ${i} = 0; ${i} < ${most}; ${i}++)`,
      `for (int ${i} = 2; ${i}-- > 0 && (${this.condition(scope)});)`,
    ]);
    this.block(head, () => {
      if (this.#random.chance(1, 4))
        this.line(`if (${this.condition(scope)}) ${this.#random.pick(['break;', 'continue;'])}`);
      this.#body(scope, true);
    });
  }

  #section(scope: Scope): void {
    if (scope.isAtomic) {
      this.#assign(scope);
      return;
    }
    this.line('__VERIFIER_atomic_begin();');
    scope.isAtomic = true;
    this.#body({ ...scope, result: null, loopDepth: 1 });
    scope.isAtomic = false;
    this.line('__VERIFIER_atomic_end();');
  }

  #locked(scope: Scope): void {
    const inner = { ...scope, result: null };
    switch (this.#random.below(4)) {
      case 0:
        this.block('if (pthread_mutex_trylock(&mutex) == 0)', () => {
          this.#body(inner);
          this.line('pthread_mutex_unlock(&mutex);');
        });
        break;
      case 1: {
        const how = this.#random.pick(['rdlock', 'wrlock']);
        this.line(`pthread_rwlock_${how}(&rwlock);`);
        this.#body(inner);
        this.line('pthread_rwlock_unlock(&rwlock);');
        break;
      }
      default:
        this.line('pthread_mutex_lock(&mutex);');
        this.#body(inner);
        this.line('pthread_mutex_unlock(&mutex);');
    }
  }

  #wait(scope: Scope): void {
    if (this.#random.chance(1, 2)) {
      this.line(`pthread_cond_${this.#random.pick(['signal', 'broadcast'])}(&condition);`);
      return;
    }
    this.line('pthread_mutex_lock(&mutex);');
    this.line(`if (${this.condition(scope)}) pthread_cond_wait(&condition, &mutex);`);
    this.line(`${this.target(scope)} = ${this.#random.below(3)};`);
    this.line('pthread_mutex_unlock(&mutex);');
  }

  #movePointer(scope: Scope): void {
    const { pick } = this.#random;
    const options = [`pointer = &${pick(this.addressable)};`, `*second = &${pick(this.addressable)};`];
    if (this.has('threadLocals')) options.push('pointer = &own;');
    options.push(`*pointer = ${this.#expression(scope)};`, `*(unsigned char *)pointer = ${this.#random.below(3)};`);
    if (this.has('heap')) options.push('if (heap) pointer = heap;');
    this.line(pick(options));
  }

  #useHeap(scope: Scope): void {
    const name = this.name('h');
    switch (this.#random.below(5)) {
      case 0:
        this.line(`if (heap) *heap = ${this.#expression(scope)};`);
        break;
      case 1:
        this.line(`if (heap) ${this.#random.pick(scope.locals)} = *heap;`);
        break;
      case 2:
        if (this.#random.chance(1, 2)) this.line(`if (heap) { int *${name} = heap; heap = 0; free(${name}); }`);
        else this.line('free(heap);');
        break;
      default:
        this.line(`{ int *${name} = malloc(sizeof *${name}); *${name} = ${this.#expression(scope)}; heap = ${name}; }`);
    }
  }

  #atomic(scope: Scope): void {
    const local = scope.locals[0];
    const value = this.#expression(scope);
    const expected = this.name('e');
    this.line(
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
    this.line(`${isUsed ? `${this.target(scope)} = ` : ''}${name}(${argument});`);
  }

  #useTable(scope: Scope): void {
    const { pick } = this.#random;
    const options = [
      `${this.target(scope)} = table[${pick(scope.locals)} & 1](${this.#expression(scope)});`,
      `chosen = ${pick(['first', 'other'])};`,
      `${pick(scope.locals)} = chosen(${this.#random.below(2)});`,
    ];
    this.line(pick(options));
  }

  #input(scope: Scope): void {
    const name = this.name('n');
    const type = this.#random.pick(['int', 'unsigned char']);
    const call = type === 'int' ? '__VERIFIER_nondet_int()' : '__VERIFIER_nondet_uchar()';
    const target = this.target(scope);
    this.line(`{ ${type} ${name} = ${call}; __VERIFIER_assume(${name} >= 0 && ${name} <= 2); ${target} = ${name}; }`);
  }

  /** A local that lies in memory. */
  #local(scope: Scope): void {
    const name = this.name('v');
    const use = [`*&${name} += ${this.value(scope)};`];
    if (this.has('pointers')) use.push(`pointer = &${name};`, `*second = &${name};`);
    this.line(`int ${name} = ${this.#expression(scope)};`);
    this.line(this.#random.pick(use));
    scope.locals.push(name);
  }

  #jump(scope: Scope): void {
    const { chance } = this.#random;
    if (scope.result !== null && chance(1, 3)) {
      this.line(`if (${this.condition(scope)}) ${scope.result}`);
      return;
    }
    const label = this.name('L');
    if (scope.loopDepth === 0 && chance(1, 2)) {
      const count = this.name('k');
      this.line(`int ${count} = 0;`);
      this.line(`${label}:;`);
      this.#body(scope, true);
      this.line(`if (++${count} < 2 && (${this.condition(scope)})) goto ${label};`);
      return;
    }
    this.line(`if (${this.condition(scope)}) goto ${label};`);
    const known = scope.locals.length;
    this.block('', () => this.#body(scope));
    scope.locals.length = known;
    this.line(`${label}:;`);
  }

  #switch(scope: Scope): void {
    if (scope.depth >= BLOCK_DEPTH_LIMIT) {
      this.#assign(scope);
      return;
    }
    const fall = () => (this.#random.chance(1, 2) ? ' break;' : '');
    const value = (text: string) => `${this.target(scope)} = ${text};`;
    this.block(`switch (${this.value(scope)} & 3)`, () => {
      this.line(`case ${this.#random.below(2)}: ${value(this.#expression(scope))}${fall()}`);
      this.line(`default: ${value('1')}${fall()}`);
      this.line(`case 3: ${value(this.#expression(scope))}${fall()}`);
    });
  }

  /** The program or the thread may end here. */
  #exit(scope: Scope): void {
    const call = this.#random.pick(scope.isAtomic ? ['abort()', 'exit(0)'] : ['pthread_exit(0)', 'abort()', 'exit(0)']);
    this.line(`if (${this.condition(scope)}) ${call};`);
  }

  #record(scope: Scope): void {
    const { pick } = this.#random;
    const options = ['one = swap(two);', 'link = &one;', 'link = link->next;', 'two.next = link;'];
    options.push(`if (link) link->a = ${this.#expression(scope)};`, `if (link) link->b++;`, 'if (link) *link = one;');
    options.push(`{ struct pair *p = link; if (p) { int *q = &p->a; *q ^= 1; ${pick(scope.locals)} = p->b; } }`);
    this.line(pick(options));
  }

  #sideEffect(scope: Scope): void {
    const [a, b] = [this.#random.pick(scope.places), this.#random.pick(scope.places)];
    const target = this.target(scope);
    this.line(
      this.#random.pick([
        `${target} = ${a} && ++${b};`,
        `${target} = ${a} ? ${b}++ : --${b};`,
        `${target} = (${a} ^= 1, ${b});`,
        `do { ${a} ^= 1; } while (${a} == 1 && !${b}++);`,
        `if (${a}++ || ${b}--) ${target} = ${this.#expression(scope)};`,
      ]),
    );
  }

  /** A thread that a thread creates. It can only do little. */
  #nest(scope: Scope): void {
    if (scope.loopDepth > 0 || this.lines.filter((line) => line.includes('helper_of')).length > 1) {
      this.#assign(scope);
      return;
    }
    const name = this.name('helper_of');
    const place = this.#random.pick(scope.places);
    const at = this.lines.findIndex((line) => line.startsWith('pthread_mutex_t')) + 1;
    const effect = place.startsWith('atomic') || place === 'own' ? 'base ^= 1;' : `${place} ^= 1;`;
    this.lines.splice(
      at,
      0,
      `void *${name}(void *argument) { ${this.#isLate(place) ? 'base ^= 1;' : effect} return argument; }`,
    );
    const handle = this.name('t');
    this.line(`pthread_t ${handle};`);
    this.line(`pthread_create(&${handle}, 0, ${name}, (void *)(long)${this.#random.below(3)});`);
    if (this.#random.chance(1, 2)) this.line(`pthread_join(${handle}, 0);`);
  }

  /** Declared after the place where helpers stand. */
  #isLate(place: string): boolean {
    return /^(atomic$|wholes|packet|stored|row|tiny|object|grid|saved_grid)/.test(place);
  }
}
