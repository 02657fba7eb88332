/**
 * Random single-threaded C programs, by seed, for differential tests: what Lazuli makes of a program must behave as the
 * program. Every program is free of undefined behaviour, ends, and prints a checksum and its global variables.
 *
 * How it stays defined: expressions have no side effects; signed arithmetic is only done on operands so narrow that it
 * cannot overflow, else one operand is made unsigned first; shifts are masked; divisors are made positive and small;
 * indices are masked; pointers always point to a global; functions call only earlier ones; loops count to constants.
 */

import { createRandom, type Random } from '../../src/support/random.ts';
import { createExpressions, type Expressions, type Variable } from './random-c-expressions.ts';

export interface RandomCOptions {
  readonly seed: number;
  /** About how many statements there are. */
  readonly size?: number;
  readonly features?: Partial<RandomCFeatures>;
  /** How a value of type `unsigned long long` is shown; by default a call of printf. */
  readonly show?: (label: string, value: string) => string;
}

export interface RandomCFeatures {
  readonly wideIntegers: boolean;
  readonly structs: boolean;
  readonly bitFields: boolean;
  readonly pointers: boolean;
  readonly arrays: boolean;
  readonly functions: boolean;
  readonly loops: boolean;
  readonly switches: boolean;
  readonly jumps: boolean;
  readonly floats: boolean;
}

const ALL_FEATURES: RandomCFeatures = {
  wideIntegers: true,
  structs: true,
  bitFields: true,
  pointers: true,
  arrays: true,
  functions: true,
  loops: true,
  switches: true,
  jumps: true,
  floats: true,
};

type StatementKind =
  | 'assign'
  | 'compound'
  | 'increment'
  | 'declare'
  | 'mix'
  | 'copy'
  | 'call'
  | 'if'
  | 'block'
  | 'for'
  | 'while'
  | 'switch'
  | 'goto';

const ARRAY_LENGTH = 8;
const LOOP_DEPTH_LIMIT = 2;
const BLOCK_DEPTH_LIMIT = 4;

/** The text of a program. The same options give the same text. */
export function randomC(options: RandomCOptions): string {
  const writer = new ProgramWriter(options);
  return writer.program();
}

class ProgramWriter {
  readonly #random: Random;
  readonly #features: RandomCFeatures;
  readonly #show: (label: string, value: string) => string;
  readonly #expressions: Expressions;
  readonly #lines: string[] = [];
  readonly #globals: Variable[] = [];
  readonly #functions: { readonly name: string; readonly parameters: readonly string[] }[] = [];
  #scope: Variable[] = [];
  #budget: number;
  #indentation = '';
  #names = 0;
  #loopDepth = 0;
  #isMain = false;

  constructor({ seed, size = 40, features = {}, show }: RandomCOptions) {
    this.#random = createRandom(seed);
    this.#features = { ...ALL_FEATURES, ...features };
    this.#show = show ?? ((label, value) => `printf("${label} %llu\\n", ${value});`);
    this.#expressions = createExpressions(this.#random, this.#features);
    this.#budget = size;
  }

