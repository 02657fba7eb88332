// Times on a machine that does other things too: everything is run several times and the median counts. To compare two
// things, run them in turns and look at the median of the ratios: slow phases of the machine then hit both.

export interface Times {
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

type Action = () => void | Promise<void>;

/** Runs an action once to warm up, then as often as asked for. */
export async function measure(runs: number, action: Action): Promise<Times> {
  await timeOnce(action);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timeOnce(action));
  return { medianMs: median(times), minMs: Math.min(...times), maxMs: Math.max(...times) };
}

/** How many times longer `action` takes than `baseline`: the median over runs in turns, after one to warm up. */
export async function measureRatio(runs: number, action: Action, baseline: Action): Promise<number> {
  const ratios: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const baselineMs = await timeOnce(baseline);
    const actionMs = await timeOnce(action);
    if (run > 0) ratios.push(actionMs / baselineMs);
  }
  return median(ratios);
}

/** Three significant digits and a unit that suits. */
export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 100 ? `${ms.toFixed(0)} ms` : `${ms.toPrecision(3)} ms`;
}

async function timeOnce(action: Action): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
