/**
 * What main may be called with. The strings are few and short, so that where main looks at them nothing is proved. But
 * most mains only look at how many there are, or print the first ones: then there may be as many as fit into the space
 * that Linux has for them.
 */

import type { Expression, FunctionDefinition, FunctionSymbol, VariableSymbol } from './tree.ts';
import { walkStatement } from './visit-tree.ts';

/** So many strings are modelled, of so many bytes. */
export const MODELLED_ARGUMENTS = 3;
export const ARGUMENT_LENGTH = 8;
/** Six megabytes, and ten bytes each at least. */
const MOST_ARGUMENTS = 1 << 20;

/** They look at none of the strings that they are given. */
const PRINTS: ReadonlySet<string> = new Set([
  ...['printf', 'fprintf', 'dprintf', 'puts', 'fputs', 'perror', 'psignal', 'syslog'],
  ...['err', 'errx', 'warn', 'warnx', 'error'],
]);

/** How many arguments main may be given at most. */
export function mostArguments(main: FunctionDefinition): number {
  return usesOf(main).every(({ isOneOfFirst }) => isOneOfFirst) ? MOST_ARGUMENTS : MODELLED_ARGUMENTS;
}

/** What executions are left out; null where none are. `isOwn`: a function that the program defines itself. */
export function missedArguments(main: FunctionDefinition, isOwn: (symbol: FunctionSymbol) => boolean): string | null {
  const texts = `of at most ${ARGUMENT_LENGTH - 1} characters`;
  if (mostArguments(main) === MODELLED_ARGUMENTS)
    return `main is given at most ${MODELLED_ARGUMENTS} arguments ${texts}`;
  const isPrinted = ({ printedBy }: Use) => printedBy !== null && !isOwn(printedBy);
  return usesOf(main).every(isPrinted) ? null : `main is given arguments ${texts}`;
}

interface Use {
  /** `argv[k]`, of one of the strings that are modelled. */
  readonly isOneOfFirst: boolean;
  /** The function that it is only given to, to print it. */
  readonly printedBy: FunctionSymbol | null;
}

/** Where main mentions its second parameter. */
function usesOf({ body, parameters }: FunctionDefinition): readonly Use[] {
  const argv = parameters[1];
  if (argv === undefined) return [];
  const first = new Set<Expression>();
  const addressed = new Set<Expression>();
  const printed = new Map<Expression, FunctionSymbol>();
  const uses: Use[] = [];
  walkStatement(body, {
    expression: (node) => {
      if (node.kind === 'call' && node.callee.kind === 'function' && PRINTS.has(node.callee.symbol.name))
        for (const argument of node.args) printed.set(withoutCasts(argument), node.callee.symbol);
      if (node.kind === 'address') addressed.add(node.operand);
      const mentioned = mentionIn(node, argv);
      if (mentioned === null || addressed.has(node)) return;
      first.add(mentioned);
      uses.push({ isOneOfFirst: true, printedBy: printed.get(node) ?? null });
    },
  });
  const all = countMentions(body, argv);
  return all === first.size ? uses : [{ isOneOfFirst: false, printedBy: null }];
}

/** The mention of the parameter in `argv[k]`. */
function mentionIn(node: Expression, argv: VariableSymbol): Expression | null {
  const index = node.kind === 'index' ? withoutCasts(node.index) : null;
  if (node.kind !== 'index' || index?.kind !== 'integer') return null;
  if (index.value < 0n || index.value >= BigInt(MODELLED_ARGUMENTS)) return null;
  const base = withoutCasts(node.base);
  return base.kind === 'variable' && base.symbol === argv ? base : null;
}

function countMentions(body: FunctionDefinition['body'], argv: VariableSymbol): number {
  let count = 0;
  walkStatement(body, {
    expression: (node) => {
      if (node.kind === 'variable' && node.symbol === argv) count++;
    },
  });
  return count;
}

function withoutCasts(expression: Expression): Expression {
  return expression.kind === 'cast' ? withoutCasts(expression.operand) : expression;
}
