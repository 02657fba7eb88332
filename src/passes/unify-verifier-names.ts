/**
 * One spelling for what verifiers know by name: assertions (`assert`, `__assert_fail`, `__VERIFIER_assert`, calls of
 * `__VERIFIER_error` and `reach_error`, labels named ERROR), assumptions, nondeterministic values, atomic sections.
 * They become the primitives of primitives.ts, and so do the calls in which the models use them.
 *
 * `assert` from <assert.h> is a conditional expression (or, in older headers, a statement) around `__assert_fail`; it
 * becomes one assertion of the condition.
 *
 * Where deadlocks are looked for, the assumptions on which the models wait are marked (mark-waits.ts).
 */

import { builtin, cast, expressionStatement, integer, negated, truth } from '../program/build-tree.ts';
import { assert, atomicBeginCall, nondet, PRIMITIVES, primitiveNamed, primitiveOf } from '../program/primitives.ts';
import type { Expression, Program, Statement, TopLevelItem } from '../program/tree.ts';
import { voidType } from '../program/type-operations.ts';
import { isErrorLabel, verifierMeaning } from '../program/verifier-names.ts';
import { asOne, itemsOf, mapBlock, mapExpression, type StatementRebuild } from '../program/visit-tree.ts';
import { isModelPlace, type Loc } from '../support/source.ts';
import { markWaits } from './mark-waits.ts';
import type { PassContext } from './pass.ts';

type Call = Extract<Expression, { kind: 'call' }>;

export function unifyVerifierNames(program: Program, context: PassContext): Program {
  const unifier = new Unifier(context);
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    const definition = { ...item.definition, body: mapBlock(item.definition.body, unifier.rebuild) };
    const waits = context.options.seeks === 'deadlock' && isModelPlace(program.sources, definition.loc);
    return { ...item, definition: waits ? markWaits(definition) : definition };
  });
  return { ...program, items };
}

/** Those that keep their meaning when the program has a body for them. */
const FIXED_MEANING: ReadonlySet<string> = new Set([
  '__VERIFIER_assert',
  '__VERIFIER_error',
  'reach_error',
  '__VERIFIER_assume',
]);

class Unifier {
  readonly #context: PassContext;

  constructor(context: PassContext) {
    this.#context = context;
  }

  readonly rebuild: StatementRebuild = {
    expression: (expression) => this.#expression(expression),
    statement: (statement) => this.#statement(statement),
  };

