// Random concurrent C programs that are about values, by seed: integers of all widths and signs, bit-fields,
// conversions between them, shifts, division, arrays (small and large) with symbolic indexes, pointers, members, locks,
// atomic operations, arguments of threads, loops and guarded counters. Everything is defined behaviour on the machine's
// terms: indexes are cut to the array, divisors are never zero.

import { createRandom, type Random } from '../../src/support/random.ts';

const TYPES = [
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'long long',
  'unsigned long long',
  '_Bool',
] as const;

const PREFIX = `#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void __VERIFIER_assume(int);
struct bits { unsigned low : 3; int middle : 5; unsigned long long high : 20; signed char whole; };
struct row { short key; unsigned char mark; int value; };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int atomic;
struct bits bits, other = { 5, -3, 70000, -7 };
struct row rows[3] = { { 1, 2, 3 } }, many[200];
`;

/**
 * The text of a program, with at most so many statements at the start of a function's body. The same seed gives the
 * same text.
 */
export function randomValues(seed: number, most = Number.POSITIVE_INFINITY): string {
  return new ValuesWriter(createRandom(seed), most).program();
}

class ValuesWriter {
  readonly #random: Random;
  readonly #lines: string[] = [];
  readonly #globals: string[] = [];
  readonly #arrays: { readonly name: string; readonly length: number }[] = [];
  #locals: string[] = [];
  #names = 0;

  readonly #most: number;

  constructor(random: Random, most: number) {
    this.#random = random;
    this.#most = most;
  }

  program(): string {
    const { below, pick } = this.#random;
    for (let n = 2 + below(4); n > 0; n--) {
      const name = `g${this.#names++}`;
      this.#lines.push(`${pick(TYPES)} ${name} = ${this.#constant()};`);
      this.#globals.push(name);
    }
    for (const length of [2 + below(5), 70 + below(60)]) {
      const name = `a${this.#names++}`;
      this.#lines.push(`${pick(TYPES)} ${name}[${length}] = { ${this.#constant()}, ${this.#constant()} };`);
      this.#arrays.push({ name, length });
    }
    this.#lines.push(`int cell, *pointer = &cell;`);
    const threads = 1 + below(2);
    for (let t = 0; t < threads; t++) this.#thread(t);
    this.#main(threads);
    return `${PREFIX}${this.#lines.join('\n')}\n`;
  }

