/**
 * Conditional inclusion (C11 6.10.1 and C23's `#elifdef`). Each open file has a stack of its own: a conditional may not
 * end in another file. Groups that are not taken are skipped token by token, with only the conditionals in them looked
 * at.
 */

import type { PreprocessingToken } from '../lex/token.ts';
import { type Directive, expectLineEnd, macroName } from './directive-line.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { isDefined } from './feature-tests.ts';
import { type Conditional, currentFile, type Session } from './session.ts';

export const CONDITIONAL_DIRECTIVES: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  ['if', runIf],
  ['ifdef', runIf],
  ['ifndef', runIf],
  ['elif', runElif],
  ['elifdef', runElif],
  ['elifndef', runElif],
  ['else', runElse],
  ['endif', runEndif],
]);

/** Whether the text at the current place of the current file is left out. */
export function isSkipping(session: Session): boolean {
  const innermost = currentFile(session).conditionals.at(-1);
  return innermost !== undefined && !innermost.active;
}

function runIf(session: Session, name: PreprocessingToken): void {
  const open = currentFile(session);
  const outerSkipped = isSkipping(session);
  const mayGuard = open.guard.kind === 'start';
  open.guard = mayGuard ? { kind: 'inside' } : open.guard;
  const condition = outerSkipped ? SKIPPED : decide(session, name);
  const guard = mayGuard ? condition.guard : null;
  if (mayGuard && guard === null) open.guard = { kind: 'none' };
  open.conditionals.push({
    loc: name.loc,
    directive: name.text,
    outerSkipped,
    active: !outerSkipped && condition.holds,
    taken: condition.holds,
    elseLoc: null,
    guard,
  });
}

interface Condition {
  readonly holds: boolean;
  /** The macro M, when the condition is that M is not defined. */
  readonly guard: string | null;
}

const SKIPPED: Condition = { holds: false, guard: null };

/** The condition of `#if`, `#elif` and their relatives; a faulty one does not hold. */
function decide(session: Session, name: PreprocessingToken): Condition {
  if (name.text === 'if' || name.text === 'elif') {
    const { value, notDefined } = evaluateCondition(session, name);
    return { holds: value, guard: notDefined };
  }
  const macro = macroName(session, name);
  if (!macro) return SKIPPED;
  expectLineEnd(session, name);
  const defined = isDefined(session.macros, macro.text);
  return name.text.endsWith('ndef') ? { holds: !defined, guard: macro.text } : { holds: defined, guard: null };
}

/** The innermost conditional, which the directive goes on with; null after a reported fault. */
function innermost(session: Session, name: PreprocessingToken): Conditional | null {
  const conditional = currentFile(session).conditionals.at(-1);
  if (conditional) return conditional;
  session.sink.error(name.loc, 'conditional', `#${name.text} without #if`);
  return null;
}

function runElif(session: Session, name: PreprocessingToken): void {
  const conditional = innermost(session, name);
  if (!conditional || refuseAfterElse(session, conditional, name)) return;
  conditional.guard = null;
  conditional.active = false;
  if (conditional.outerSkipped || conditional.taken) return;
  const { holds } = decide(session, name);
  conditional.active = holds;
  conditional.taken = holds;
}

function runElse(session: Session, name: PreprocessingToken): void {
  const conditional = innermost(session, name);
  if (!conditional || refuseAfterElse(session, conditional, name)) return;
  conditional.guard = null;
  conditional.active = !conditional.outerSkipped && !conditional.taken;
  conditional.taken = true;
  conditional.elseLoc = name.loc;
  if (!conditional.outerSkipped) expectLineEnd(session, name);
}

function refuseAfterElse(session: Session, conditional: Conditional, name: PreprocessingToken): boolean {
  if (conditional.elseLoc === null) return false;
  const notes = [{ loc: conditional.loc, message: 'the conditional began here' }];
  session.sink.error(name.loc, 'conditional', `#${name.text} after #else`, notes);
  return true;
}

function runEndif(session: Session, name: PreprocessingToken): void {
  const conditional = innermost(session, name);
  if (!conditional) return;
  const open = currentFile(session);
  open.conditionals.pop();
  if (!conditional.outerSkipped) expectLineEnd(session, name);
  if (open.guard.kind === 'inside' && open.conditionals.length === 0) {
    open.guard = conditional.guard === null ? { kind: 'none' } : { kind: 'after', macro: conditional.guard };
  }
}
