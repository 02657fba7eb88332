/** Makes events (outcome/progress.ts) of what engines tell. */

import type { Observer } from '../engines/engine.ts';
import type { ProgressEvent } from '../outcome/progress.ts';

export function observeAsEvents(send: (event: ProgressEvent) => void): Observer {
  return {
    onWork: (what) => send({ kind: 'work', what }),
    onStage: (stage) => send({ kind: 'stage', stage }),
    onFormula: (stage, size) => send({ kind: 'formula', stage, size }),
    onCovered: ({ bounds, cuts, assertions }) => send({ kind: 'covered', coverage: { bounds, cuts, assertions } }),
    onProof: (progress) => send({ kind: 'proof', progress }),
    onTime: (what, ms) => send({ kind: 'time', what, ms }),
  };
}
