/**
 * Random single-threaded C programs, by seed, that use many features of C, each in small random variations: bit-fields
 * of all types, unions, records by value, variable arguments, pointers to pointers, side effects in operands that are
 * sequenced, falling through cases, jumps, narrow compound assignments, floating point. Beside random-c.ts, which goes
 * deep on few features.
 *
 * How it stays defined: every block computes on its own variables, from constants and from the checksum cut to few
 * bits; arithmetic that could overflow is unsigned; shifts and indexes are masked.
 */

import { createRandom, type Random } from '../../src/support/random.ts';

export interface RandomFeaturesOptions {
  readonly seed: number;
  /** How many blocks there are. */
  readonly size?: number;
}

const INTEGERS = [
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '_Bool',
] as const;
const NARROW = ['char', 'signed char', 'unsigned char', 'short', 'unsigned short'] as const;

const HEAD = `#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static unsigned long long checksum = 1;
static void mix(unsigned long long x) { checksum = checksum * 6364136223846793005ULL + x + 1; }
static int few(int bits) { return (int)(checksum >> 20) & ((1 << bits) - 1); }
static int note(int x) { mix((unsigned)x); return x; }
`;

/** The text of a program. The same options give the same text. */
export function randomFeatures({ seed, size = 12 }: RandomFeaturesOptions): string {
  const random = createRandom(seed);
  const functions: string[] = [];
  const calls: string[] = [];
  for (let at = 0; at < size; at++) {
    functions.push(random.pick(BLOCKS)(random, `block${at}`));
    calls.push(`  block${at}(); printf("${at} %llu\\n", checksum);`);
  }
  return `${HEAD}${functions.join('')}int main(void) {\n${calls.join('\n')}\n  return 0;\n}\n`;
}

type Block = (random: Random, name: string) => string;

const many = <T>(random: Random, least: number, most: number, make: (index: number) => T): T[] =>
  Array.from({ length: least + random.below(most - least + 1) }, (_, index) => make(index));

const number = (random: Random) => String(random.pick([0, 1, 2, 3, 5, 7, 31, 100, 127, 128, 255, 256, 32767, 65535]));

const signed = (random: Random) => `${random.chance(1, 2) ? '-' : ''}${number(random)}`;

const bitFields: Block = (random, name) => {
  const fields = many(random, 2, 7, (i) => {
    const type = random.pick([
      'int',
      'unsigned',
      'signed char',
      'unsigned short',
      'long long',
      '_Bool',
      'unsigned long',
    ]);
    const most = { _Bool: 1, 'signed char': 8, 'unsigned short': 16, int: 32, unsigned: 32 }[type] ?? 32;
    return { type, name: `f${i}`, width: 1 + random.below(most) };
  });
  const members = fields.map(({ type, name: field, width }) =>
    random.chance(1, 6) ? `${type} ${field}; unsigned : 0;` : `${type} ${field} : ${width};`,
  );
  const uses = many(random, 3, 8, () => {
    const { name: field } = random.pick(fields);
    const other = random.pick(fields).name;
    return random.pick([
      `s.${field} = ${signed(random)}; mix(s.${field});`,
      `mix(s.${field} = (unsigned)s.${other} + ${number(random)}u);`,
      `s.${field} ^= few(5); mix((unsigned long long)s.${field});`,
      `mix(s.${field}++ > s.${other}); mix(s.${field});`,
      `s.${field} |= (s.${other} & ${number(random)}); mix(s.${field} < ${signed(random)});`,
      `mix(-s.${field} < 0); mix(s.${field} == s.${other} ? 3 : (unsigned)s.${field});`,
    ]);
  });
  return `struct ${name}_t { ${members.join(' ')} };
static void ${name}(void) {
  struct ${name}_t s = { ${fields.map(() => number(random)).join(', ')} };
  struct ${name}_t t;
  ${uses.join('\n  ')}
  t = s;
  ${fields.map(({ name: field }) => `mix(t.${field});`).join(' ')}
  mix(sizeof(struct ${name}_t));
}
`;
};

