/**
 * Primitives in a backend's spelling. Atomic sections vanish: they have no labels inside. `halt` ends the path, for
 * nothing can happen after it; creating a thread makes it active and stores its argument. Labels that nothing jumps to
 * and variables that nothing mentions are dropped, so that compilers have nothing to complain about.
 */

import type { BoundedThread } from '../program/bounded-program.ts';
import {
  address,
  assign,
  block,
  builtin,
  converted,
  decayed,
  element,
  expressionStatement,
  integer,
  member,
  string,
  truth,
  variable,
} from '../program/build-tree.ts';
import type { FreshSymbols } from '../program/fresh-symbols.ts';
import { integerNameOf } from '../program/integer-range.ts';
import { sizeOf } from '../program/layout.ts';
import { type Builtin, primitiveNamed, touchedPlace, waitOf } from '../program/primitives.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  LabelSymbol,
  Program,
  Statement,
  VariableSymbol,
} from '../program/tree.ts';
import { integerType, intType, isInteger, pointerTo, sizeType, voidType } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import {
  expressionsOf,
  mapBlock,
  mapExpression,
  walkExpression,
  walkPlainStatementsOnce,
} from '../program/visit-tree.ts';
import { InvariantError } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { WAIT } from './ask-deadlock.ts';
import { TOUCH, TOUCH_ATOMIC } from './ask-race.ts';
import type { BackendSpelling, NondetType, UsedIntrinsics } from './backend-spelling.ts';
import { KEEP, SIZE } from './keep-sizes.ts';

/** Arrays with more scalars than this are filled by a loop. */
const UNROLL_LIMIT = 64;

export interface SpellingContext {
  readonly program: Program;
  readonly spelling: BackendSpelling;
  readonly fresh: FreshSymbols;
  readonly threads: readonly BoundedThread[];
  /** The statement that makes a thread active. */
  readonly activate: (thread: number, loc: Loc) => Statement;
  /** Assertions of the check `unsupported` become assumptions. */
  readonly cutsOffUnsupported: boolean;
  /** Nothing follows a violation: what is assumed of values holds only up to the first one. */
  readonly endsAtViolation: boolean;
  /** The backend does not tell the sizes of objects, so that they are kept (keep-sizes.ts). */
  readonly keepsSizes: boolean;
  readonly used: Used;
}

/** `UsedIntrinsics` while it is being found out. */
export interface Used extends UsedIntrinsics {
  readonly nondet: Set<NondetType>;
  allocates: boolean;
  frees: boolean;
  fills: boolean;
  asksObjectSize: boolean;
  /** There are loops that no loop of the source became: those that fill arrays. */
  hasOwnLoops: boolean;
  readonly controlBits: Set<number>;
  readonly signedBits: Set<number>;
  /** Functions whose addresses occur in the threads. */
  readonly functions: Set<FunctionSymbol>;
}

export function newUsed(): Used {
  return {
    nondet: new Set(),
    allocates: false,
    frees: false,
    fills: false,
    asksObjectSize: false,
    hasOwnLoops: false,
    controlBits: new Set(),
    signedBits: new Set(),
    functions: new Set(),
  };
}

export function spellPrimitives(thread: BoundedThread, context: SpellingContext): FunctionDefinition {
  const { function: definition, labels } = thread;
  const speller = new Speller(context);
  const { isUsed, isSpelled } = findUses(definition.body, labels.symbols, context.used.functions);
  const spelled = mapBlock(definition.body, {
    expression: (expression) => (isSpelled(expression) ? expression : speller.expression(expression)),
    statement: (statement) => (isUsed(statement) ? speller.statement(statement) : []),
    rebuilt: new Map(),
  });
  return { ...definition, body: { ...spelled, items: speller.locals().concat(spelled.items) } };
}

interface Uses {
  /** Tells labels without jumps to them, and variables without mentions, from all other statements. */
  readonly isUsed: (statement: Statement) => boolean;
  /** Of the expressions that stand directly in statements: whether there is nothing to spell in it. */
  readonly isSpelled: (expression: Expression) => boolean;
}