  program(): string {
    this.#line('#include <stdio.h>', '');
    this.#line('static unsigned long long checksum;');
    this.#line('static void mix(unsigned long long x) { checksum = checksum * 6364136223846793005ULL + x + 1; }');
    this.#writeGlobals();
    const functions = this.#features.functions ? 1 + this.#random.below(4) : 0;
    const share = Math.ceil(this.#budget / (functions + 1));
    for (let at = 0; at < functions; at++) this.#writeFunction(share);
    this.#writeMain(share);
    return `${this.#lines.join('\n')}\n`;
  }

  // -------------------------------------------------------------- declarations

  #writeGlobals(): void {
    const { structs, bitFields, arrays, pointers, floats } = this.#features;
    for (let n = 3 + this.#random.below(4); n > 0; n--) this.#declareScalar('static ', this.#globals);
    if (floats) {
      this.#line('static double f0 = 1.5;', 'static float f1 = 0.25f;');
      this.#globals.push({ text: 'f0', type: 'double' }, { text: 'f1', type: 'float' });
    }
    if (arrays) {
      const type = this.#expressions.type();
      const values = Array.from({ length: this.#random.below(ARRAY_LENGTH) + 1 }, () =>
        this.#expressions.literal(type),
      );
      const name = this.#name('a');
      this.#line(`static ${type} ${name}[${ARRAY_LENGTH}] = { ${values.join(', ')} };`);
      this.#globals.push({ text: name, type, length: ARRAY_LENGTH });
    }
    if (structs) this.#writeStruct(bitFields);
    if (pointers) this.#writePointers();
    this.#scope = [...this.#globals];
  }

  #writeStruct(hasBitFields: boolean): void {
    const members: string[] = [];
    const [first, second] = [this.#name('s'), this.#name('s')];
    for (let n = 2 + this.#random.below(4); n > 0; n--) {
      const type = this.#expressions.type();
      const name = this.#name('m');
      const isBitField = hasBitFields && this.#random.chance(1, 2) && /^(unsigned )?int$/.test(type);
      members.push(`${type} ${name}${isBitField ? ` : ${1 + this.#random.below(31)}` : ''};`);
      for (const variable of [first, second]) {
        this.#globals.push({ text: `${variable}.${name}`, type, isBitField });
      }
    }
    this.#line(`struct record { ${members.join(' ')} };`, `static struct record ${first}, ${second};`);
    this.#globals.push({ text: first, type: 'struct record' }, { text: second, type: 'struct record' });
  }

  #writePointers(): void {
    const targets = this.#globals.filter(({ type, isBitField }) => !isBitField && type !== 'struct record');
    const seen = new Set<string>();
    for (let n = 1 + this.#random.below(3); n > 0; n--) {
      const { type, text, length } = this.#random.pick(targets);
      const name = this.#name('p');
      this.#line(`static ${type} *${name} = ${length === undefined ? `&${text}` : `&${text}[2]`};`);
      if (seen.has(text)) continue;
      seen.add(text);
      this.#globals.push({ text: `*${name}`, type });
    }
  }

  #declareScalar(storage: string, list: Variable[]): void {
    const type = this.#expressions.type();
    const name = this.#name('v');
    const value = storage === '' ? this.#expressions.value(this.#scope, 2, type) : this.#expressions.literal(type);
    this.#line(`${storage}${type} ${name} = ${value};`);
    list.push({ text: name, type });
  }

  // -------------------------------------------------------------- functions

  #writeFunction(budget: number): void {
    const name = this.#name('function');
    const parameters = Array.from({ length: this.#random.below(4) }, () => this.#expressions.type());
    const names = parameters.map(() => this.#name('x'));
    const list = parameters.map((type, at) => `${type} ${names[at]}`).join(', ');
    const result = this.#expressions.type();
    this.#scope = [...this.#globals, ...parameters.map((type, at) => ({ text: names[at] ?? '', type }))];
    this.#line(`static ${result} ${name}(${list === '' ? 'void' : list}) {`);
    this.#body(budget, () => this.#line(`return ${this.#expressions.value(this.#scope, 3, result)};`));
    this.#functions.push({ name, parameters });
  }

  #writeMain(budget: number): void {
    this.#isMain = true;
    this.#scope = [...this.#globals];
    this.#line('int main(void) {');
    this.#body(budget, () => {
      for (const { text, type, length } of this.#globals) {
        if (type === 'struct record') continue;
        const value = length === undefined ? text : `${text}[${length - 1}]`;
        const exact = /^(double|float)$/.test(type)
          ? `(${value} * 1024 > 1e9 ? 1 : ${value} < 0 ? 2 : ${value} * 1024)`
          : value;
        this.#line(this.#show(text.replace('*', ''), `(unsigned long long)${exact}`));
      }
      this.#line(this.#show('checksum', 'checksum'), 'return 0;');
    });
  }

  #body(budget: number, end: () => void): void {
    const outer = this.#indentation;
    this.#indentation = `${outer}  `;
    this.#budget = budget;
    while (this.#budget > 0) this.#statement(0);
    end();
    this.#indentation = outer;
    this.#line('}');
  }

  // -------------------------------------------------------------- statements

  #statement(depth: number): void {
    this.#budget--;
    const { loops, switches, jumps, functions, structs } = this.#features;
    const kinds: StatementKind[] = ['assign', 'assign', 'assign', 'compound', 'increment', 'declare', 'mix'];
    if (depth < BLOCK_DEPTH_LIMIT) {
      kinds.push('if', 'if', 'block');
      if (loops && this.#loopDepth < LOOP_DEPTH_LIMIT) kinds.push('for', 'while');
      if (switches) kinds.push('switch');
      if (jumps) kinds.push('goto');
    }
    if (functions && this.#functions.length > 0 && (this.#isMain || this.#loopDepth === 0)) kinds.push('call');
    if (structs) kinds.push('copy');
    this.#write(this.#random.pick(kinds), depth);
  }

  #write(kind: StatementKind, depth: number): void {
    const e = this.#expressions;
    const writers: Readonly<Record<StatementKind, () => void>> = {
      assign: () => this.#line(e.assignment(this.#scope)),
      compound: () => this.#line(e.compoundAssignment(this.#scope)),
      increment: () => this.#line(e.increment(this.#scope)),
      declare: () => this.#declareScalar('', this.#scope),
      mix: () => this.#line(`mix(${e.any(this.#scope, 3)});`),
      copy: () => this.#copyStruct(),
      call: () => this.#call(),
      if: () => this.#if(depth),
      block: () => this.#block('{', depth, '}'),
      for: () => this.#for(depth),
      while: () => this.#while(depth),
      switch: () => this.#switch(depth),
      goto: () => this.#goto(depth),
    };
    writers[kind]();
  }

  #for(depth: number): void {
    const name = this.#name('i');
    this.#loop(`for (int ${name} = 0; ${name} < ${1 + this.#random.below(6)}; ${name}++) {`, depth, '}');
  }