const unions: Block = (random, name) => {
  const type = random.pick(['unsigned', 'unsigned long long', 'float', 'double']);
  const value = /float|double/.test(type)
    ? `${random.below(1000)}.${random.pick(['5', '25', '0'])}`
    : `few(20) * 2654435761u`;
  return `union ${name}_u { ${type} whole; unsigned char bytes[8]; unsigned short halves[4]; struct { signed char a, b; short c; } parts; };
static void ${name}(void) {
  union ${name}_u u, v;
  memset(&u, ${random.below(256)}, sizeof u);
  u.whole = ${value};
  u.bytes[${random.below(4)}] ^= few(3);
  mix(u.halves[${random.below(2)}]); mix(u.parts.${random.pick(['a', 'b', 'c'])});
  v = u;
  v.parts.${random.pick(['a', 'b'])}--;
  for (int i = 0; i < 4; i++) mix(v.bytes[i]);
}
`;
};

const records: Block = (random, name) => {
  const types = many(random, 2, 6, () => random.pick(INTEGERS));
  const members = types.map((type, i) => `${type} m${i};`).join(' ');
  const pick = () => `m${random.below(types.length)}`;
  return `struct ${name}_r { ${members} int tail[${1 + random.below(5)}]; };
static struct ${name}_r ${name}_change(struct ${name}_r r, int by) {
  r.${pick()} += by; r.tail[0] = r.${pick()} & 15; r.${pick()} = r.tail[0] * 3;
  return by > 0 ? ${name}_change(r, by - 1) : r;
}
static void ${name}(void) {
  struct ${name}_r a = { .tail = { ${number(random)} }, .${pick()} = few(6) }, b[2] = { [1] = { ${number(random)} } }, *p = &b[1];
  b[few(1)] = ${name}_change(a, ${random.below(4)});
  *p = few(1) ? a : b[0];
  mix(${name}_change(*p, 2).${pick()});
  ${types.map((_, i) => `mix(b[0].m${i}); mix(p->m${i});`).join(' ')}
  mix(p->tail[0]); mix(offsetof(struct ${name}_r, tail)); mix(sizeof b);
  mix((struct ${name}_r){ ${number(random)} }.m0);
}
`;
};

const variable: Block = (random, name) => {
  const args = many(random, 1, 5, () =>
    random.pick([
      ['i', `few(7) - ${number(random)}`],
      ['i', `(short)${signed(random)}`],
      ['u', `${number(random)}u`],
      ['l', `${number(random)}LL << few(4)`],
      ['d', `${random.below(50)}.5 * few(3)`],
      ['d', `${random.below(9)}.25f`],
      ['s', '"ab" + few(1)'],
    ]),
  );
  return `static void ${name}_list(const char *kinds, va_list list) {
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': mix(va_arg(list, int)); break;
    case 'u': mix(va_arg(list, unsigned)); break;
    case 'l': mix(va_arg(list, long long)); break;
    case 'd': mix((unsigned long long)(va_arg(list, double) * 4)); break;
    default: mix(va_arg(list, char *)[0]);
  }
}
static void ${name}_all(const char *kinds, ...) {
  va_list list, again;
  va_start(list, kinds); va_copy(again, list);
  ${name}_list(kinds, list); ${name}_list(kinds, again);
  va_end(list); va_end(again);
}
static void ${name}(void) { ${name}_all("${args.map(([kind]) => kind).join('')}", ${args.map(([, text]) => text).join(', ')}); }
`;
};

