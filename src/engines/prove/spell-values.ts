/** What is said of variables, in C: the names that people gave them, constants as they would write them. */

import type { SourceMap } from '../../support/source.ts';
import { enumerateValues, topSet, type ValueSet } from '../../values/value-set.ts';
import type { AnyNode, Model, Variable } from './graph.ts';
import { objectAt } from './guess-targets.ts';
import { VariableFinder } from './node-terms.ts';
import type { ObservedComparison } from './observables.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

/** So many values of a variable are told apart. */
const MOST_VALUES = 64;
const MOST_LISTED = 6;

export class ValueSpeller {
  readonly #model: Model;
  readonly #system: TransitionSystem;
  readonly #sources: Pick<SourceMap, 'place'>;
  readonly #finder: VariableFinder;

  constructor(model: Model, system: TransitionSystem, sources: Pick<SourceMap, 'place'>) {
    this.#model = model;
    this.#system = system;
    this.#sources = sources;
    this.#finder = new VariableFinder(model);
  }

  /** `threadOf` names the thread of a variable of its own; null where that is clear. */
  nameOf(state: StateVariable, threadOf: (state: StateVariable) => string | null): string {
    if (state.variable === null) return state.name;
    const { name, owner, kind, id } = this.#model.variables[state.variable] as Variable;
    if (state.isGhost) return `rest(${name})`;
    const body = this.#model.bodies[owner];
    if (body === undefined) return name;
    const thread = threadOf(state);
    const own = localName({ name, kind });
    const spelled = own.startsWith('%') || own.endsWith('?') ? this.#nameOfTemporary(id, body.nodes) : own;
    const plain = kind === 'self' ? 'its number' : kind === 'argument' ? 'its argument' : spelled;
    return thread === null ? plain : `${thread}.${plain}`;
  }

