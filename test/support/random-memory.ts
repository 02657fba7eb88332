// Random concurrent C programs that are about memory, by seed: records on the heap and lists of them, pointers to
// pointers and to members, unions that are written as one thing and read as another, packed words, floating-point
// numbers, numbers of 64 bits and mixed signs, atomic operations that wrap around, counters under locks and atomic
// sections, loops that run further than widening looks, copies by bytes. Everything is defined behaviour on the
// machine's terms: pointers are tested or always lead somewhere.

import { createRandom, type Random } from '../../src/support/random.ts';

const PREFIX = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long long __VERIFIER_nondet_longlong(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
struct node { int key; struct node *next; unsigned char tag; long long weight; };
struct inner { short a; unsigned b : 5; int c : 9; };
struct outer { struct inner parts[2]; int *where; struct inner last; };
union word { unsigned whole; unsigned char bytes[4]; struct { unsigned short low, high; } halves; float real; };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct node pool[3] = { { 4, 0, 1, -9 } }, *list, *spare = &pool[1];
struct outer outer, backup;
union word word;
int x, y = 5, numbers[5] = { 3, 1, 4, 1, 5 }, *first = &x, *second = &numbers[2], **chosen = &first;
unsigned packed = 0x00030201u, ring[4], head, tail;
long long signed64 = -3;
unsigned long long unsigned64 = 0xfffffffffffffff0ull;
float real = 1.5f;
double precise = -2.0;
_Atomic unsigned char narrow_atomic = 250;
atomic_int wide_atomic;
_Atomic long long long_atomic;
enum state { IDLE, BUSY, DONE = 9 } state;
_Thread_local int own;
`;

/** With at most so many statements in a row. The same seed gives the same text. */
export function randomMemory(seed: number, most = Number.POSITIVE_INFINITY): string {
  return new MemoryWriter(createRandom(seed), most).program();
}

class MemoryWriter {
  readonly #random: Random;
  readonly #lines: string[] = [];
  #names = 0;

  readonly #most: number;

  constructor(random: Random, most: number) {
    this.#random = random;
    this.#most = most;
  }

  program(): string {
    const threads = 1 + this.#random.below(2);
    for (let t = 0; t < threads; t++) {
      this.#lines.push(`void *run${t}(void *given) {`, '  struct node *mine = given;');
      this.#statements(3 + this.#random.below(5));
      this.#lines.push('  return given;', '}');
    }
    this.#lines.push('int main(void) {', '  struct node *mine = &pool[2];', '  pthread_t t[2];');
    this.#statements(this.#random.below(3));
    for (let t = 0; t < 1 + this.#random.below(2); t++) {
      const argument = this.#random.pick(['&pool[0]', '&pool[1]', 'mine']);
      this.#lines.push(`  pthread_create(&t[${t}], 0, run${t % threads}, ${argument});`);
    }
    this.#statements(2 + this.#random.below(4));
    this.#lines.push('  return 0;', '}');
    return `${PREFIX}${this.#lines.join('\n')}\n`;
  }

  #statements(count: number): void {
    for (let n = Math.min(count, this.#most); n > 0; n--) this.#lines.push(`  ${this.#statement(2)}`);
  }

  #statement(depth: number): string {
    const { below, pick, chance } = this.#random;
    if (depth > 0 && chance(1, 6)) return `if (${this.#condition()}) { ${this.#statement(depth - 1)} }`;
    if (depth > 0 && chance(1, 8)) return this.#loop(depth - 1);
    const [value, small] = [this.#value(1), `${below(9) - 3}`];
    return pick([
      () => this.#allocation(value),
      () => `mine->key = ${value}; mine->tag = ${this.#value(0)}; mine->weight = ${this.#value(1)};`,
      () => `if (list) { list->key = ${value}; x = list->tag; }`,
      () => `if (list && list->next) y = list->next->key + ${small};`,
      () => `*first = ${value};`,
      () => `**chosen = ${value}; chosen = ${pick(['&first', '&second'])};`,
      () => `first = ${pick(['&x', '&y', '&numbers[1]', '&mine->key', 'second'])};`,
      () => `second = &numbers[${this.#index(5)}]; *second += ${small};`,
      () => `word.${pick([`whole = ${value}`, `bytes[${this.#index(4)}] = ${value}`, `halves.high = ${value}`])};`,
      () => `packed = (packed & ~0xff00u) | ((unsigned)(${value}) & 0xff) << 8;`,
      () => `packed += 1u << ${8 * below(3)}; x = (packed >> 8) & 0xff;`,
      () => `outer.parts[${this.#index(2)}].${pick(['a', 'b', 'c'])} = ${value};`,
      () => pick(['backup = outer;', 'outer.last = outer.parts[1];', 'memcpy(&backup, &outer, sizeof outer);']),
      () => `outer.where = ${pick(['&x', '&numbers[3]'])}; if (outer.where) *outer.where = ${small};`,
      () => `signed64 = signed64 ${pick(['+', '-', '*', '|', '^'])} (${value});`,
      () => `unsigned64 ${pick(['+=', '-=', '>>=', '^='])} ${below(30)}; signed64 = (long long)unsigned64 / 3;`,
      () => `real = real ${pick(['+', '-', '*'])} ${pick(['0.5f', '3.0f', '(float)x', '__VERIFIER_nondet_float()'])};`,
      () =>
        `precise = real < 2.0f ? (double)${small} : precise + 1.0; y = (int)(precise > 0 && precise < 99 ? precise : 0);`,
      () => `narrow_atomic${pick(['++', '--', ` += ${below(20)}`])};`,
      () => `atomic_${pick(['fetch_add', 'fetch_sub', 'fetch_or', 'fetch_and', 'exchange'])}(&wide_atomic, ${value});`,
      () => this.#exchange(),
      () => `long_atomic = long_atomic + 4000000000ll; x = long_atomic > 0;`,
      () => `pthread_mutex_lock(&mutex); if (y < ${below(12)}) y++; pthread_mutex_unlock(&mutex);`,
      () => `__VERIFIER_atomic_begin(); if (x < ${below(9)}) x = x + 2; else x = 0; __VERIFIER_atomic_end();`,
      () => `ring[head] = ${value}; head = (head + 1) % 4;`,
      () => `if (head != tail) { x = ring[tail]; tail = (tail + 1) & 3; }`,
      () => `if (state == ${pick(['IDLE', 'BUSY'])}) state = ${pick(['BUSY', 'DONE', 'IDLE'])};`,
      () => `own += ${small}; x = own;`,
      () => `list = ${pick(['mine', 'spare', '0', '&pool[0]', 'list ? list->next : 0'])};`,
    ])();
  }

  /** A node on the heap, filled in part or as a whole, before or after others can see it. */
  #allocation(value: string): string {
    const name = `made${this.#names++}`;
    const made = `struct node *${name} = ${this.#random.chance(1, 2) ? 'malloc' : 'calloc(1, sizeof(struct node)); (void)'}(sizeof(struct node));`;
    const fill = `${name}->key = ${value}; ${name}->next = list; ${name}->tag = 7; ${name}->weight = x;`;
    const publish = `list = ${name};`;
    return `{ ${made} if (${name}) { ${this.#random.chance(3, 4) ? fill + publish : publish + fill} } }`;
  }

  #exchange(): string {
    const name = `seen${this.#names++}`;
    return `{ int ${name} = wide_atomic; while (!atomic_compare_exchange_weak(&wide_atomic, &${name}, (${name} + 1) % 6)) ; }`;
  }

  #loop(depth: number): string {
    const name = `i${this.#names++}`;
    const turns = this.#random.pick([2, 3, 20, 40]);
    const body = turns > 3 ? `int old = x; if (old < ${this.#random.below(90)}) x = old + 3;` : this.#statement(depth);
    return `for (int ${name} = 0; ${name} < ${turns}; ${name}++) { ${body} }`;
  }

  // -------------------------------------------------------------- expressions

  #index(length: number): string {
    return `(unsigned)(${this.#value(0)}) % ${length}u`;
  }

  #value(depth: number): string {
    const { below, pick, chance } = this.#random;
    if (depth > 0 && chance(1, 2)) {
      const [a, b] = [this.#value(depth - 1), this.#value(depth - 1)];
      return pick([
        `(${a}) ${pick(['+', '-', '*', '&', '|', '^'])} (${b})`,
        `(${a}) % ${pick(['3', '-4', '10u', '1000ll'])}`,
        `(${a}) / ${pick(['2', '-3', '7u'])}`,
        `(int)(${a}) >> ${below(9)}`,
        `(unsigned)(${a}) << ${below(9)}`,
        `(${pick(['signed char', 'unsigned short', 'long long', 'unsigned'])})(${a})`,
        `(${this.#condition()} ? ${a} : ${b})`,
      ]);
    }
    const places = [
      'x',
      'y',
      '*first',
      '**chosen',
      'numbers[1]',
      'mine->key',
      'mine->tag',
      'word.whole',
      'word.bytes[2]',
    ];
    const others = [
      'word.halves.low',
      '(int)(packed >> 16)',
      'outer.parts[1].c',
      'backup.parts[0].b',
      'ring[1]',
      'own',
    ];
    const wide = ['(int)signed64', 'unsigned64 >> 40', 'wide_atomic', 'narrow_atomic', 'state', 'pool[1].weight'];
    const inputs = ['__VERIFIER_nondet_int()', '__VERIFIER_nondet_uchar()', '(__VERIFIER_nondet_int() & 7)'];
    const constants = ['0', '1', '-1', '255', '-128', '0x7fffffff', `${below(1000)}`];
    return pick(pick([places, places, others, wide, inputs, constants]));
  }

  #condition(): string {
    const { pick } = this.#random;
    const pointers = ['list != 0', 'first == &x', 'first != second', 'mine == spare'];
    return pick([
      `(${this.#value(0)}) ${pick(['<', '<=', '==', '!=', '>', '>='])} (${this.#value(0)})`,
      pick(pointers),
    ]);
  }
}