const pointers: Block = (random, name) => {
  const type = random.pick(INTEGERS);
  const steps = many(random, 3, 8, () =>
    random.pick([
      `p = a + few(2); mix(*p++); mix(p - a);`,
      `pp = few(1) ? &p : &q; **pp = few(5); mix(*pp - a);`,
      `*pp = &a[few(2)]; mix(**pp);`,
      `ppp = &pp; ***ppp = ${number(random)}; mix(*p);`,
      `q = &(*pp)[few(1)]; mix(q[0] + (unsigned)q[1]);`,
      `mix(p < q); mix(p == q); mix((char *)q - (char *)a);`,
      `mix(*(a + few(2)) = *p); mix(2[a]);`,
      `mix(matrix[few(1)][few(1)]); (*(matrix + few(1)))[1] = few(4); row = &matrix[few(1)]; mix((*row)[1]);`,
      `{ ${type} *order[3] = { p, q, a }; mix(*order[few(1)]); *order[few(1) + 1] = 9; }`,
      `if (p > a) mix(*--p); mix((size_t)(p - a));`,
    ]),
  );
  return `static void ${name}(void) {
  ${type} a[8] = { 1, 2, 3, ${number(random)} }, matrix[2][2] = { { 1 }, { 2, 3 } };
  ${type} *p = a, *q = a + 3, **pp = &p, ***ppp = &pp, (*row)[2] = matrix;
  ${steps.join('\n  ')}
  for (int i = 0; i < 8; i++) mix(a[i]);
  mix(row[0][0] + ***ppp);
}
`;
};

const sideEffects: Block = (random, name) => {
  const condition = (depth: number): string => {
    if (depth === 0)
      return random.pick([
        `note(x ${random.pick(['<', '>', '!='])} y)`,
        'x++ > y',
        '--y',
        '(x += 2, x & 4)',
        'note(z)',
        '!note(x & 1)',
      ]);
    const [left, right] = [condition(depth - 1), condition(depth - 1)];
    return random.pick([
      `(${left} && ${right})`,
      `(${left} || ${right})`,
      `(${left} ? ${right} : note(3))`,
      `(${left}, ${right})`,
    ]);
  };
  const steps = many(random, 2, 6, () =>
    random.pick([
      `mix(${condition(2)});`,
      `if (${condition(2)}) mix(x); else mix(y);`,
      `for (int i = 0, j = few(3); i < j && ${condition(1)}; i++, j -= few(1)) mix(i * 8 + j);`,
      `x = (y = note(few(4)), y + (z = 2)); mix(x + z);`,
      `z = ${condition(1)} ?: 7; mix(z);`,
      `mix(({ int t = x; t *= 3; t + ${condition(1)}; }));`,
      `{ static int kept; kept += x & 3; mix(kept); }`,
    ]),
  );
  return `static void ${name}(void) {
  int x = few(4), y = few(3), z = ${number(random)};
  ${steps.join('\n  ')}
  mix(x); mix(y); mix(z);
}
`;
};

const switches: Block = (random, name) => {
  const cases = many(random, 3, 8, (i) => {
    const label = random.pick([
      `case ${i}:`,
      `case ${i}: case ${20 + i}:`,
      `case ${40 + 3 * i} ... ${42 + 3 * i}:`,
      `default_${name}_${i}: case ${-1 - i}:`,
    ]);
    const end = random.pick(['break;', '', 'continue;', `if (x & 1) break;`, `if (turns < 3) goto top;`]);
    return `      ${label} mix(${i}); x += ${number(random)}; ${end}`;
  });
  if (random.chance(1, 2)) cases.splice(random.below(cases.length), 0, '      default: mix(99);');
  const type = random.pick(['int', 'signed char', 'unsigned short', 'long long', 'unsigned char']);
  return `static void ${name}(void) {
  int turns = 0; unsigned x = few(6);
top:
  turns++;
  for (int i = 0; i < 6; i++) {
    switch ((${type})(i * ${1 + random.below(9)} - ${random.below(12)} + (int)(x & 1))) {
${cases.join('\n')}
    }
    mix(x & 0xff);
  }
}
`;
};

