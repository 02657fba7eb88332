/**
 * The schedule by names of a run that a machine made by itself (explored, counted): the form in which the symbolic
 * engine gives its counterexamples, so that both can be replayed and shown alike.
 */

import type { CompiledProgram } from './interpreter/compile-instructions.ts';
import { frameKey } from './interpreter/frames.ts';
import { Machine, type MachineOptions } from './interpreter/machine.ts';
import type { Region } from './interpreter/memory.ts';
import type { Frame } from './interpreter/state.ts';
import type { Schedule, Segment } from './replay.ts';

/**
 * What a run does next: the number of a thread that makes a visible step; or, below zero, a pending store of a thread
 * that reaches memory.
 */
export type Choice = number;

const THREADS = 1 << 16;

export function commitChoice(thread: number, place: number): Choice {
  return -1 - (thread + THREADS * place);
}

export function readCommit(choice: Choice): { readonly thread: number; readonly place: number } | null {
  if (choice >= 0) return null;
  const code = -1 - choice;
  return { thread: code % THREADS, place: Math.floor(code / THREADS) };
}

/** Runs the choices again and notes each step by its key. `limit` is that of `Machine.step`. */
export function scheduleOfRun(
  program: CompiledProgram,
  choices: readonly Choice[],
  options: MachineOptions,
  limit: number,
): Schedule {
  const inputs = new Map<string, bigint | number>();
  const machine = new Machine(program, {
    ...options,
    nameRegions: true,
    inputs: {
      nondet: (request) => options.inputs.nondet(request),
      byte: (region: Region, offset: number) => {
        const byte = options.inputs.byte(region, offset);
        inputs.set(`${region.thread}:${region.creator}+${offset}`, byte);
        return byte;
      },
    },
  });
  machine.recorder = (event, frame) => {
    if (event.kind !== 'set' || !event.isInput) return;
    inputs.set(`${frame.thread.id}:${frameKey(frame, frame.pc - 1)}`, event.value);
  };
  const segments: { thread: number; steps: string[]; commits?: string[] }[] = [];
  for (const id of choices) {
    const commit = readCommit(id);
    if (commit) {
      const thread = machine.thread(commit.thread);
      segments.push({ thread: thread.id, steps: [], commits: [thread.buffer[commit.place]?.key ?? ''] });
      machine.buffers?.commit(thread, commit.place);
      continue;
    }
    if (machine.status !== 'running' || !machine.threads[id]) break;
    const step = runStep(machine, id, limit);
    const last = segments[segments.length - 1];
    const segment = last?.thread === id && !last.commits ? last : { thread: id, steps: [] };
    if (segment !== last) segments.push(segment);
    // A step that only waited has had no effect.
    if (step !== null) segment.steps.push(step);
  }
  return { segments: dropIdle(segments), inputs };
}

/**
 * One step as Machine.step makes it; the key of its last visible instruction, or of the one with which the thread ends,
 * or null if it had no effect. A step in which the thread comes to wait has one if variables ended on the way there.
 */
function runStep(machine: Machine, id: number, limit: number): string | null {
  const thread = machine.thread(id);
  const last = machine.instructions + limit;
  let key: string | null = null;
  let ending: string | null = null;
  while (machine.status === 'running' && machine.instructions < last) {
    const { frame } = thread;
    const isVisible = frame.function.visible[frame.pc] === 1;
    const isInSection = machine.atomicDepth > 0;
    if ((isVisible && !isInSection) || isEnd(frame)) key = machine.instanceKey(thread);
    if (!isInSection && endsVariables(frame)) ending = machine.instanceKey(thread);
    machine.stepInstruction(thread);
    if (thread.status === 'blocked' || thread.status === 'stuck') return ending;
    if (thread.status !== 'ready') return key;
    if ((isVisible || isInSection) && machine.atomicDepth === 0 && machine.threads.length > 1) return key;
  }
  return key;
}

/** Others can notice the end of a thread: its variables end. */
function isEnd(frame: Frame): boolean {
  return frame.parent === null && endsVariables(frame);
}

function endsVariables({ function: { source }, pc }: Frame): boolean {
  const kind = source.instructions[pc]?.kind;
  return kind === 'return' || kind === 'leave-object';
}

/** Segments in which a thread only waited are not needed, but for the last: it runs on to the violation. */
function dropIdle(segments: readonly Segment[]): Segment[] {
  const kept: Segment[] = [];
  segments.forEach((segment, i) => {
    if (segment.steps.length === 0 && !segment.commits && i < segments.length - 1) return;
    const last = kept[kept.length - 1];
    if (last?.thread === segment.thread && !last.commits && !segment.commits)
      kept[kept.length - 1] = { ...last, steps: [...last.steps, ...segment.steps] };
    else kept.push(segment);
  });
  return kept;
}
