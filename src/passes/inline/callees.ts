/**
 * What the inliner knows of the program: the functions with their bodies, what they do to variables, which of them a pointer may lead
 * to, and which are started as threads. Functions are looked at once, when they are first needed.
 */

import { type Accesses, addStatement, newAccesses } from '../../analysis/sharing.ts';
import type {
  FunctionDefinition,
  FunctionSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../../program/tree.ts';
import { compatible } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { walkStatement } from '../../program/visit-tree.ts';
import type { Loc } from '../../support/source.ts';
import type { PassContext } from '../pass.ts';

/** What the inliner knows of a function before it copies it. */
export interface Callee {
  readonly definition: FunctionDefinition;
  readonly accesses: Accesses;
  /** How often each variable is assigned in the text. */
  readonly assignments: ReadonlyMap<VariableSymbol, number>;
}

export class Callees {
  readonly context: PassContext;
  readonly program: Program;
  readonly #definitions = new Map<FunctionSymbol, FunctionDefinition>();
  readonly #byName = new Map<string, FunctionDefinition>();
  readonly #callees = new Map<FunctionDefinition, Callee>();
  readonly #addressTaken = new Set<FunctionSymbol>();
  readonly globalNames: string[] = [];
  readonly #starts = new Set<FunctionSymbol>();
  readonly #pendingStarts: FunctionSymbol[] = [];
  readonly #warned = new Set<string>();
  statementCount = 0;

  constructor(program: Program, context: PassContext) {
    this.program = program;
    this.context = context;
    for (const item of program.items) this.#register(item);
  }

  #register(item: TopLevelItem): void {
    if (item.kind === 'function') {
      const { definition } = item;
      this.#definitions.set(definition.symbol, definition);
      this.#byName.set(definition.symbol.name, definition);
      for (const symbol of this.calleeOf(definition).accesses.mentions) this.#addressTaken.add(symbol);
    } else if (item.kind === 'variable') {
      this.globalNames.push(item.symbol.name);
      if (item.isDefinition) this.#addMentions({ kind: 'declaration', item, loc: item.loc });
    } else if (item.kind === 'typedef' || item.kind === 'function-prototype') {
      this.globalNames.push(item.symbol.name);
    } else if (item.kind === 'enum') {
      this.globalNames.push(...(item.declaration.enumerators ?? []).map(({ name }) => name));
    }
  }

  #addMentions(statement: Statement): void {
    walkStatement(statement, {
      expression: (node) => {
        if (node.kind === 'function') this.#addressTaken.add(node.symbol);
      },
    });
  }

  definitionNamed(name: string): FunctionDefinition | null {
    return this.#byName.get(name) ?? null;
  }

  definitionOf(symbol: FunctionSymbol): FunctionDefinition | null {
    return this.#definitions.get(symbol) ?? null;
  }

  calleeOf(definition: FunctionDefinition): Callee {
    const known = this.#callees.get(definition);
    if (known) return known;
    const accesses = newAccesses();
    addStatement(definition.body, accesses);
    const assignments = new Map<VariableSymbol, number>();
    walkStatement(definition.body, {
      expression: (node) => {
        if (node.kind !== 'assignment' || node.target.kind !== 'variable') return;
        assignments.set(node.target.symbol, (assignments.get(node.target.symbol) ?? 0) + 1);
      },
    });
    const callee: Callee = { definition, accesses, assignments };
    this.#callees.set(definition, callee);
    return callee;
  }

  /** The functions that a pointer of this type may point to. */
  candidates(type: Type): FunctionDefinition[] {
    const target = type.kind === 'pointer' ? type.target : type;
    return [...this.#addressTaken].flatMap((symbol) => {
      const definition = this.#definitions.get(symbol);
      return definition && fits(symbol.type, target) ? [definition] : [];
    });
  }

  /** A function without a body that a pointer of this type may point to. */
  unknownCandidate(type: Type): FunctionSymbol | null {
    const target = type.kind === 'pointer' ? type.target : type;
    for (const symbol of this.#addressTaken) {
      if (!this.#definitions.has(symbol) && fits(symbol.type, target)) return symbol;
    }
    return null;
  }

  addStart(symbol: FunctionSymbol): void {
    if (this.#starts.has(symbol)) return;
    this.#starts.add(symbol);
    this.#pendingStarts.push(symbol);
  }

  nextStart(): FunctionSymbol | null {
    return this.#pendingStarts.shift() ?? null;
  }

  warnUnknown(symbol: FunctionSymbol, loc: Loc): void {
    if (this.#warned.has(symbol.name)) return;
    this.#warned.add(symbol.name);
    this.context.sink.warning(loc, 'unknown-function', `'${symbol.name}' has no body: it is taken to return any value`);
  }
}

function fits(candidate: Type, target: Type): boolean {
  if (candidate.kind !== 'function' || target.kind !== 'function') return false;
  if (compatible(candidate, target)) return true;
  // `void *f()` and slightly different prototypes are called through casts all the time.
  const count = candidate.parameters.length;
  if (target.oldStyle || candidate.oldStyle) return true;
  return count === target.parameters.length && candidate.variadic === target.variadic && sameShape(candidate, target);
}

function sameShape(a: Extract<Type, { kind: 'function' }>, b: Extract<Type, { kind: 'function' }>): boolean {
  const pairs: [Type, Type][] = [
    [a.result, b.result],
    ...a.parameters.map((p, i): [Type, Type] => [p, b.parameters[i] as Type]),
  ];
  return pairs.every(([left, right]) => left.kind === right.kind);
}
