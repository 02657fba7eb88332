/**
 * One function for each thread that can be created: every place where one is created, after inlining and unwinding, is
 * a thread of its own, with its own copy of the start routine and of its variables. Threads are numbered in the order
 * in which these places are found: those of main first, then those of its threads, and so on; 0 is main.
 *
 * `spawn(start, argument)` becomes `spawn(number, argument)`, and what it gives is the number. The number of the
 * calling thread and its thread-local variables are known now, too. Local variables become static: they keep their
 * values when the function is left and entered again.
 *
 * There is a limit to threads, as there is one to the iterations of a loop: what would create more is cut off, or is an
 * unwinding assertion that fails.
 */

import type { BoundedProgram, BoundedThread } from '../program/bounded-program.ts';
import { assign, block, builtin, declaration, expressionStatement, integer, variable } from '../program/build-tree.ts';
import { NameScope } from '../program/fresh-symbols.ts';
import { knownFunction } from '../program/named-function.ts';
import { PRIMITIVES, primitiveCall, primitiveOf, stop } from '../program/primitives.ts';
import { simplifyAccess } from '../program/substitute.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  LabelSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../program/tree.ts';
import { functionType, voidType } from '../program/type-operations.ts';
import { ifChain, mapExpression } from '../program/visit-tree.ts';
import { invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import { cutOff } from './cut-off.ts';
import { JumpFinder } from './find-jumps.ts';
import type { PassContext } from './pass.ts';

interface ThreadToCopy {
  readonly number: number;
  readonly start: FunctionDefinition;
  readonly creator: number;
  readonly loc: Statement['loc'];
}

export function duplicateThreads(program: Program, context: PassContext): BoundedProgram {
  const duplicator = new Duplicator(program, context);
  const threads = duplicator.run();
  const globals = program.items.filter((item) => item.kind !== 'function');
  pushAll(globals, duplicator.fileScope);
  const { options, loops, fresh } = context;
  return { dataModel: program.dataModel, sources: program.sources, options, globals, loops, threads, fresh };
}

class Duplicator {
  readonly fileScope: TopLevelItem[] = [];
  readonly #context: PassContext;
  readonly #starts = new Map<string, FunctionDefinition>();
  readonly #names: NameScope;
  readonly #pending: ThreadToCopy[] = [];
  #count = 0;
  #limitReached = false;

  constructor(program: Program, context: PassContext) {
    this.#context = context;
    const names: string[] = [];
    for (const item of program.items) {
      if (item.kind === 'function') this.#starts.set(item.definition.symbol.name, item.definition);
      else if (item.kind === 'variable' || item.kind === 'typedef' || item.kind === 'function-prototype') {
        names.push(item.symbol.name);
      }
    }
    this.#names = new NameScope(names);
  }

  run(): BoundedThread[] {
    const threads: BoundedThread[] = [];
    const main = this.#starts.get('main');
    if (!main) return threads;
    this.#request(main, -1, main.loc);
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      threads.push(this.#copyFor(next));
    }
    return threads;
  }

  #request(start: FunctionDefinition, creator: number, loc: Statement['loc']): number {
    const number = this.#count++;
    this.#pending.push({ number, start, creator, loc });
    return number;
  }

  #copyFor({ start, number, creator, loc }: ThreadToCopy): BoundedThread {
    const { fresh } = this.#context;
    const name = this.#names.claim(`${start.symbol.name}_${number}`);
    const copier = new ThreadCopier(this.#context, number, this.fileScope, {
      spawn: (spawned, place) => this.#spawn(spawned, number, place),
    });
    for (const parameter of start.parameters) copier.bindArgument(parameter);
    const items = copier.items(start.body.items);
    const symbol: FunctionSymbol = {
      ...start.symbol,
      id: fresh.id(),
      name,
      type: functionType(voidType, []),
      linkage: 'internal',
      definition: null,
      isNoreturn: false,
    };
    const body = block([...copier.locals.map(declaration), ...items], start.body.loc, start.body.endLoc);
    return {
      number,
      startName: start.symbol.name,
      loc,
      creator,
      function: { symbol, parameters: [], body, loc: start.loc },
      argument: copier.argument,
      labels: { symbols: new Set(), places: [] },
    };
  }

  /** The number of the new thread, or null when there are too many. */
  #spawn(symbol: FunctionSymbol, creator: number, loc: Statement['loc']): number | null {
    const start = this.#starts.get(symbol.name);
    const { threadLimit, unwindingAssertions } = this.#context.options;
    if (start && this.#count < threadLimit) return this.#request(start, creator, loc);
    if (!this.#limitReached && !unwindingAssertions) {
      const message = `more than ${threadLimit} threads: executions that create them are cut off`;
      this.#context.sink.warning(loc, 'thread-limit', message);
    }
    this.#limitReached = true;
    return null;
  }
}

interface Spawner {
  readonly spawn: (symbol: FunctionSymbol, loc: Statement['loc']) => number | null;
}

class ThreadCopier {
  readonly locals: VariableSymbol[] = [];
  argument: VariableSymbol | null = null;
  readonly #context: PassContext;
  readonly #number: number;
  readonly #fileScope: TopLevelItem[];
  readonly #spawner: Spawner;
  readonly #variables = new Map<VariableSymbol, Expression>();
  readonly #labels = new Map<LabelSymbol, LabelSymbol>();
  readonly #jumps = new JumpFinder();
  readonly #copied = new Map<Statement, readonly Statement[]>();
  /** Each creation is a thread of its own, so that what contains one is not shared. */
  #spawnCount = 0;

