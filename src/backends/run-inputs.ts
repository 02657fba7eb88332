/**
 * The values that a backend's run drew, as the interpreter asks for them. The order of a thread's draws is the same on
 * both roads, but not everything is drawn on both: values that nobody uses are left out of the sequential program. So a
 * value is found by the place that drew it; by the line alone where the two roads name different places of one line.
 *
 * Bytes of local objects that are read before they are written are found by the name of the part (`[1].next`), the
 * how-manieth object of its variable it is telling which of several draws. What is not found is 0, as are pointers.
 * Bytes of allocated objects are those of the thread's how-manieth allocation.
 */

import type { Code } from '../program/code.ts';
import { wordSize } from '../program/data-model.ts';
import type { Loc, SourceMap } from '../support/source.ts';
import { Describer } from '../trace/describe-values.ts';
import type { Machine } from '../trace/interpreter/machine.ts';
import type { Region } from '../trace/interpreter/memory.ts';
import type { InputRequest, InputSource, Scalar } from '../trace/interpreter/state.ts';
import { layOutContents } from './allocated-contents.ts';
import type { BackendRun, RunAllocation, RunInput } from './read-run.ts';

interface Draw {
  readonly loc: Loc;
  readonly line: string;
  /** What follows the variable's name: `[1].next`. */
  readonly part: string;
  readonly value: Scalar;
  isUsed: boolean;
}

/** Inputs for one run of a machine; `threads` gives the machine's numbers of the run's threads. */
export function createRunInputs(run: BackendRun, code: Code, machine: () => Machine): InputSource {
  const draws = new Map<number, Draw[]>();
  for (const input of run.inputs) {
    const thread = run.created.indexOf(input.thread);
    draws.set(thread, [...(draws.get(thread) ?? []), toDraw(input, code.sources)]);
  }
  const places = nondetPlaces(code);
  const allocated = new Map<Region, Uint8Array>();
  const bytesOf = (region: Region): Uint8Array => {
    const bytes = allocated.get(region) ?? chooseContents(region, run, code, machine());
    allocated.set(region, bytes);
    return bytes;
  };
  return {
    nondet: (request) => drawValue(draws.get(request.thread.id) ?? [], request, code.sources, places),
    byte: (region, offset) =>
      isAllocated(region)
        ? (bytesOf(region)[offset] ?? 0)
        : drawByte(draws.get(region.thread) ?? [], region, offset, code, machine()),
  };
}

function isAllocated({ kind }: Region): boolean {
  return kind === 'heap' || kind === 'alloca';
}

/** What lies in an allocated object before anybody writes it. */
function chooseContents(region: Region, run: BackendRun, { dataModel }: Code, machine: Machine): Uint8Array {
  const fields = allocationsOf(run, region.thread)[allocatedBy(region.thread, machine).indexOf(region)]?.contents ?? [];
  const addressOf = (name: string) => findAddress(name, run, machine);
  return layOutContents(fields, { size: region.size, pointerSize: wordSize(dataModel), addressOf });
}

/** By the machine's number of the thread. */
function allocationsOf({ allocations, created }: BackendRun, thread: number): RunAllocation[] {
  return allocations.filter((each) => created.indexOf(each.thread) === thread);
}

function allocatedBy(thread: number, { memory }: Machine): Region[] {
  return memory.regions.filter((region) => isAllocated(region) && region.thread === thread);
}

/** Where an allocated or a global object lies that the backend names; null for others. */
function findAddress(name: string, run: BackendRun, machine: Machine): bigint | null {
  const allocation = run.allocations.find(({ object }) => object === name);
  const { code, statics } = machine.program;
  const global = code.objects.find((object) => object.duration === 'static' && object.name === name);
  if (allocation === undefined) return global === undefined ? null : BigInt(statics[global.id] as number);
  const thread = run.created.indexOf(allocation.thread);
  const region = allocatedBy(thread, machine)[allocationsOf(run, thread).indexOf(allocation)];
  return region === undefined ? null : BigInt(region.base);
}

function toDraw({ loc, target, value }: RunInput, sources: SourceMap): Draw {
  const spelled = sources.spellingOf(loc);
  const part = target.replace(/^[A-Za-z_$][\w$]*/, '');
  return { loc: spelled, line: lineOf(sources, spelled), part, value: parseValue(value), isUsed: false };
}

function lineOf(sources: SourceMap, loc: Loc): string {
  const place = sources.place(loc);
  return place ? `${place.file}:${place.line}` : '';
}

/** Numbers as backends print them; 0 for what is none. */
function parseValue(text: string): Scalar {
  const trimmed = text.trim();
  if (/^-?\d+$/.test(trimmed)) return BigInt(trimmed);
  const number = Number(trimmed.replace(/[fFlL]$/, '').replace(/^\+/, ''));
  return Number.isNaN(number) && !/nan/i.test(trimmed) ? 0n : number;
}

/** The places (as spelled) of all instructions that draw a value. */
function nondetPlaces({ functions, sources }: Code): ReadonlySet<Loc> {
  const places = new Set<Loc>();
  for (const { instructions } of functions) {
    for (const { kind, loc } of instructions) if (kind === 'nondet') places.add(sources.spellingOf(loc));
  }
  return places;
}

function drawValue(
  draws: readonly Draw[],
  { instruction }: InputRequest,
  sources: SourceMap,
  places: ReadonlySet<Loc>,
): Scalar {
  const loc = sources.spellingOf(instruction.loc);
  const line = lineOf(sources, loc);
  const isNear = (draw: Draw) => !draw.isUsed && draw.line === line && !places.has(draw.loc);
  const found = draws.find((draw) => !draw.isUsed && draw.loc === loc) ?? draws.find(isNear);
  if (!found) return 0;
  found.isUsed = true;
  return instruction.type.kind === 'float' ? Number(found.value) : found.value;
}

function drawByte(draws: readonly Draw[], region: Region, offset: number, code: Code, { memory }: Machine): number {
  const object = code.objects[region.object];
  if (!object?.variable) return 0;
  const loc = code.sources.spellingOf(object.variable.loc);
  const instances = memory.regions.filter((other) => other.object === region.object && other.thread === region.thread);
  const instance = instances.indexOf(region);
  for (const size of [1, 2, 4, 8]) {
    const start = offset - (offset % size);
    const part = new Describer(code, memory).cell(region.base + start, size).name.slice(object.name.length);
    const value = draws.filter((draw) => draw.loc === loc && draw.part === part)[instance]?.value;
    if (typeof value === 'bigint') return Number((value >> BigInt(8 * (offset - start))) & 0xffn);
  }
  return 0;
}
