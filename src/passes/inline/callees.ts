/**
 * What the inliner knows of the program: the functions with their bodies, what they do to variables, which of them a
 * pointer may lead to, and which are started as threads. Functions are looked at once, when they are first needed.
 */

import { knownFunction } from '../../program/named-function.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../../program/tree.ts';
import { compatible, functionType, pointerTo, voidType } from '../../program/type-operations.ts';
import type { FunctionType } from '../../program/types.ts';
import { describeUndefined, meaningOfUndefined, type UndefinedMeaning } from '../../program/undefined-functions.ts';
import { walkStatement } from '../../program/visit-tree.ts';
import { pushAll } from '../../support/push-all.ts';
import { isModelPlace } from '../../support/source.ts';
import { type Accesses, addStatement, newAccesses } from '../alias/sharing.ts';
import type { PassContext } from '../pass.ts';
import { type Callable, type Fit, fitOf } from './fits.ts';

/** What a thread is started with: `void *start(void *)`. */
const START_ROUTINE = functionType(pointerTo(voidType), [pointerTo(voidType)]);

/** What the inliner knows of a function before it copies it. */
export interface Callee {
  readonly definition: FunctionDefinition;
  readonly accesses: Accesses;
  /** How often each variable is assigned in the text. */
  readonly assignments: ReadonlyMap<VariableSymbol, number>;
}

/** The functions that a call through a pointer can reach. */
interface Targets {
  readonly called: readonly FunctionSymbol[];
  /**
   * Fit as well, but would be called in a way that cannot be written in C, or have to get there in ways that we do not
   * expect.
   */
  readonly refused: readonly FunctionSymbol[];
}

export class Callees {
  readonly context: PassContext;
  readonly program: Program;
  readonly #definitions = new Map<FunctionSymbol, FunctionDefinition>();
  readonly #byName = new Map<string, FunctionDefinition>();
  readonly #callees = new Map<FunctionDefinition, Callee>();
  readonly #addressTaken = new Set<FunctionSymbol>();
  /** How often a function is mentioned elsewhere than in its calls and as the start routine of a new thread. */
  readonly #mentions = new Map<FunctionSymbol, number>();
  /** The types of functions whose pointers the program makes into something else. */
  readonly #castTypes = new Set<FunctionType>();
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
      pushAll(
        this.globalNames,
        (item.declaration.enumerators ?? []).map(({ name }) => name),
      );
    }
  }

  #addMentions(statement: Statement): void {
    walkStatement(statement, {
      expression: (node) => {
        this.#findCast(node);
        this.#countMention(node);
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
    const isModel = isModelPlace(this.program.sources, definition.loc);
    walkStatement(definition.body, {
      expression: (node) => {
        if (!isModel) this.#findCast(node);
        this.#countMention(node);
        const target = assignedBy(node);
        if (target?.kind === 'variable') assignments.set(target.symbol, (assignments.get(target.symbol) ?? 0) + 1);
      },
    });
    const callee: Callee = { definition, accesses, assignments };
    this.#callees.set(definition, callee);
    return callee;
  }

  #countMention(node: Expression): void {
    const count = (symbol: FunctionSymbol, by: 1 | -1) =>
      this.#mentions.set(symbol, (this.#mentions.get(symbol) ?? 0) + by);
    if (node.kind === 'function') count(node.symbol, 1);
    if (node.kind !== 'call' || node.callee.kind !== 'function') return;
    count(node.callee.symbol, -1);
    const { name, definition } = node.callee.symbol;
    const [, , start] = node.args;
    const isCreation = name === 'pthread_create' && definition && isModelPlace(this.program.sources, definition.loc);
    const started = isCreation && start ? knownFunction(start) : null;
    if (started) count(started, -1);
  }

  /** What a call through a pointer can lead to: not what the program has only given to `pthread_create`. */
  targets(wanted: Callable): Targets {
    return this.#fitting(wanted, (symbol) => (this.#mentions.get(symbol) ?? 0) > 0);
  }

  /** What a thread that is created through a pointer can start with. */
  startRoutines(): Targets {
    return this.#fitting({ type: START_ROUTINE, parameters: START_ROUTINE.parameters }, () => true);
  }

  #fitting(wanted: Callable, isPossible: (symbol: FunctionSymbol) => boolean): Targets {
    const called: FunctionSymbol[] = [];
    const refused: FunctionSymbol[] = [];
    for (const symbol of this.#addressTaken) {
      if (!isPossible(symbol)) continue;
      // Dropped because no execution comes to it: only a variable that nobody uses mentions it.
      if (symbol.definition !== null && !this.#definitions.has(symbol)) continue;
      const fit = this.fitOf(symbol, wanted);
      if (fit === 'misfit') continue;
      const isCalled = fit === 'fits' && this.#isExpected(symbol, wanted.type);
      (isCalled ? called : refused).push(symbol);
    }
    return { called, refused };
  }

  fitOf(symbol: FunctionSymbol, wanted: Callable): Fit {
    const { type } = symbol;
    if (type.kind !== 'function') return 'misfit';
    const parameters = this.#definitions.get(symbol)?.parameters.map((parameter) => parameter.type) ?? type.parameters;
    return fitOf({ type, parameters }, wanted, this.program.dataModel);
  }

  /** Whether a pointer of this type is likely to hold the function: it needs no cast, or there is such a cast. */
  #isExpected({ type }: FunctionSymbol, wanted: FunctionType): boolean {
    if (type.kind !== 'function' || type.oldStyle || wanted.oldStyle || sameShape(type, wanted)) return true;
    return compatible(type, wanted) || [...this.#castTypes].some((from) => compatible(from, type));
  }

  #findCast(node: Expression): void {
    if (node.kind !== 'cast' || node.operand.type.kind !== 'pointer') return;
    const { target } = node.operand.type;
    if (target.kind === 'function' && !compatible(node.type, node.operand.type)) this.#castTypes.add(target);
  }

  addStart(symbol: FunctionSymbol): void {
    if (this.#starts.has(symbol)) return;
    this.#starts.add(symbol);
    this.#pendingStarts.push(symbol);
  }

  nextStart(): FunctionSymbol | null {
    return this.#pendingStarts.shift() ?? null;
  }

  /** What a call of a function without a body does; it is warned about once. */
  meaningOfUnknown(symbol: FunctionSymbol, { args, loc }: Extract<Expression, { kind: 'call' }>): UndefinedMeaning {
    const meaning = meaningOfUndefined(symbol, args, this.program.sources);
    if (!this.#warned.has(symbol.name)) {
      this.#warned.add(symbol.name);
      this.context.sink.warning(loc, 'approximation', describeUndefined(symbol, meaning));
    }
    return meaning;
  }
}

/** What the node changes, besides what is behind pointers. */
function assignedBy(node: Expression): Expression | null {
  if (node.kind === 'assignment') return node.target;
  if (node.kind === 'va-arg') return node.list;
  const isList = node.kind === 'builtin' && (node.name === '__builtin_va_start' || node.name === '__builtin_va_copy');
  return isList ? (node.args[0] ?? null) : null;
}

/** Slightly different prototypes are called through casts all the time. */
function sameShape(a: FunctionType, b: FunctionType): boolean {
  if (a.parameters.length !== b.parameters.length || a.variadic !== b.variadic) return false;
  return a.result.kind === b.result.kind && a.parameters.every(({ kind }, i) => kind === b.parameters[i]?.kind);
}