  constructor(context: PassContext, number: number, fileScope: TopLevelItem[], spawner: Spawner) {
    this.#context = context;
    this.#number = number;
    this.#fileScope = fileScope;
    this.#spawner = spawner;
  }

  /** The parameter of a start routine is a variable that the creator sets. */
  bindArgument(parameter: VariableSymbol): void {
    const { loc, type } = parameter;
    const name = `__lazuli_argument_${this.#number}`;
    const symbol = this.#context.fresh.variable({ name, type, loc, duration: 'static' });
    this.#fileScope.push({ kind: 'variable', symbol, isDefinition: true, loc });
    this.argument = symbol;
    this.#variables.set(parameter, variable(symbol, loc));
  }

  items(items: readonly Statement[]): Statement[] {
    const out: Statement[] = [];
    for (const item of items) pushAll(out, this.#statement(item));
    return out;
  }

  /** Statements that copies of a loop's body share are copied once, and shared again. */
  #statement(statement: Statement): readonly Statement[] {
    const known = this.#copied.get(statement);
    if (known !== undefined) return known;
    const spawns = this.#spawnCount;
    const copy = this.#copyStatement(statement);
    const isRepeatable = this.#spawnCount === spawns && !this.#jumps.hasJumps(statement);
    if (isRepeatable) this.#copied.set(statement, copy);
    return copy;
  }

  #copyStatement(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case 'declaration':
        if (statement.item.kind === 'variable') this.#copyOf(statement.item.symbol);
        return [];
      case 'block':
        return [{ ...statement, items: this.items(statement.items) }];
      case 'expression':
        return this.#spawn(statement) ?? [{ ...statement, expression: this.#expression(statement.expression) }];
      case 'if': {
        const { arms, last } = ifChain(statement);
        let otherwise: Statement | null = null;
        const built = arms.map((arm) => ({
          arm,
          condition: this.#expression(arm.condition),
          then: block(this.#part(arm.then), arm.then.loc),
        }));
        otherwise = last && block(this.#part(last), last.loc);
        for (const { arm, condition, then } of built.reverse()) otherwise = { ...arm, condition, then, otherwise };
        return otherwise ? [otherwise] : [];
      }
      case 'while': {
        const spawns = this.#spawnCount;
        const condition = this.#expression(statement.condition);
        const body = block(this.#part(statement.body), statement.body.loc);
        invariant(this.#spawnCount === spawns, 'a loop that creates threads is unwound');
        return [{ ...statement, condition, body }];
      }
      case 'label':
        return [{ ...statement, label: this.#label(statement.label) }];
      case 'goto':
        return [{ ...statement, label: this.#label(statement.label) }];
      default:
        return [statement];
    }
  }

  #part(statement: Statement): Statement[] {
    return this.items(statement.kind === 'block' ? statement.items : [statement]);
  }

  #label(label: LabelSymbol): LabelSymbol {
    const known = this.#labels.get(label);
    if (known) return known;
    const copy = this.#context.fresh.label(label.name, label.loc);
    this.#labels.set(label, copy);
    return copy;
  }

  #expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      if (node.kind === 'variable') return this.#copyOf(node.symbol) ?? node;
      if (primitiveOf(node) === 'self') return integer(this.#number, node.loc, node.type);
      return simplifyAccess(node);
    });
  }

  /** The thread's own copy of a local or thread-local variable; null for a global one. */
  #copyOf(symbol: VariableSymbol): Expression | null {
    const known = this.#variables.get(symbol);
    if (known) return known;
    if (symbol.duration === 'static') return null;
    const { type, loc, alignment, addressTaken } = symbol;
    const isThreadLocal = symbol.duration === 'thread';
    const name = isThreadLocal ? `${symbol.name}_${this.#number}` : symbol.name;
    const { initializer } = symbol;
    const copy = this.#context.fresh.variable({
      name,
      type,
      loc,
      duration: 'static',
      initializer,
      alignment,
      addressTaken,
      copyOf: symbol,
    });
    if (isThreadLocal) this.#fileScope.push({ kind: 'variable', symbol: copy, isDefinition: true, loc });
    else {
      copy.linkage = 'none';
      this.locals.push(copy);
    }
    const node = variable(copy, loc);
    this.#variables.set(symbol, node);
    return node;
  }

  #spawn(statement: Extract<Statement, { kind: 'expression' }>): readonly Statement[] | null {
    const found = primitiveCall(statement);
    if (found?.primitive !== 'spawn') return null;
    this.#spawnCount++;
    const { loc, expression } = statement;
    const [start, argument] = found.call.args;
    const symbol = start && knownFunction(start);
    if (!symbol || !argument) return [stop(loc)];
    const number = this.#spawner.spawn(symbol, loc);
    if (number === null) return cutOff(this.#context, `limit of ${this.#context.options.threadLimit} threads`, loc);
    const call = builtin(PRIMITIVES.spawn, [integer(number, loc), this.#expression(argument)], loc);
    const created = expressionStatement(call, loc);
    if (expression.kind !== 'assignment') return [created];
    return [created, assign(this.#expression(expression.target), integer(number, loc), loc)];
  }
}