  #thread(number: number): void {
    this.#locals = ['argument'];
    this.#lines.push(`void *run${number}(void *given) {`, '  long argument = (long)given;');
    this.#statements(4 + this.#random.below(5));
    this.#lines.push('  return given;', '}');
  }

  #main(threads: number): void {
    this.#locals = [];
    this.#lines.push('int main(void) {', '  pthread_t t[3];');
    this.#statements(this.#random.below(3));
    for (let t = 0; t < 1 + this.#random.below(2); t++) {
      const start = `run${t % threads}`;
      this.#lines.push(`  pthread_create(&t[${t}], 0, ${start}, (void *)(long)${this.#random.below(9) - 4});`);
    }
    this.#statements(3 + this.#random.below(4));
    this.#lines.push('  return 0;', '}');
  }

  #statements(count: number): void {
    for (let n = Math.min(count, this.#most); n > 0; n--) this.#statement();
  }

  #statement(): void {
    const { below, pick } = this.#random;
    const target = this.#place();
    const index = below(3);
    const known = this.#locals.length;
    switch (below(12)) {
      case 0: {
        const name = `v${this.#names++}`;
        this.#lines.push(`  ${pick(TYPES)} ${name} = ${this.#expression(2)};`);
        this.#locals.push(name);
        return;
      }
      case 1:
        this.#lines.push(`  ${target} ${pick(['+=', '-=', '^=', '|=', '&=', '*='])} ${this.#expression(1)};`);
        return;
      case 2:
        this.#lines.push(`  if (${this.#condition()}) {`);
        this.#statements(1 + below(2));
        this.#locals.length = known;
        this.#lines.push('  }');
        return;
      case 3:
        this.#lines.push(`  for (int i${this.#names} = 0; i${this.#names} < ${2 + below(12)}; i${this.#names}++) {`);
        this.#locals.push(`i${this.#names++}`);
        this.#lines.push(`    ${this.#place()} = ${this.#expression(2)};`, '  }');
        this.#locals.length = known;
        return;
      case 4: {
        const name = `o${this.#names++}`;
        const step = 1 + below(3);
        this.#lines.push(`  for (int k = 0; k < ${5 + below(30)}; k++) {`);
        this.#lines.push(`    int ${name} = cell; if (${name} < ${below(60)}) cell = ${name} + ${step};`, '  }');
        return;
      }
      case 5:
        this.#lines.push(`  pthread_mutex_lock(&mutex);`, `  ${target} = ${this.#expression(2)};`);
        this.#lines.push(`  ${target}${pick(['++', '--'])};`, '  pthread_mutex_unlock(&mutex);');
        return;
      case 6:
        this.#lines.push(
          `  ${pick(['atomic_fetch_add', 'atomic_fetch_or', 'atomic_exchange'])}(&atomic, ${this.#expression(1)});`,
        );
        return;
      case 7:
        this.#lines.push(`  pointer = ${pick(['&cell', '&rows[1].value', `&rows[${index}].value`])};`);
        return;
      case 8:
        this.#lines.push(`  *pointer = ${this.#expression(1)};`);
        return;
      case 9:
        this.#lines.push(
          `  ${pick(['bits = other;', 'other = bits;', `rows[${index}] = rows[1];`, 'many[4] = rows[0];'])}`,
        );
        return;
      default:
        this.#lines.push(`  ${target} = ${this.#expression(2)};`);
    }
  }

  // -------------------------------------------------------------- expressions

  #constant(): string {
    const { below, pick } = this.#random;
    return pick([`${below(10)}`, `-${below(5)}`, '127', '255', '-128', '65535', '0x7fffffff', `${below(100_000)}`]);
  }

  #index(length: number): string {
    return `(unsigned)(${this.#expression(0)}) % ${length}u`;
  }

  #place(): string {
    const { pick, chance } = this.#random;
    if (chance(1, 4)) {
      const { name, length } = pick(this.#arrays);
      return `${name}[${this.#index(length)}]`;
    }
    if (chance(1, 4)) {
      const row = chance(1, 2) ? `rows[${this.#index(3)}]` : `many[${this.#index(200)}]`;
      return `${row}.${pick(['key', 'mark', 'value'])}`;
    }
    if (chance(1, 5)) return `${pick(['bits', 'other'])}.${pick(['low', 'middle', 'high', 'whole'])}`;
    const locals = this.#locals.filter((name) => name.startsWith('v'));
    return locals.length > 0 && chance(1, 3) ? pick(locals) : pick([...this.#globals, 'cell']);
  }

  #value(): string {
    const { pick, chance } = this.#random;
    if (chance(1, 4)) return this.#constant();
    if (chance(1, 6)) return pick(['atomic', '*pointer']);
    if (chance(1, 8)) {
      const type = pick(['int', 'uchar', 'short', 'ulonglong']);
      return `__VERIFIER_nondet_${type}()`;
    }
    return this.#locals.length > 0 && chance(1, 3) ? pick(this.#locals) : this.#place2();
  }

  /** A place that is found without more symbolic indexes, so that expressions stay small. */
  #place2(): string {
    const { pick, below } = this.#random;
    const { name, length } = pick(this.#arrays);
    const places = [...this.#globals, 'cell', 'bits.middle', 'other.high', 'rows[1].key', 'many[7].value'];
    return pick([...places, `${name}[${below(length)}]`]);
  }

  #expression(depth: number): string {
    const { below, pick, chance } = this.#random;
    if (depth === 0 || chance(1, 5)) return this.#value();
    const [a, b] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    switch (below(8)) {
      case 0:
        return `(${pick(TYPES)})(${a})`;
      case 1:
        return `(${a}) / ${pick(['3', '7u', '-5', '16'])}`;
      case 2:
        return `(${a}) % ${pick(['3', '10u', '-4', '1000'])}`;
      case 3:
        return `(${a}) >> ${below(8)}`;
      case 4:
        return `(unsigned)(${a}) << ${below(8)}`;
      case 5:
        return `(${this.#condition()} ? ${a} : ${b})`;
      default:
        return `(${a}) ${pick(['+', '-', '*', '&', '|', '^'])} (${b})`;
    }
  }

  #condition(): string {
    const { pick, chance } = this.#random;
    const one = `${this.#value()} ${pick(['<', '<=', '==', '!=', '>', '>='])} ${this.#value()}`;
    return chance(1, 3) ? `${one} ${pick(['&&', '||'])} ${this.#value()} < ${this.#constant()}` : one;
  }
}
