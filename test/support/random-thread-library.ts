// More statements of small random concurrent programs (random-threads.ts): mutexes of all kinds, keys, once, guards,
// static locals, lists on the heap, arrays of variable length, and expressions with several shared accesses, whose
// order of evaluation C fixes.

import type { Random } from '../../src/support/random.ts';
import type { Extension, Scope, StatementWriter } from './random-thread-statements.ts';

const LIBRARY_FEATURES = [
  'mutexKinds',
  'spinlocks',
  'keys',
  'once',
  'guards',
  'statics',
  'nodes',
  'variableArrays',
  'orders',
  'wholeRecords',
] as const;

type LibraryFeature = (typeof LIBRARY_FEATURES)[number];

export class LibraryWriter implements Extension {
  readonly #random: Random;
  readonly #writer: StatementWriter;
  readonly #features: ReadonlySet<LibraryFeature>;

  constructor(random: Random, writer: StatementWriter) {
    this.#random = random;
    this.#writer = writer;
    this.#features = new Set(LIBRARY_FEATURES.filter(() => random.chance(1, 3)));
  }

  #has(feature: LibraryFeature): boolean {
    return this.#features.has(feature);
  }

  writeGlobals(): void {
    const writer = this.#writer;
    const place = () => this.#random.pick(writer.places);
    if (this.#has('mutexKinds')) writer.line('pthread_mutex_t special;');
    if (this.#has('spinlocks')) writer.line('pthread_spinlock_t spin;');
    if (this.#has('keys')) {
      writer.line('pthread_key_t key;');
      writer.line(`void drop(void *value) { ${place()} ^= (int)(long)value; }`);
    }
    if (this.#has('once')) {
      writer.line('pthread_once_t once = PTHREAD_ONCE_INIT;');
      writer.line(`void initialise(void) { ${place()} ^= 1; }`);
    }
    if (this.#has('guards'))
      writer.line('void release(pthread_mutex_t **guard) { if (*guard) pthread_mutex_unlock(*guard); }');
    if (this.#has('nodes')) {
      writer.line('struct node { short value; struct node *next; };');
      writer.line('struct node *nodes;');
    }
    if (this.#has('wholeRecords')) {
      writer.line('struct whole { int a; unsigned low : 2; unsigned high : 6; char text[2]; };');
      writer.line('struct whole wholes[2] = { { 1, 2, 3, "x" } };');
      writer.places.push('wholes[0].a', 'wholes[0].low', 'wholes[1].high', 'wholes[1].text[1]');
    }
  }

  writeSetup(): void {
    const { pick } = this.#random;
    const writer = this.#writer;
    if (this.#has('mutexKinds')) {
      writer.line('pthread_mutexattr_t attributes;');
      writer.line('pthread_mutexattr_init(&attributes);');
      const kind = pick(['RECURSIVE', 'RECURSIVE', 'ERRORCHECK', 'NORMAL']);
      writer.line(`pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_${kind});`);
      writer.line('pthread_mutex_init(&special, &attributes);');
    }
    if (this.#has('spinlocks')) writer.line('pthread_spin_init(&spin, 0);');
    if (this.#has('keys')) writer.line(`pthread_key_create(&key, ${pick(['drop', '0'])});`);
  }

  statements(scope: Scope, body: (scope: Scope) => void): (() => void)[] {
    const kinds: (() => void)[] = [];
    const add = (feature: LibraryFeature, write: () => void) => {
      if (this.#has(feature)) kinds.push(write);
    };
    const { line } = this.#writer;
    const inner = { ...scope, result: null };
    if (!scope.isAtomic && scope.depth < 2) {
      add('mutexKinds', () => this.#special(inner, body));
      add('spinlocks', () => {
        line('pthread_spin_lock(&spin);');
        body(inner);
        line('pthread_spin_unlock(&spin);');
      });
      add('guards', () => this.#guard(scope, body));
    }
    if (!scope.isAtomic) {
      add('keys', () => this.#key(scope));
      add('once', () => line('pthread_once(&once, initialise);'));
    }
    add('statics', () => this.#static(scope));
    add('nodes', () => this.#node(scope));
    add('variableArrays', () => this.#variableArray(scope));
    add('orders', () => this.#order(scope));
    add('wholeRecords', () => this.#wholeRecord(scope));
    return kinds;
  }

  #special(scope: Scope, body: (scope: Scope) => void): void {
    const { line, name, target } = this.#writer;
    const result = name('r');
    switch (this.#random.below(4)) {
      case 0:
        line(`${target(scope)} = pthread_mutex_unlock(&special) != 0;`);
        break;
      case 1:
        this.#writer.block('if (pthread_mutex_trylock(&special) == 0)', () => {
          body(scope);
          line('pthread_mutex_unlock(&special);');
        });
        break;
      default:
        line('pthread_mutex_lock(&special);');
        this.#writer.block('', () => {
          line(`int ${result} = pthread_mutex_lock(&special);`);
          body(scope);
          line(`if (${result} == 0) pthread_mutex_unlock(&special);`);
        });
        line('pthread_mutex_unlock(&special);');
    }
  }

  /** A lock that is released on every way out. */
  #guard(scope: Scope, body: (scope: Scope) => void): void {
    const { line, condition, block, name } = this.#writer;
    const guard = name('guard');
    block('', () => {
      line(`__attribute__((cleanup(release))) pthread_mutex_t *${guard} = 0;`);
      line('pthread_mutex_lock(&mutex);');
      line(`${guard} = &mutex;`);
      if (scope.result !== null && this.#random.chance(1, 2)) line(`if (${condition(scope)}) ${scope.result}`);
      body(scope);
    });
  }

  #key(scope: Scope): void {
    const { line, value, target } = this.#writer;
    if (this.#random.chance(1, 2)) line(`pthread_setspecific(key, (void *)(long)(${value(scope)} & 3));`);
    else line(`${target(scope)} = (int)(long)pthread_getspecific(key);`);
  }

  #static(scope: Scope): void {
    const { line, value, target, name } = this.#writer;
    const counter = name('s');
    const use = this.#random.pick([`${target(scope)} = ${counter}++;`, `${counter} += ${value(scope)} & 1;`]);
    line(`{ static int ${counter} = ${this.#random.below(2)}; ${use} if (${counter} > 1) ${target(scope)} = 2; }`);
  }

  #node(scope: Scope): void {
    const { line, value, target, name } = this.#writer;
    const n = name('n');
    line(
      this.#random.pick([
        `{ struct node *${n} = malloc(sizeof *${n}); ${n}->value = ${value(scope)}; ${n}->next = nodes; nodes = ${n}; }`,
        `{ struct node *${n} = nodes; if (${n}) ${target(scope)} = ${n}->value; }`,
        `{ struct node *${n} = nodes; if (${n}) nodes = ${n}->next; }`,
        `{ struct node *${n} = nodes; if (${n}) ${n}->value++; }`,
      ]),
    );
  }

  #variableArray(scope: Scope): void {
    const { line, value, target, name } = this.#writer;
    const [n, a] = [name('n'), name('a')];
    line(
      `{ int ${n} = (${value(scope)} & 1) + 1; int ${a}[${n}]; ${a}[${n} - 1] = ${value(scope)}; ${a}[0] = ${n}; ${target(scope)} = ${a}[${n} - 1] + (int)sizeof ${a}; }`,
    );
  }

  /** Several accesses in one statement, each order fixed or without influence. */
  #order(scope: Scope): void {
    const { line, value, target } = this.#writer;
    const [a, b, c] = [value(scope), value(scope), value(scope)];
    const [x, y] = [this.#random.pick(scope.places), this.#random.pick(scope.places)];
    const to = target(scope);
    line(
      this.#random.pick([
        `${to} = ${a} ? ${b} ? ${c} : 1 : ${b} + 2;`,
        `${to} = (${a} || ${b}) && ${c};`,
        `${to} = !${a} ?: ${b};`,
        `${x} += ${a};`,
        `${x} -= ${a} & ${b};`,
        `${x} = ${to} = ${a};`,
        `if ((${x} ^= 1) && ${a} != ${b}) ${y} = ${c};`,
        `while (${x} == 1 && ${a} == 2) { ${x} = 0; }`,
        `switch (${a} & ${b} & 1) { case 1: ${x}++; default: ${to} = ${c}; }`,
        `do { if (${a} == 1) continue; ${to} = ${b}; } while (0);`,
        `${to} = ({ ${x} ^= 1; ${a} + ${b}; });`,
        `for (; ${x} == 2 || ${a} == 3; ${x}++) { ${to} = 1; break; }`,
        `assert(!(${a} == 1 && ${b} == 2 && ${c} == 1));`,
      ]),
    );
  }

  #wholeRecord(scope: Scope): void {
    const { line, value, name } = this.#writer;
    const p = name('w');
    const local = this.#random.pick(scope.locals);
    line(
      this.#random.pick([
        'wholes[0] = wholes[1];',
        `wholes[${local} & 1] = (struct whole){ ${value(scope)}, 1, 2, "y" };`,
        `{ struct whole ${p} = wholes[${local} & 1]; ${p}.high++; wholes[0] = ${p}; }`,
        `{ struct whole *${p} = &wholes[${local} & 1]; ${p}->low += 1; ${p}->text[1] = ${value(scope)} & 1; }`,
      ]),
    );
  }
}