  #expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      switch (node.kind) {
        case 'call':
          return this.#call(node);
        case 'conditional':
          return this.#conditionalAssert(node) ?? node;
        case 'statement-expression':
          return { ...node, body: mapBlock(node.body, this.rebuild) };
        default:
          return node;
      }
    });
  }

  #call(call: Call): Expression {
    if (call.callee.kind !== 'function') return call;
    const { symbol } = call.callee;
    const name = symbol.sourceName ?? symbol.name;
    const { loc, args, type } = call;
    const [first] = args;
    if (primitiveNamed(name)) return builtin(name, args, loc, type);
    if (symbol.definition && !FIXED_MEANING.has(name)) return call;
    switch (verifierMeaning(name)) {
      case 'assume':
        return first ? builtin(PRIMITIVES.assume, [first], loc) : call;
      case 'assert':
        return first ? this.#assertion(first, 'assertion', loc) : call;
      case 'error':
        return this.#assertion(integer(0, loc), `call of ${name}`, loc);
      case 'failed-assertion':
        return this.#assertion(integer(0, loc), textOf(call) ?? 'assertion', loc);
      case 'invariant':
        return integer(0, loc);
      case 'atomic-begin':
        return atomicBeginCall(loc, this.#context.options.seeks === 'race' ? 'section' : null);
      case 'atomic-end':
        return builtin(PRIMITIVES.atomicEnd, [], loc);
      case 'nondet':
        return nondet(type, loc);
      case 'nondet-memory':
        this.#context.sink.error(loc, 'unsupported', `${name} is not supported by the passes from C to C`);
        return call;
      default:
        // Those that end the program have no body and never return: inlining sees to it.
        return call;
    }
  }

  /** Where something else is sought, the program ends where an assertion fails. */
  #assertion(condition: Expression, message: string, loc: Loc): Expression {
    if (this.#context.options.seeks !== null) return haltUnless(condition, loc);
    return assert(condition, 'assertion', message, () => this.#context.fresh.id(), loc);
  }

  /** `condition ? (void)0 : assert(0)`, as the macro of <assert.h> expands. */
  #conditionalAssert(node: Extract<Expression, { kind: 'conditional' }>): Expression | null {
    if (node.type.kind !== 'void' || node.then === null || !isNothing(node.then)) return null;
    return withCondition(node.otherwise, node.condition);
  }

  #statement(statement: Statement): readonly Statement[] {
    if (statement.kind === 'if') return [conditionalAssertStatement(statement) ?? statement];
    if (statement.kind === 'block') return [{ ...statement, items: this.#withErrorLabels(statement.items) }];
    return [statement];
  }

  #withErrorLabels(items: readonly Statement[]): readonly Statement[] {
    if (!this.#context.options.errorLabels || this.#context.options.seeks !== null) return items;
    return items.flatMap((item, at) => {
      if (item.kind !== 'label' || !isErrorLabel(item.label.name)) return [item];
      const next = items[at + 1];
      const saysSo = next?.kind === 'expression' && primitiveOf(next.expression) === 'assert';
      const assertion = this.#assertion(integer(0, item.loc), `label ${item.label.name} is reached`, item.loc);
      return saysSo ? [item] : [item, expressionStatement(assertion)];
    });
  }
}

function haltUnless(condition: Expression, loc: Loc): Expression {
  const end = builtin(PRIMITIVES.halt, [], loc);
  if (condition.kind === 'integer') return condition.value === 0n ? end : integer(0, loc);
  const nothing = cast(integer(0, loc), voidType, 'to-void', loc);
  return { kind: 'conditional', condition: truth(condition), then: nothing, otherwise: end, type: voidType, loc };
}

/** The text of the condition that `__assert_fail` is given. */
function textOf(call: Call): string | null {
  let at = call.args[0];
  while (at?.kind === 'cast') at = at.operand;
  if (at?.kind !== 'string') return null;
  return `assertion ${new TextDecoder().decode(new Uint8Array(at.units.slice(0, -1)))}`;
}

function isNothing(expression: Expression): boolean {
  let at = expression;
  while (at.kind === 'cast' && at.castKind === 'to-void') at = at.operand;
  return at.kind === 'integer';
}

/** An assertion of 0 (perhaps after effects in parentheses that do not matter) as one of the condition instead. */
function withCondition(failure: Expression, condition: Expression): Expression | null {
  let at = failure;
  while (at.kind === 'cast' && at.castKind === 'to-void') at = at.operand;
  if (at.kind !== 'builtin' || at.name !== PRIMITIVES.assert) return null;
  const [failed, ...rest] = at.args;
  return failed?.kind === 'integer' && failed.value === 0n ? { ...at, args: [condition, ...rest] } : null;
}

/** `if (condition) ; else assert(0);` and `if (!condition) assert(0);`. */
function conditionalAssertStatement(statement: Extract<Statement, { kind: 'if' }>): Statement | null {
  const { condition, then, otherwise, loc } = statement;
  const isInverted = otherwise === null;
  if (!isInverted && itemsOf(then).length > 0) return null;
  const failing = itemsOf(isInverted ? then : otherwise);
  const [only] = failing;
  if (failing.length !== 1 || only?.kind !== 'expression') return null;
  const assertion = withCondition(only.expression, isInverted ? negated(condition, loc) : condition);
  return assertion && asOne([expressionStatement(assertion, loc)], statement);
}
