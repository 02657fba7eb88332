/**
 * What a violation under TSO or PSO has to do with the memory model: which two accesses were exchanged, whether the
 * program breaks without, and where fences repair it.
 */

import type { Unsafe } from '../outcome/outcome.ts';
import type { Trace, TracePlace, TraceStep } from '../trace/trace.ts';
import { describeBounds } from './describe-bounds.ts';

export function describeWeak({ trace, weak }: Unsafe): string[] {
  const exchange = trace && findExchange(trace);
  const notes = exchange ? [exchange] : [];
  if (!weak) return notes;
  const { memoryModel, breaksUnderSc, bounds, fences } = weak;
  const within = `within these bounds (${describeBounds(bounds)})`;
  notes.push(
    breaksUnderSc
      ? `Not a matter of the memory model: it breaks under sequential consistency, too, ${within}.`
      : `Under sequential consistency it does not break ${within}: ${memoryModel.toUpperCase()} is what breaks it.`,
  );
  if (fences) {
    const lines = fences.places.map(printPlace);
    const isOneLine = new Set(lines).size < lines.length;
    const places = fences.places.map((place, i) => (isOneLine ? `${lines[i]}:${place.column}` : lines[i])).join(', ');
    const what = fences.places.length === 1 ? 'A full fence behind the store at' : 'Full fences behind the stores at';
    notes.push(`${what} ${places} ${fences.places.length === 1 ? 'repairs' : 'repair'} it ${within}; fewer do not.`);
  }
  return notes;
}

function printPlace({ file, line }: TracePlace): string {
  return `${file}:${line}`;
}

/** A pending store of the counterexample. */
interface Pending {
  readonly thread: number;
  readonly name: string;
  readonly place: TracePlace | null;
}

/** The first store that arrives after a later access of its thread. */
function findExchange({ steps }: Trace): string | null {
  const pending: Pending[] = [];
  for (const step of steps) {
    const arrived = step.events.flatMap((event) => (event.kind === 'commit' ? [event.name] : []));
    for (const name of arrived) {
      const at = pending.findIndex((store) => store.thread === step.thread && store.name === name);
      const older = pending.slice(0, at).find((store) => store.thread === step.thread);
      if (older) return tell(older, `the later store to ${name}`, step);
      if (at >= 0) pending.splice(at, 1);
    }
    for (const value of step.values) {
      if (value.isInternal) continue;
      const older = pending.find((store) => store.thread === step.thread && store.name !== value.name);
      if (value.kind === 'read' && older) return tell(older, `the later read of ${value.name}`, step);
      if (value.isPending) pending.push({ thread: step.thread, name: value.name, place: step.place });
    }
  }
  return null;
}

function tell({ thread, name, place }: Pending, later: string, step: TraceStep): string {
  const at = (where: TracePlace | null) => (where ? ` (line ${where.line})` : '');
  return `Exchanged in thread ${thread}: the store to ${name}${at(place)} takes effect after ${later}${at(step.place)}.`;
}