/** Adds the functions that are mentioned. */
function findUses(body: Statement, labels: ReadonlySet<LabelSymbol>, functions: Set<FunctionSymbol>): Uses {
  const targets = new Set<LabelSymbol>();
  const mentioned = new Set<VariableSymbol>();
  const withPrimitives = new Set<Expression>();
  const look = (expression: Expression) => {
    walkExpression(expression, {
      expression: (node) => {
        if (node.kind === 'variable') mentioned.add(node.symbol);
        else if (node.kind === 'function') functions.add(node.symbol);
        else if (node.kind === 'builtin') withPrimitives.add(expression);
      },
    });
  };
  walkPlainStatementsOnce(body, (statement) => {
    if (statement.kind === 'goto') targets.add(statement.label);
    expressionsOf(statement).forEach(look);
  });
  const isUsed = (statement: Statement): boolean => {
    if (statement.kind === 'label') return targets.has(statement.label) || labels.has(statement.label);
    if (statement.kind === 'declaration' && statement.item.kind === 'variable') {
      return mentioned.has(statement.item.symbol);
    }
    return true;
  };
  return { isUsed, isSpelled: (expression) => !withPrimitives.has(expression) };
}

class Speller {
  readonly #context: SpellingContext;
  #counter: VariableSymbol | null = null;

  constructor(context: SpellingContext) {
    this.#context = context;
  }

  locals(): Statement[] {
    const symbol = this.#counter;
    if (!symbol) return [];
    return [
      { kind: 'declaration', item: { kind: 'variable', symbol, isDefinition: true, loc: symbol.loc }, loc: symbol.loc },
    ];
  }

  expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => (node.kind === 'builtin' ? this.#builtin(node) : node));
  }

