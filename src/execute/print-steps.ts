/**
 * Steps as text, for people: the cells with their values, then each thread's steps with what hangs on them. Terms that
 * are used several times are named once, `t17 = …`, in the line before their first use; small ones are written out
 * where they stand.
 */

import { printMode } from '../program/memory-order.ts';
import { largestOf } from '../support/push-all.ts';
import type { Term, TermGraph, TermOperation } from '../values/terms.ts';
import { printSet } from '../values/value-set.ts';
import type { Access, SharedCell, Step, SteppedProgram, SteppedThread } from './steps.ts';

export function printSteps(program: SteppedProgram): string {
  return new StepPrinter(program).print();
}

/** Nested deeper than this, a term gets a name. */
const MOST_NESTED = 3;

const INFIX: Partial<Record<TermOperation, string>> = {
  and: '&',
  or: '|',
  xor: '^',
  add: '+',
  mul: '*',
  udiv: '/u',
  urem: '%u',
  sdiv: '/',
  srem: '%',
  shl: '<<',
  lshr: '>>u',
  ashr: '>>',
  eq: '==',
  ult: '<u',
  slt: '<',
};

class StepPrinter {
  readonly #program: SteppedProgram;
  readonly #graph: TermGraph;
  readonly #cells: ReadonlyMap<number, SharedCell>;
  readonly #depths = new Map<Term, number>();
  readonly #named = new Set<Term>();
  readonly #lines: string[] = [];

  constructor(program: SteppedProgram) {
    this.#program = program;
    this.#graph = program.graph;
    this.#cells = new Map(program.cells.map((cell) => [cell.id, cell]));
  }

  print(): string {
    for (const cell of this.#program.cells) {
      const initial = this.#text(cell.initial);
      this.#lines.push(`cell ${cell.name}: ${cell.width} bits, first ${initial}, of ${printSet(cell.set, true)}`);
    }
    for (const { thread, key, offset, term } of this.#program.inputs) {
      this.#lines.push(`input ${this.#text(term)}: thread ${thread}, ${key}${offset === null ? '' : ` + ${offset}`}`);
    }
    for (const thread of this.#program.threads) this.#thread(thread);
    return `${this.#lines.join('\n')}\n`;
  }

  #thread(thread: SteppedThread): void {
    const { spawn } = thread;
    const origin = spawn ? `, created by ${spawn.thread}.${spawn.step}${this.#when(spawn.guard)}` : '';
    this.#lines.push('', `thread ${thread.index} ${thread.name}${origin}`);
    for (const [l, step] of thread.steps.entries()) {
      this.#step(step, `${thread.index}.${l}`);
      this.#conditions(thread, l);
    }
  }

  #step(step: Step, name: string): void {
    const guard = this.#when(step.guard);
    const creation = step.creation ? `, creates${this.#when(step.creation.guard)} at ${step.creation.key}` : '';
    this.#lines.push(`  ${name}${guard}${creation}${step.drains ? ', after all stores' : ''}`);
    for (const access of step.accesses) {
      const text = this.#access(access);
      this.#lines.push(`    ${text}  // ${access.key}`);
    }
  }

  #access(access: Access): string {
    const targets = access.targets.map(({ cell, select }) => {
      const name = this.#cells.get(cell)?.name ?? `cell ${cell}`;
      return this.#graph.isTrue(select) ? name : `${name}${this.#when(select)}`;
    });
    const place = targets.length === 1 ? targets[0] : `{ ${targets.join('; ')} }`;
    const value = this.#text(access.kind === 'read' ? access.result : access.value);
    const text = access.kind === 'read' ? `${value} := ${place}` : `${place} := ${value}`;
    const delay = access.kind === 'write' && access.isDelayed ? ' later' : '';
    return printMode(access.mode) + text + this.#when(access.guard) + delay;
  }

  /** Those that hang on the step, in their order. */
  #conditions({ assertions, assumptions, cuts, fences }: SteppedThread, l: number): void {
    const lines: { readonly position: number; readonly text: () => string; readonly guard: Term }[] = [
      ...assertions
        .filter(({ step }) => step === l)
        .map(({ condition, check, message, ...rest }) => ({
          ...rest,
          text: () => `assert ${this.#text(condition)} (${check}: ${message})`,
        })),
      ...assumptions
        .filter(({ step }) => step === l)
        .map(({ condition, ...rest }) => ({
          ...rest,
          text: () => `assume ${this.#text(condition)}`,
        })),
      ...cuts
        .filter(({ step }) => step === l)
        .map(({ where, ...rest }) => ({ ...rest, text: () => `cut at ${where}` })),
      ...fences
        .filter(({ step }) => step === l)
        .map(({ order, ...rest }) => ({ ...rest, text: () => `fence ${order}` })),
    ];
    for (const { text, guard } of lines.sort((a, b) => a.position - b.position))
      this.#lines.push(`    ${text()}${this.#when(guard)}`);
  }

  #when(guard: Term): string {
    return this.#graph.isTrue(guard) ? '' : ` if ${this.#text(guard)}`;
  }

  // -------------------------------------------------------------- terms

  /**
   * The term as an expression; writes the lines that name what it uses, first things first, without recursion into
   * depth.
   */
  #text(term: Term): string {
    const stack: { term: Term; done: boolean }[] = [{ term, done: false }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if (this.#depths.has(top.term)) continue;
      const operands = this.#graph.operandsOf(top.term);
      if (!top.done) {
        stack.push({ term: top.term, done: true });
        for (const operand of operands) stack.push({ term: operand, done: false });
        continue;
      }
      let depth = operands.length === 0 ? 0 : 1 + largestOf(operands.map((operand) => this.#depths.get(operand) ?? 0));
      if (depth > MOST_NESTED) {
        this.#lines.push(`      t${top.term} = ${this.#expression(top.term)}`);
        this.#named.add(top.term);
        depth = 0;
      }
      this.#depths.set(top.term, depth);
    }
    return this.#operand(term);
  }

  #operand(term: Term): string {
    return this.#named.has(term) ? `t${term}` : this.#expression(term);
  }

  #expression(term: Term): string {
    const graph = this.#graph;
    const constant = graph.constantOf(term);
    if (constant !== null) return `${constant}`;
    const operation = graph.operationOf(term);
    if (operation === 'variable') return `${graph.nameOf(term)}#${term}`;
    const [a = '', b = '', c = ''] = graph.operandsOf(term).map((operand) => this.#operand(operand));
    const infix = INFIX[operation];
    if (infix !== undefined) return `(${a} ${infix} ${b})`;
    switch (operation) {
      case 'not':
        return `!${a}`;
      case 'ite':
        return `(${a} ? ${b} : ${c})`;
      case 'refine':
        return `[${a}]`;
      case 'extract':
        return `${a}[${graph.extractLow(term)}+${graph.widthOf(term)}]`;
      case 'concat':
        return `(${a} . ${b})`;
      default:
        return `${operation}${graph.widthOf(term)}(${a})`;
    }
  }
}
