// More statements of small random concurrent programs (random-threads.ts): copies by bytes, allocations that grow,
// pointers that count, numbers of 64 bits and of 8, shifts, loops in loops, compare-and-exchange in loops, flags,
// records with functions, arrays of arrays, texts.

import type { Random } from '../../src/support/random.ts';
import type { Extension, Scope, StatementWriter } from './random-thread-statements.ts';

const BYTE_FEATURES = [
  'copies',
  'growth',
  'counting',
  'wide',
  'shifts',
  'nestedLoops',
  'exchanges',
  'methods',
  'grids',
  'texts',
] as const;

type ByteFeature = (typeof BYTE_FEATURES)[number];

export class ByteWriter implements Extension {
  readonly #random: Random;
  readonly #writer: StatementWriter;
  readonly #features: ReadonlySet<ByteFeature>;

  constructor(random: Random, writer: StatementWriter) {
    this.#random = random;
    this.#writer = writer;
    this.#features = new Set(BYTE_FEATURES.filter(() => random.chance(2, 5)));
  }

  #has(feature: ByteFeature): boolean {
    return this.#features.has(feature);
  }

  writeGlobals(): void {
    const { line, places } = this.#writer;
    const place = this.#random.pick(places);
    if (this.#has('copies')) {
      line('struct packet { unsigned char kind; unsigned bits : 4; signed char count; };');
      line('struct packet packet = { 1, 2, -1 }, stored;');
      places.push('packet.kind', 'packet.bits', 'stored.count', 'stored.bits');
    }
    if (this.#has('growth')) line('short *grown;');
    if (this.#has('counting')) {
      line('int row[3] = { 2, 1 };');
      places.push('row[1]', 'row[2]');
    }
    if (this.#has('wide')) {
      line(`long long wide = ${this.#random.pick(['-1', '1', '0x100000000', '0x7fffffffffffffff'])};`);
      line(`unsigned long long huge${this.#random.chance(1, 2) ? ' = 0xfffffffffffffffeull' : ''};`);
      line('signed char tiny = 127;');
      places.push('tiny');
    }
    if (this.#has('grids')) {
      line('struct grid { unsigned char cells[2][2]; short size; };');
      line('struct grid grid = { { { 1 }, { 2, 3 } }, 2 }, saved_grid;');
      places.push('grid.cells[1][0]', 'saved_grid.size');
    }
    if (this.#has('texts')) line('char text[4] = "ab";');
    if (this.#has('exchanges')) line('atomic_int ticket; atomic_flag busy = ATOMIC_FLAG_INIT;');
    if (this.#has('methods')) {
      line('struct object { int state; int (*method)(struct object *, int); };');
      line('static int add_to(struct object *object, int a) { object->state += a; return object->state; }');
      line(`static int put_in(struct object *object, int a) { object->state = a; return ${place}; }`);
      line('struct object object = { 1, add_to }, another = { 0, put_in };');
      places.push('object.state');
    }
  }

  writeSetup(): void {
    if (this.#has('growth') && this.#random.chance(1, 2)) this.#writer.line('grown = calloc(1, sizeof *grown);');
  }

  statements(scope: Scope): (() => void)[] {
    const kinds: (() => void)[] = [];
    const add = (feature: ByteFeature, texts: () => readonly string[]) => {
      if (this.#has(feature)) kinds.push(() => this.#writer.line(this.#random.pick(texts())));
    };
    add('copies', () => this.#copies(scope));
    add('growth', () => this.#growth(scope));
    add('counting', () => this.#counting(scope));
    add('wide', () => this.#wide(scope));
    add('shifts', () => this.#shifts(scope));
    add('exchanges', () => this.#exchanges(scope));
    add('methods', () => this.#methods(scope));
    add('grids', () => this.#grids(scope));
    add('texts', () => this.#texts(scope));
    if (scope.loopDepth === 0) add('nestedLoops', () => this.#nestedLoops(scope));
    return kinds;
  }

  #copies(scope: Scope): string[] {
    const { value, target, name } = this.#writer;
    const p = name('p');
    return [
      'memcpy(&stored, &packet, sizeof packet);',
      `memset(&packet, ${this.#random.pick(['0', '1', '255'])}, sizeof packet);`,
      'memmove((char *)&packet + 1, &packet, 2);',
      `${target(scope)} = memcmp(&stored, &packet, sizeof packet) == 0;`,
      `{ struct packet ${p} = packet; ${p}.bits += ${value(scope)}; memcpy(&packet, &${p}, sizeof ${p}); }`,
      `{ unsigned char ${p}[sizeof packet]; memcpy(${p}, &packet, sizeof ${p}); ${target(scope)} = ${p}[1]; }`,
      `stored = *(struct packet *)(void *)&packet;`,
    ];
  }

  /** Uses of what is freed meanwhile are violations; so is what lies behind the end. */
  #growth(scope: Scope): string[] {
    const { value, target, name } = this.#writer;
    const g = name('g');
    const grow = `short *${g} = realloc(grown, 2 * sizeof *${g}); ${g}[0] = ${value(scope)}; ${g}[1] = 1; grown = ${g};`;
    return [
      `{ ${grow} }`,
      `pthread_mutex_lock(&mutex); { ${grow} } pthread_mutex_unlock(&mutex);`.replaceAll(
        /pthread_mutex_\w+\(&mutex\); ?/g,
        (call) => (scope.isAtomic ? '' : call),
      ),
      `if (grown) ${target(scope)} = grown[0];`,
      `if (grown) grown[${this.#random.pick(['0', '1', `${this.#random.pick(scope.locals)} & 1`])}] = 2;`,
      `{ short *${g} = grown; grown = 0; free(${g}); }`,
    ];
  }

  #counting(scope: Scope): string[] {
    const { value, target, name } = this.#writer;
    const p = name('p');
    const local = this.#random.pick(scope.locals);
    return [
      `{ int *${p} = row + (${local} & 1); ${p}++; *${p} = ${value(scope)}; ${target(scope)} = ${p}[-1]; }`,
      `for (int *${p} = row; ${p} < row + 2; ${p}++) *${p} += 1;`,
      `{ int *${p} = &row[2]; ${target(scope)} = (int)(${p} - row) + *--${p}; }`,
      `{ int *${p} = &row[${value(scope)} & 1]; if (${p} > row) ${target(scope)} = *${p}; else ${p}[1]--; }`,
      `*(row + (${value(scope)} & 1)) = ${local};`,
      `row[${value(scope)} & 3] = 1;`,
    ];
  }

  #wide(scope: Scope): string[] {
    const { value, target } = this.#writer;
    const [a, b] = [value(scope), value(scope)];
    return [
      `wide = (long long)(${a}) * 4294967296;`,
      `wide += ${a}; if (wide < 0) ${target(scope)} = 1;`,
      `${target(scope)} = (int)(wide >> 32) & 7;`,
      `huge -= ${a} & 3; ${target(scope)} = huge > 5;`,
      `huge = (unsigned)(${a}) * 3000000000u; ${target(scope)} = huge % 7;`,
      `${target(scope)} = (unsigned long long)(${a}) < huge;`,
      `tiny = (signed char)(${a} * 100); ${target(scope)} = (unsigned char)tiny >> 6;`,
      `tiny++; ${target(scope)} = tiny < 0;`,
      `${target(scope)} = -(${a}) / 2 + (${b}) % -3;`,
      `${target(scope)} = (unsigned short)(${a} - 1) > 9;`,
      `${target(scope)} = (int)((unsigned)(${a}) - ${b} > 3u);`,
    ];
  }

  #shifts(scope: Scope): string[] {
    const { value, target } = this.#writer;
    const a = value(scope);
    return [
      `${target(scope)} = 1 << (${a} & 7);`,
      `${target(scope)} = ${a} << ${this.#random.pick(['1', '3', `(${this.#random.pick(scope.locals)} & 1)`])};`,
      `${target(scope)} = (${a} - 2) >> 1;`,
      `${target(scope)} = 3u >> (${a} & 1);`,
      `${target(scope)} = 1 << ${a};`,
      `${target(scope)} ^= (${a} >> 1) & ~(1 << 1);`,
    ];
  }

  #nestedLoops(scope: Scope): string[] {
    const { condition, target, name } = this.#writer;
    const [i, j] = [name('i'), name('j')];
    const leave = this.#random.pick(['break', 'continue']);
    return [
      `for (int ${i} = 0; ${i} < 2; ${i}++) for (int ${j} = 0; ${j} < 2; ${j}++) { if (${condition(scope)}) ${leave}; ${target(scope)} = 2 * ${i} + ${j}; }`,
      `for (int ${i} = 0; ${i} < 2; ${i}++) { int ${j} = 2; while (${j}-- > 0) { if (${condition(scope)}) ${leave}; ${target(scope)} ^= ${j}; } if (${condition(scope)}) ${leave}; }`,
      `for (int ${i} = 0; ${i} < 2; ${i}++) switch (${i}) { case 0: if (${condition(scope)}) ${leave}; default: ${target(scope)}++; }`,
    ];
  }

  #exchanges(scope: Scope): string[] {
    const { value, target, name } = this.#writer;
    const [e, i] = [name('e'), name('i')];
    return [
      `{ int ${e} = atomic_load(&ticket); for (int ${i} = 0; ${i} < 2 && !atomic_compare_exchange_weak(&ticket, &${e}, ${e} + 1); ${i}++) ; }`,
      `{ int ${e} = ${this.#random.below(2)}; ${target(scope)} = atomic_compare_exchange_weak(&ticket, &${e}, ${value(scope)}) + ${e}; }`,
      `{ int ${e} = ticket; while (!atomic_compare_exchange_strong(&ticket, &${e}, ${e} + 1)) ; ${target(scope)} = ${e}; }`,
      `if (!atomic_flag_test_and_set(&busy)) { ${target(scope)} ^= 1; atomic_flag_clear(&busy); }`,
      `${target(scope)} = ticket++;`,
      `ticket ^= ${value(scope)};`,
    ];
  }

  #methods(scope: Scope): string[] {
    const { value, target, name } = this.#writer;
    const o = name('o');
    return [
      `${target(scope)} = object.method(&object, ${value(scope)});`,
      `object.method = ${this.#random.pick(['add_to', 'put_in', 'another.method'])};`,
      `{ struct object *${o} = ${value(scope)} ? &object : &another; ${target(scope)} = ${o}->method(${o}, 1); }`,
      `another = object;`,
      `{ struct object *${o} = &(struct object){ ${value(scope)}, put_in }; ${o}->method(${o}, 2); ${target(scope)} = ${o}->state; }`,
    ];
  }

  #grids(scope: Scope): string[] {
    const { value, target, name } = this.#writer;
    const r = name('r');
    const local = this.#random.pick(scope.locals);
    return [
      `grid.cells[${local} & 1][${value(scope)} & 1] = ${value(scope)};`,
      `${target(scope)} = grid.cells[${value(scope)} & 1][1];`,
      `{ unsigned char (*${r})[2] = &grid.cells[${local} & 1]; (*${r})[1]++; ${target(scope)} = *${r}[0]; }`,
      'saved_grid = grid;',
      `{ struct grid ${r} = grid; ${r}.cells[0][${value(scope)} & 1] = 7; grid = ${r}; }`,
      `for (int ${r} = 0; ${r} < grid.size && ${r} < 2; ${r}++) grid.cells[${r}][0] += 1;`,
      `grid.cells[1][${value(scope)} & 3] = 1;`,
    ];
  }

  #texts(scope: Scope): string[] {
    const { value, target } = this.#writer;
    return [
      `strcpy(text, ${this.#random.pick(['"x"', '"yz"', '""'])});`,
      `${target(scope)} = (int)strlen(text);`,
      `${target(scope)} = strcmp(text, "x") == 0;`,
      `text[${value(scope)} & 1] = ${this.#random.pick(["'x'", '0'])};`,
      `${target(scope)} = text[0] - 'a';`,
    ];
  }
}
