/** Writes to objects that nobody may write to: `const` ones and string literals. */

import { nameOfObject } from '../program/string-text.ts';
import type { Execution } from './execution.ts';
import type { Target } from './memory.ts';
import type { State } from './state.ts';
import type { Position, ThreadSteps } from './thread-steps.ts';

export function refuseConstants(
  { graph }: Execution,
  steps: ThreadSteps,
  state: State,
  targets: readonly Target[],
  position: Position,
): void {
  for (const { object, select } of targets) {
    if (!object.declared?.isConstant) continue;
    const message = `write to constant ${nameOfObject(object.declared)}`;
    steps.require(state, graph.not(select), 'pointer', message, position);
  }
}