  #while(depth: number): void {
    const name = this.#name('n');
    this.#line(`int ${name} = ${1 + this.#random.below(5)};`);
    if (this.#random.chance(1, 2)) this.#loop(`while (${name}-- > 0) {`, depth, '}');
    else this.#loop('do {', depth, `} while (--${name} > 0);`);
  }

  #goto(depth: number): void {
    const label = this.#name('label');
    this.#line(`if (${this.#expressions.any(this.#scope, 2)}) goto ${label};`);
    this.#block('{', depth, '}');
    this.#line(`${label}:`, ';');
  }

  #copyStruct(): void {
    const records = this.#globals.filter(({ type }) => type === 'struct record');
    const [first, second] = records;
    if (first !== undefined && second !== undefined) this.#line(`${first.text} = ${second.text};`);
  }

  #call(): void {
    const { name, parameters } = this.#random.pick(this.#functions);
    const args = parameters.map((type) => this.#expressions.value(this.#scope, 2, type));
    this.#line(`mix(${name}(${args.join(', ')}));`);
  }

  #if(depth: number): void {
    const hasElse = this.#random.chance(1, 2);
    this.#block(`if (${this.#expressions.any(this.#scope, 3)}) {`, depth, hasElse ? null : '}');
    if (hasElse) this.#block('} else {', depth, '}');
  }

  #switch(depth: number): void {
    this.#line(`switch (${this.#expressions.any(this.#scope, 2)} & 7) {`);
    for (let value = 0; value < 8; value++) {
      if (this.#random.chance(1, 2)) continue;
      this.#line(value === 7 ? 'default:' : `case ${value}:`);
      this.#block('{', depth + 1, '}');
      if (this.#random.chance(2, 3)) this.#line('break;');
    }
    this.#line('}');
  }

  #loop(open: string, depth: number, close: string): void {
    this.#loopDepth++;
    this.#block(open, depth, close);
    this.#loopDepth--;
  }

  /** What is declared inside is out of scope behind it. */
  #block(open: string, depth: number, close: string | null): void {
    const scope = [...this.#scope];
    const outer = this.#indentation;
    this.#line(open);
    this.#indentation = `${outer}  `;
    for (let n = 1 + this.#random.below(3); n > 0; n--) this.#statement(depth + 1);
    this.#indentation = outer;
    this.#scope = scope;
    if (close !== null) this.#line(close);
  }

  #name(stem: string): string {
    return `${stem}${this.#names++}`;
  }

  #line(...texts: string[]): void {
    for (const text of texts) this.#lines.push(this.#indentation + text);
  }
}
