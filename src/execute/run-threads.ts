/**
 * One iteration of the symbolic execution: all threads one after the other, main first, each after its creator. With
 * `isQuick`, those that come later see at once what the earlier ones have written.
 */

import { invariant } from '../support/invariant.ts';
import { showWrites } from './cell-values.ts';
import type { Execution, PendingThread } from './execution.ts';
import { initialState } from './state.ts';
import { ThreadBuilder } from './step-builder.ts';
import type { SteppedThread } from './steps.ts';
import { ThreadExecutor } from './thread-executor.ts';

export function runThreads(execution: Execution, isQuick: boolean): SteppedThread[] {
  const { code, graph } = execution;
  const main = new ThreadBuilder(0, 'main', null);
  new ThreadExecutor(execution, main).run(code.main, [], initialState(graph, false), null);
  const threads: SteppedThread[] = [main.finish()];
  for (let at = 0; at < execution.pending.length; at++) {
    const pending = execution.pending[at] as PendingThread;
    const entry = code.threadEntry;
    invariant(entry !== null, 'a thread is created but the program has no thread entry');
    const builder = new ThreadBuilder(pending.index, threadName(execution, pending), pending.spawn);
    const state = initialState(graph, true, pending.written ?? undefined);
    if (isQuick) showWrites(execution);
    new ThreadExecutor(execution, builder).run(entry, [pending.start, pending.argument], state, pending.place);
    threads.push(builder.finish());
  }
  return threads.sort((a, b) => a.index - b.index);
}

function threadName(execution: Execution, pending: PendingThread): string {
  const names = execution
    .functionsAt(execution.graph.setOf(pending.start))
    .map((id) => execution.code.functions[id]?.name);
  return names.length === 1 ? `${names[0]}` : `thread ${pending.index}`;
}
