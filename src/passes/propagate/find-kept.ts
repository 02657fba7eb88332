/**
 * Local variables whose address does not leave the thread, though it is taken: it goes to pointers of the thread which
 * are private variables themselves, and these are followed, compared and copied to one another, nothing else. So it is
 * with `&id[i]` in `pthread_create(&id[i], …)` once the call is inlined. Nobody else can touch such a variable, and the
 * thread itself by its name or through a pointer, which may then be known.
 *
 * The order of statements does not count.
 */

import { primitiveOf } from '../../program/primitives.ts';
import type { Expression, FunctionDefinition, VariableSymbol } from '../../program/tree.ts';
import { expressionsOf, pushChildren, walkPlainStatementsOnce } from '../../program/visit-tree.ts';
import type { Accesses } from '../alias/sharing.ts';
import { localVariables } from './drop-dead-stores.ts';

/** Where a value goes: to a pointer variable, to a place where it is followed or compared, or anywhere. */
type Sink = VariableSymbol | 'followed' | 'anywhere';

export function findKept(definition: FunctionDefinition, { escapes }: Accesses): Set<VariableSymbol> {
  const locals = localVariables(definition);
  const among = new Set([...escapes].filter((symbol) => locals.has(symbol)));
  if (among.size === 0) return among;
  const flow = new AddressFlow(locals);
  walkPlainStatementsOnce(definition.body, (statement) => {
    const sink = statement.kind === 'if' ? 'followed' : 'anywhere';
    for (const expression of expressionsOf(statement)) flow.add(expression, sink);
  });
  return flow.keptAmong(among);
}

class AddressFlow {
  readonly #locals: ReadonlySet<VariableSymbol>;
  /** By pointer variable: the variables whose address, or whose value, it gets. */
  readonly #sources = new Map<VariableSymbol, Set<VariableSymbol>>();
  /** Variables whose address or value goes anywhere. */
  readonly #leaving = new Set<VariableSymbol>();
  /** Pointer variables whose own address is taken: what they hold can be read through it, and go anywhere. */
  readonly #exposed = new Set<VariableSymbol>();
  readonly #pending: { readonly expression: Expression; readonly sink: Sink }[] = [];

  constructor(locals: ReadonlySet<VariableSymbol>) {
    this.#locals = locals;
  }

  keptAmong(among: ReadonlySet<VariableSymbol>): Set<VariableSymbol> {
    const stack = [...this.#leaving, ...this.#exposed];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      for (const source of this.#sources.get(at) ?? []) {
        if (this.#leaving.has(source)) continue;
        this.#leaving.add(source);
        stack.push(source);
      }
    }
    return new Set([...among].filter((symbol) => !this.#leaving.has(symbol)));
  }

  add(expression: Expression, sink: Sink): void {
    this.#push(expression, sink);
    for (let at = this.#pending.pop(); at !== undefined; at = this.#pending.pop()) this.#value(at.expression, at.sink);
  }

  #push(expression: Expression, sink: Sink): void {
    this.#pending.push({ expression, sink });
  }

  #goes(symbol: VariableSymbol, sink: Sink): void {
    if (sink === 'followed') return;
    if (sink === 'anywhere') {
      this.#leaving.add(symbol);
      return;
    }
    const sources = this.#sources.get(sink);
    if (sources) sources.add(symbol);
    else this.#sources.set(sink, new Set([symbol]));
  }

  #value(expression: Expression, sink: Sink): void {
    switch (expression.kind) {
      case 'variable':
        if (expression.type.kind === 'pointer') this.#goes(expression.symbol, sink);
        break;
      case 'member':
      case 'index':
      case 'dereference':
        this.#place(expression, 'followed');
        break;
      case 'address':
        if (expression.operand.kind === 'variable') this.#exposed.add(expression.operand.symbol);
        this.#place(expression.operand, sink);
        break;
      case 'cast':
        this.#cast(expression, sink);
        break;
      case 'pointer-offset':
        this.#push(expression.pointer, sink);
        this.#push(expression.offset, 'anywhere');
        break;
      case 'comparison':
      case 'logical':
        this.#push(expression.left, 'followed');
        this.#push(expression.right, 'followed');
        break;
      case 'assignment':
        this.#assignment(expression);
        break;
      case 'builtin':
        this.#builtin(expression);
        break;
      default:
        this.#children(expression, 'anywhere');
    }
  }

  #children(expression: Expression, sink: Sink): void {
    const children: Expression[] = [];
    pushChildren(expression, children);
    for (const child of children) this.#push(child, sink);
  }

  #cast(expression: Extract<Expression, { kind: 'cast' }>, sink: Sink): void {
    const { castKind, operand } = expression;
    if (castKind === 'array-to-pointer') this.#place(operand, sink);
    else if (castKind === 'pointer' || castKind === 'qualification') this.#push(operand, sink);
    else this.#push(operand, castKind === 'to-bool' ? 'followed' : 'anywhere');
  }

  #assignment({ target, value }: Extract<Expression, { kind: 'assignment' }>): void {
    const isOwn = target.kind === 'variable' && target.type.kind === 'pointer' && this.#locals.has(target.symbol);
    this.#push(value, isOwn ? target.symbol : 'anywhere');
    this.#place(target, 'followed');
  }

  #builtin(expression: Extract<Expression, { kind: 'builtin' }>): void {
    const primitive = primitiveOf(expression);
    if (primitive === 'havoc' || primitive === 'zero') {
      for (const arg of expression.args) this.#place(arg, 'followed');
    } else {
      const isFollowed = primitive === 'assume' || primitive === 'assert' || primitive === 'touch';
      this.#children(expression, isFollowed ? 'followed' : 'anywhere');
    }
  }

  /** An lvalue, whose address goes to the sink. */
  #place(lvalue: Expression, sink: Sink): void {
    let at = lvalue;
    while (at.kind === 'member') at = at.object;
    switch (at.kind) {
      case 'variable':
        this.#goes(at.symbol, sink);
        break;
      case 'index':
        this.#push(at.index, 'anywhere');
        this.#push(at.base, sink);
        break;
      case 'dereference':
        this.#push(at.operand, sink);
        break;
      case 'compound-literal':
        this.#goes(at.symbol, 'anywhere');
        break;
      default:
        this.#push(at, 'anywhere');
    }
  }
}