  /** What no name of the program stands for: a value on its way from memory. */
  #nameOfTemporary(variable: number, nodes: readonly AnyNode[]): string {
    for (const node of nodes) {
      const value = node.kind === 'set' && node.assignments.find((each) => each.variable === variable)?.value;
      if (value === false || value === undefined) continue;
      const line = this.#sources.place(node.loc)?.line;
      const read = this.#finder.idOf(value);
      const where = line === undefined ? '' : ` at line ${line}`;
      return read === undefined
        ? `(the value${where})`
        : `(${localName(this.#model.variables[read] as Variable)} as read${where})`;
    }
    return '(an input)';
  }

  /** A constant of the variable's type. */
  constantOf({ variable }: StateVariable, value: bigint): string {
    const { width, signed } = this.#model.variables[variable as number] as Variable;
    const unsigned = BigInt.asUintN(width, value);
    if (width === this.#model.pointerWidth && unsigned !== 0n) {
      const object = objectAt(this.#model, unsigned);
      if (object !== undefined) {
        const offset = unsigned - object.base;
        return offset === 0n ? `&${object.name}` : `(char *)&${object.name} + ${offset}`;
      }
    }
    return `${signed || value < 0n ? BigInt.asIntN(width, unsigned) : unsigned}`;
  }

  comparison(
    { operation, left, right, minus }: ObservedComparison,
    holds: boolean,
    name: (state: StateVariable) => string,
  ): string {
    const b = typeof right === 'bigint' ? this.constantOf(left, right) : name(right);
    const a = minus ? `${name(left)} - ${name(minus)}` : name(left);
    switch (operation) {
      case '==':
        return `${a} ${holds ? '==' : '!='} ${b}`;
      case '<':
        return `${a} ${holds ? '<' : '>='} ${b}`;
      case '+1==':
        return `${name(left)} + 1 ${holds ? '==' : '!='} ${b}`;
      case 'overflows': {
        const a = name(left);
        return holds ? `(${a} >= 0 && ${b} >= 0 && ${a} + ${b} < 0)` : `(${a} < 0 || ${b} < 0 || ${a} + ${b} >= 0)`;
      }
    }
  }

  /** That the bits of the variable are not all as given. */
  notBits(state: StateVariable, bits: ReadonlyMap<number, boolean>, name: string): string {
    const set = this.#system.graph.setOf(state.term);
    const mask = [...bits.keys()].reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n);
    const pattern = [...bits].reduce((sum, [bit, isSet]) => (isSet ? sum | (1n << BigInt(bit)) : sum), 0n);
    const values = enumerateValues(set, MOST_VALUES);
    if (values !== null)
      return this.#oneOf(
        state,
        name,
        values.filter((value) => (value & mask) !== pattern),
        values,
      );
    const { width } = set;
    const isSign = bits.size === 1 && bits.has(width - 1);
    if (isSign && this.#isSigned(state)) return bits.get(width - 1) ? `${name} >= 0` : `${name} < 0`;
    if (mask === (1n << BigInt(width)) - 1n) return `${name} != ${this.constantOf(state, pattern)}`;
    return `(${name} & 0x${mask.toString(16)}) != 0x${pattern.toString(16)}`;
  }

  #isSigned({ variable }: StateVariable): boolean {
    return variable !== null && (this.#model.variables[variable] as Variable).signed;
  }

  /** That it has one of these values, of all that it can have. */
  #oneOf(state: StateVariable, name: string, among: readonly bigint[], all: readonly bigint[]): string {
    const order = (values: readonly bigint[]) => {
      const read = (value: bigint) => (this.#isSigned(state) ? BigInt.asIntN(this.#widthOf(state), value) : value);
      return [...values].sort((a, b) => (read(a) < read(b) ? -1 : 1));
    };
    const spell = (value: bigint) => (state.variable === null ? `${value}` : this.constantOf(state, value));
    const [inside, whole] = [order(among), order(all)];
    const others = whole.filter((value) => !among.includes(value));
    if (others.length === 1) return `${name} != ${spell(others[0] as bigint)}`;
    if (inside.length === 1) return `${name} == ${spell(inside[0] as bigint)}`;
    if (inside.every((value, i) => value === whole[i])) return `${name} <= ${spell(inside.at(-1) as bigint)}`;
    const from = whole.length - inside.length;
    if (inside.every((value, i) => value === whole[from + i])) return `${name} >= ${spell(inside[0] as bigint)}`;
    if (others.length < inside.length) return `(${others.map((value) => `${name} != ${spell(value)}`).join(' && ')})`;
    return inside.map((value) => `${name} == ${spell(value)}`).join(' || ');
  }

  #widthOf(state: StateVariable): number {
    return this.#system.graph.widthOf(state.term);
  }

  /** What its set says of a variable; null where that is nothing, or much. */
  withinSet(state: StateVariable, name: string): string | null {
    const set: ValueSet = this.#system.graph.setOf(state.term);
    const { width } = set;
    const values = enumerateValues(set, MOST_LISTED);
    const spell = (value: bigint) => this.constantOf(state, value);
    if (values !== null && values.length > 1) {
      const read = (value: bigint) => (this.#isSigned(state) ? BigInt.asIntN(width, value) : value);
      const sorted = [...values].sort((a, b) => (read(a) < read(b) ? -1 : 1));
      return sorted.map((value) => `${name} == ${spell(value)}`).join(' || ');
    }
    const [only, ...more] = set.parts;
    if (only === undefined || more.length > 0 || only.high - only.low >= topSet(width - 1).parts[0]!.high) return null;
    const upper = `${name} <= ${spell(only.high)}`;
    const isFromZero = only.low === 0n && !this.#isSigned(state);
    const range = isFromZero ? upper : `${spell(only.low)} <= ${name} && ${upper}`;
    return only.step === 1n ? range : `${range} && (${name} - ${spell(only.low)}) % ${only.step} == 0`;
  }
}

/** Registers are named after their function, too. */
function localName({ name, kind }: Pick<Variable, 'name' | 'kind'>): string {
  return kind === 'register' ? name.slice(name.indexOf('.') + 1) : name;
}