const compounds: Block = (random, name) => {
  const steps = many(random, 4, 10, () => {
    const operator = random.pick(['+=', '-=', '*=', '&=', '|=', '^=']);
    const target = random.pick(['a', 'b', 'c', 'd[1]', 'd[few(2)]', '(*p)']);
    return random.pick([
      `${target} ${operator} ${random.pick(['few(5)', '(char)few(8)', `${number(random)}u`, 'a', 'c'])};`,
      `${target} <<= few(2); mix(${target.includes('few') ? 'c' : target});`,
      `${target} >>= few(3);`,
      `${target} /= few(3) + 1; ${target.includes('few') ? '' : `mix(${target});`}`,
      `${target} %= few(3) + 2;`,
      `mix(${target.includes('few') ? 'a' : target}++); mix(--b);`,
      `e ${operator.replace(/[&|^]=/, '+=')} few(4); mix((long long)(e * 4) & 0xffff);`,
      `a = b = c = (signed char)(${signed(random)}); mix(a); mix(c);`,
      `c += 0.5 * few(3); mix(c);`,
      `mix(p++ == d); p--;`,
    ]);
  });
  return `static void ${name}(void) {
  ${random.pick(NARROW)} a = few(6), b = ${number(random).slice(0, 2)}; ${random.pick(NARROW)} c = 5;
  unsigned ${random.pick(['char', 'short', 'int'])} d[4] = { 1, 2, 3, 4 }, *p = &d[2];
  ${random.pick(['float', 'double'])} e = 1.5;
  ${steps.join('\n  ')}
  mix(a); mix(b); mix(c); mix(d[0] + d[1]); mix(*p);
}
`;
};

const floats: Block = (random, name) => {
  const [type, other] = [random.pick(['float', 'double']), random.pick(['float', 'double'])];
  const steps = many(random, 3, 8, () =>
    random.pick([
      `x = x * ${random.below(9)}.${random.below(999)}${random.pick(['', 'f'])} - y; show(x);`,
      `y = (${other})(x / (few(4) + 3)); show(y);`,
      `x += few(9) ? y : -y; show(x);`,
      `mix(x < y); mix(x >= y); mix(x == (${type})y); mix(!x); mix(x != x);`,
      `mix((${random.pick(['int', 'long long', 'short', 'unsigned char'])})(few(6) * ${random.below(3)}.75));`,
      `x = ${random.pick(['few(20)', '(unsigned)few(20) * 4096u', '(signed char)few(8)', '(long long)few(20) << 40'])}; show(x);`,
      `y = x == 0 ? 1 : 1 / x; show(y);`,
      `x = x > 1e6 ? x / 1e6 : x * 3; show(x);`,
      `if (x && y > 0) x++; show(x); x = -x; show(x);`,
    ]),
  );
  return `static void ${name}(void) {
  ${type} x = few(8) * 0.25, unused = 0; ${other} y = ${random.below(100)}.1;
  #define show(v) do { double shown = (v); unsigned long long bits; memcpy(&bits, &shown, 8); mix(v == v ? bits : 7); } while (0)
  ${steps.join('\n  ')}
  show(unused);
  #undef show
}
`;
};

const callbacks: Block = (random, name) => {
  const bodies = many(random, 2, 4, () =>
    random.pick([
      'a + 2u * b',
      '(a ^ b) & 0xff',
      'a > b ? a : b',
      'a * b % 97',
      `b ? a / b : ${number(random)}`,
      'few(2) + a',
    ]),
  );
  const last = bodies.length - 1;
  return `${bodies.map((body, i) => `static unsigned ${name}_f${i}(unsigned a, unsigned b) { return ${body}; }\n`).join('')}
static unsigned (*const ${name}_table[])(unsigned, unsigned) = { ${bodies.map((_, i) => `${random.chance(1, 2) ? '&' : ''}${name}_f${i}`).join(', ')} };
static unsigned ${name}_fold(unsigned (*f)(unsigned, unsigned), const unsigned char *p, size_t n) {
  return n == 0 ? 1 : f(${name}_fold(f, p + 1, n - 1), *p);
}
static void ${name}(void) {
  unsigned char data[] = "x${random.below(1000)}\\0\\377";
  for (size_t i = 0; i < sizeof ${name}_table / sizeof *${name}_table; i++) mix(${name}_fold(${name}_table[i], data, sizeof data));
  unsigned (*chosen)(unsigned, unsigned) = few(1) ? ${name}_f0 : ${name}_table[${last}];
  mix((*chosen)(few(5), few(4))); mix(chosen == ${name}_f0);
}
`;
};

const BLOCKS: readonly Block[] = [
  bitFields,
  unions,
  records,
  variable,
  pointers,
  sideEffects,
  switches,
  compounds,
  floats,
  callbacks,
];
