/**
 * What a picture of the lanes shows of a step besides its text: threads that begin, end and are joined, locks that are
 * taken and given back. Mutexes are followed by what their models write, so that waiting for a condition, which gives
 * one back, and failed attempts are told right; other locks by the calls that did not block.
 */

import type { TraceEvent, TraceStep } from '../trace/trace.ts';

export type StepMark =
  | { readonly kind: 'create' | 'join'; readonly thread: number }
  | { readonly kind: 'exit' | 'wait' }
  | { readonly kind: 'lock' | 'unlock'; readonly lock: string };

/** Per step. */
export function findMarks(steps: readonly TraceStep[]): (readonly StepMark[])[] {
  return steps.map((step) => [...threadMarks(step), ...mutexMarks(step), ...otherLockMarks(step)]);
}

function threadMarks({ events, values }: TraceStep): StepMark[] {
  const isBlocked = events.some(({ kind }) => kind === 'blocked');
  return events.flatMap((event): StepMark[] => {
    if (event.kind === 'create') return [{ kind: 'create', thread: event.child }];
    if (event.kind === 'exit') return [{ kind: 'exit' }];
    if (event.kind === 'blocked') return [{ kind: 'wait' }];
    if (event.kind !== 'call' || isBlocked || !/^(?:pthread|thrd)_join$/.test(event.function)) return [];
    const told = [event.args[0] ?? '', ...values.map(({ value }) => value)];
    const [, joined] = told.map((text) => /^thread (\d+)$/.exec(text)).find((match) => match !== null) ?? [];
    return joined === undefined ? [] : [{ kind: 'join', thread: Number(joined) }];
  });
}

const MUTEX_WORD = '.__lock';

/** One that is given back and taken again in one step, as by waiting for a condition, is held before and after. */
function mutexMarks({ values }: TraceStep): StepMark[] {
  const last = new Map<string, { readonly wasHeld: boolean; readonly isHeld: boolean }>();
  for (const { kind, name, value, old, isInternal } of values) {
    if (kind !== 'write' || !isInternal || !name.endsWith(MUTEX_WORD)) continue;
    const lock = name.slice(0, -MUTEX_WORD.length);
    last.set(lock, { wasHeld: last.get(lock)?.wasHeld ?? (old !== null && old !== '0'), isHeld: value !== '0' });
  }
  return [...last].flatMap(([lock, { wasHeld, isHeld }]): StepMark[] =>
    wasHeld === isHeld ? [] : [{ kind: isHeld ? 'lock' : 'unlock', lock }],
  );
}

const OTHER_LOCKS = /^pthread_(?:spin|rwlock)_(try|timed)?(?:rd|wr)?(lock|unlock)$/;

function otherLockMarks({ events }: TraceStep): StepMark[] {
  const isRefused = events.some(({ kind }) => kind === 'blocked' || kind === 'result');
  return events.flatMap((event: TraceEvent): StepMark[] => {
    const match = event.kind === 'call' ? OTHER_LOCKS.exec(event.function) : null;
    if (event.kind !== 'call' || !match || isRefused) return [];
    const lock = (event.args[0] ?? '').replace(/^&/, '');
    return [{ kind: match[2] === 'unlock' ? 'unlock' : 'lock', lock }];
  });
}