  /** Primitives with a value. */
  #builtin(node: Builtin): Expression {
    const { spelling, used, program, keepsSizes } = this.#context;
    const { loc, type } = node;
    const size = sizeType(program.dataModel);
    switch (primitiveNamed(node.name)) {
      case 'nondet':
        return this.#nondet(type, loc);
      case 'allocate': {
        used.allocates = true;
        const [bytes, zeroed] = node.args as [Expression, Expression];
        const isPlain = zeroed.kind === 'integer' && zeroed.value === 0n;
        const memory: Builtin = isPlain
          ? { ...node, name: 'malloc', args: [bytes] }
          : { ...node, name: 'calloc', args: [integer(1, loc, size), bytes] };
        return keepsSizes ? { ...node, name: KEEP, args: [memory, bytes] } : memory;
      }
      case 'objectSize':
        used.asksObjectSize = true;
        return { ...node, name: spelling.objectSize ?? SIZE, args: node.args };
      default:
        return node;
    }
  }

  #nondet(type: Type, loc: Loc): Expression {
    const { spelling, used } = this.#context;
    const name = nondetTypeOf(type);
    used.nondet.add(name);
    const basic = name === 'pointer' ? pointerTo(voidType) : isInteger(type) ? integerType(integerNameOf(type)) : type;
    return converted(builtin(spelling.nondet(name), [], loc, basic), type);
  }

  statement(statement: Statement): readonly Statement[] {
    if (statement.kind !== 'expression' || statement.expression.kind !== 'builtin') return [statement];
    const node = statement.expression;
    const { spelling, used } = this.#context;
    const { loc } = statement;
    switch (primitiveNamed(node.name)) {
      case 'assume': {
        const wait = waitOf({ primitive: 'assume', call: node });
        if (wait) return [call(WAIT, [condition(wait.condition), wait.holder], loc)];
        return [call(spelling.assume, [condition(node.args[0] as Expression)], loc)];
      }
      case 'halt':
        return [call(spelling.assume, [integer(0, loc)], loc)];
      case 'assert':
        return this.#assert(node, loc);
      case 'atomicBegin':
      case 'atomicEnd':
      case 'fence':
        return [];
      case 'spawn':
        return this.#spawn(node, loc);
      case 'free':
        used.frees = true;
        return [call('free', node.args, loc)];
      case 'zero': {
        used.fills = true;
        const [target] = node.args as [Expression];
        const { dataModel } = this.#context.program;
        const size = integer(sizeOf(target.type, dataModel), loc, sizeType(dataModel));
        const pointer = converted(address(target, loc), pointerTo(voidType));
        return [call('memset', [pointer, integer(0, loc), size], loc)];
      }
      case 'havoc':
        return this.#havoc(node.args[0] as Expression, loc);
      case 'touch':
        return [this.#touch(node, loc)];
      case 'self':
      case 'nondet':
      case 'allocate':
      case 'objectSize':
        // Nobody wants the value.
        return [];
      case 'endThread':
        throw new InvariantError('the end of a thread is a jump by now');
      case null:
        return [statement];
    }
  }

  /** The message says the name of the check first, unless it is an ordinary assertion: `mutex: unlock of …`. */
  #assert(node: Builtin, loc: Loc): readonly Statement[] {
    const { spelling, cutsOffUnsupported, endsAtViolation } = this.#context;
    const { assert } = spelling;
    const [first, check, message] = node.args as [Expression, Expression | undefined, Expression | undefined];
    const holds = condition(first);
    const name = check && textOf(check);
    const assumed = call(spelling.assume, [holds], loc);
    if (cutsOffUnsupported && name === 'unsupported') return [assumed];
    const after = endsAtViolation ? [assumed] : [];
    if (!assert.takesMessage || !message) return [call(assert.name, [holds], loc), ...after];
    const said = textOf(message) ?? 'assertion';
    const text = name === null || name === undefined || name === 'assertion' ? said : `${name}: ${said}`;
    return [call(assert.name, [holds, decayed(string(text, this.#context.fresh.id(), loc))], loc), ...after];
  }

  #touch(node: Builtin, loc: Loc): Statement {
    const { address: place, size, offset, isWrite, isAtomic } = touchedPlace(node);
    const bytes = this.expression(size);
    const flags = [offset, Number(isWrite)].map((flag) => integer(flag, loc));
    return call(isAtomic ? TOUCH_ATOMIC : TOUCH, [place, bytes, ...flags], loc);
  }

  #spawn(node: Builtin, loc: Loc): readonly Statement[] {
    const [number, argument] = node.args as [Expression, Expression];
    if (number.kind !== 'integer') throw new InvariantError('a thread without a number');
    const thread = Number(number.value);
    const symbol = this.#context.threads[thread]?.argument;
    const store = symbol ? [assign(variable(symbol, loc), argument, loc)] : [];
    return [...store, this.#context.activate(thread, loc)];
  }

  // -------------------------------------------------------------- filling objects

  #havoc(target: Expression, loc: Loc): readonly Statement[] {
    const { type } = target;
    if (type.kind === 'array') return this.#havocArray(target, loc);
    if (type.kind === 'record') {
      const fields = (type.declaration.fields ?? []).filter((field) => field.name !== null || field.bits === null);
      const chosen = type.declaration.isUnion ? fields.slice(0, 1) : fields;
      return chosen.flatMap((field) => this.#havoc(member(target, field, loc), loc));
    }
    if (type.kind === 'void' || type.kind === 'function' || type.kind === 'va-list' || type.kind === 'complex')
      return [];
    return [assign(target, this.#nondet(type, loc), loc)];
  }

  #havocArray(target: Expression, loc: Loc): readonly Statement[] {
    const { type } = target;
    if (type.kind !== 'array' || typeof type.length !== 'number') return [];
    if (type.length <= UNROLL_LIMIT) {
      return Array.from({ length: type.length }, (_, i) => i).flatMap((i) =>
        this.#havoc(element(target, integer(i, loc), loc), loc),
      );
    }
    this.#context.used.hasOwnLoops = true;
    this.#counter ??= this.#context.fresh.variable({ name: '__lazuli_i', type: intType, loc, duration: 'static' });
    const counter = variable(this.#counter, loc);
    const { length } = type;
    const body = block(this.#havoc(element(target, counter, loc), loc), loc);
    return [
      {
        kind: 'for',
        init: [assign(counter, integer(0, loc), loc)],
        condition: {
          kind: 'comparison',
          operator: '<',
          left: counter,
          right: integer(length, loc),
          type: intType,
          loc,
        },
        step: { kind: 'increment', operator: '++', isPrefix: false, target: counter, type: intType, loc },
        body,
        loc,
      },
    ];
  }
}

/** The text of a string literal; null if it is none. */
function textOf(expression: Expression): string | null {
  let at = expression;
  while (at.kind === 'cast') at = at.operand;
  if (at.kind !== 'string') return null;
  return new TextDecoder().decode(Uint8Array.from(at.units.slice(0, -1)));
}

function call(name: string, args: readonly Expression[], loc: Loc): Statement {
  return expressionStatement(builtin(name, args, loc), loc);
}

/** A condition as an int, which the backend's functions take. */
function condition(expression: Expression): Expression {
  return isInteger(expression.type) ? expression : truth(expression);
}

export function nondetTypeOf(type: Type): NondetType {
  if (type.kind === 'pointer') return 'pointer';
  if (type.kind === 'float') return type.name;
  if (isInteger(type)) return integerNameOf(type);
  throw new InvariantError('a nondeterministic value that is no scalar');
}
