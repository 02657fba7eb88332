// Compares what the interpreter sees with what the value analysis says: every value that a variable is given or read
// with must lie in its set. A thread stops where it leaves the bounds of the analysis, and the others go on; what
// follows there is none of the analysis's business.
//
// Addresses differ between the interpreter and the analysis: an address counts as the same when it is that of the same
// object, of whichever instance. Numbers of threads are given in another order and are not compared.

import { boundaryValues, type InputMode, recordingInputs } from '../../src/engines/explore/inputs.ts';
import { priorities, randomWalk, roundRobin, type Scheduler } from '../../src/engines/explore/schedulers.ts';
import type { MemoryObject } from '../../src/execute/cells.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { uniformBounds } from '../../src/program/bounds.ts';
import type { Code, Instruction, ScalarType } from '../../src/program/code.ts';
import type { ScalarPart } from '../../src/program/scalar-parts.ts';
import type { VariableRange } from '../../src/ranges/make-range.ts';
import { nameAllocations } from '../../src/ranges/name-allocations.ts';
import { findVariableRanges, type RangeAnalysis } from '../../src/ranges/variable-ranges.ts';
import { createRandom, type Random } from '../../src/support/random.ts';
import { type CompiledProgram, compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { Machine } from '../../src/trace/interpreter/machine.ts';
import type { Frame, MachineEvent, Scalar, Thread } from '../../src/trace/interpreter/state.ts';
import { floatToBits } from '../../src/values/float-constants.ts';
import { hasValue, printSet, type ValueSet } from '../../src/values/value-set.ts';
import { extractSet } from '../../src/values/value-set-bits.ts';

const { checks } = DEFAULT_LOWER_OPTIONS;

/** `isStrict`: loops with a constant number of iterations are cut off as all others are. */
export function analyse(code: Code, unwind: number, terms = 400_000, isStrict = false): RangeAnalysis {
  return findVariableRanges(code, {
    bounds: uniformBounds(unwind, !isStrict),
    limits: { terms, steps: 20_000, constantIterations: 1000, poll: () => {} },
    checks,
  });
}

export interface WatchResult {
  /** How many values were compared, and in how many runs. */
  readonly values: number;
  readonly runs: number;
  /** The values that lie outside; none, if all is well. */
  readonly faults: readonly string[];
}

export interface WatchOptions {
  readonly seed: number;
  readonly runs: number;
  readonly unwind: number;
  readonly instructionLimit?: number;
}

/** Runs a program under random schedules and inputs and compares. */
export function watchRanges(code: Code, analysis: RangeAnalysis, options: WatchOptions): WatchResult {
  const random = createRandom(options.seed);
  const program = compileProgram(code);
  const watch = new Watch(analysis, options.unwind);
  for (let run = 0; run < options.runs && watch.faults.size === 0; run++) {
    const mode = (['random', 'boundary', 'zero'] as const)[run % 3] as InputMode;
    runOnce(program, watch, random, mode, options.instructionLimit ?? 20_000);
  }
  return { values: watch.values, runs: options.runs, faults: [...watch.faults] };
}

function runOnce(program: CompiledProgram, watch: Watch, random: Random, mode: InputMode, limit: number): void {
  const { source } = recordingInputs(mode, random, boundaryValues(program.code));
  const machine = new Machine(program, { checks, inputs: source, nameRegions: true });
  machine.recorder = (event, frame, instruction) => watch.look(machine, event, frame, instruction);
  const scheduler = pickScheduler(random);
  let current: Thread | null = null;
  watch.start();
  const stopped = new Set<number>();
  while (machine.status === 'running' && machine.instructions < limit) {
    const candidates = machine.runnable.filter(({ id }) => !stopped.has(id));
    if (candidates.length === 0) break;
    current = scheduler(candidates, current, machine);
    stepUnlessOutside(machine, current, limit, watch);
    if (!watch.isOutside) continue;
    // What it did in an atomic section that it will never leave would have to be undone.
    if (machine.atomicDepth > 0) break;
    stopped.add(current.id);
    watch.start();
  }
}

/** As Machine.step; stops short where the thread leaves the bounds. */
function stepUnlessOutside(machine: Machine, thread: Thread, limit: number, watch: Watch): void {
  const last = machine.instructions + limit;
  while (machine.status === 'running' && machine.instructions < last) {
    const { frame } = thread;
    const isVisible = frame.function.visible[frame.pc] === 1 || machine.atomicDepth > 0;
    if (watch.wouldLeave(machine, frame)) return;
    machine.stepInstruction(thread);
    if (watch.isOutside || thread.status !== 'ready') return;
    if (isVisible && machine.atomicDepth === 0 && machine.threads.length > 1) return;
  }
}

function pickScheduler(random: Random): Scheduler {
  const choice = random.below(3);
  if (choice === 0) return roundRobin(1 + random.below(4));
  return choice === 1 ? randomWalk(random, random.pick([0, 50, 90])) : priorities(random, 1 + random.below(3), 60);
}

class Watch {
  readonly faults = new Set<string>();
  values = 0;
  /** The run has left the bounds. */
  isOutside = false;
  readonly #analysis: RangeAnalysis;
  readonly #unwind: number;
  readonly #cuts: ReadonlySet<string>;
  readonly #registers = new Map<string, VariableRange>();
  readonly #objects = new Map<number, VariableRange[]>();
  readonly #allocations: VariableRange[] = [];
  readonly #allocatedParts: VariableRange[] = [];

  constructor(analysis: RangeAnalysis, unwind: number) {
    this.#analysis = analysis;
    this.#unwind = unwind;
    this.#cuts = new Set(analysis.program.threads.flatMap((thread) => thread.cuts.map((cut) => cut.where)));
    const named = nameAllocations(analysis).ranges.filter(({ storage }) => storage.kind === 'allocated-part');
    for (const range of [...analysis.ranges, ...named]) {
      const { storage } = range;
      if (range.isInternal || isThreadNumber(range)) continue;
      if (storage.kind === 'register') this.#registers.set(`${storage.function} ${storage.register}`, range);
      else if (storage.kind === 'allocation') this.#allocations.push(range);
      else if (storage.kind === 'allocated-part') this.#allocatedParts.push(range);
      else this.#objects.set(storage.object, [...(this.#objects.get(storage.object) ?? []), range]);
    }
  }

  start(): void {
    this.isOutside = false;
  }

  /** Whether the thread is beyond the bound of a loop that was cut: what it does next does not count. */
  wouldLeave(machine: Machine, frame: Frame): boolean {
    this.isOutside ||= this.#leavesLoops(machine, frame);
    return this.isOutside;
  }

  look(machine: Machine, event: MachineEvent, frame: Frame, instruction: Instruction): void {
    this.isOutside ||= this.#leavesBounds(machine, event, frame);
    if (this.isOutside) return;
    switch (event.kind) {
      case 'set':
        if (!isDeclaration(frame, event.register, instruction))
          this.#register(machine, frame, event.register, event.value);
        break;
      case 'read':
        this.#memory(machine, event.address, event.type, event.value, 'read as');
        if (instruction.kind === 'load') this.#register(machine, frame, instruction.register, event.value);
        break;
      case 'write':
        this.#memory(machine, event.address, event.type, event.value, 'written');
        break;
      case 'call':
        for (const [i, arg] of event.args.entries()) {
          if (i < event.callee.source.parameters) this.#checkRegister(machine, event.callee.source.id, i, arg);
        }
        break;
      case 'return':
        if (frame.parent && frame.resultRegister >= 0 && event.value !== null)
          this.#register(machine, frame.parent, frame.resultRegister, event.value);
        break;
      default:
        break;
    }
  }

  /**
   * Conservative: a loop or recursion that the analysis cut anywhere may have left the bounds as soon as it passed
   * them.
   */
  #leavesBounds(machine: Machine, event: MachineEvent, frame: Frame): boolean {
    if (this.#cuts.size === 0) return false;
    if (this.#leavesLoops(machine, frame)) return true;
    const { source } = frame.function;
    if (event.kind === 'call' && this.#cuts.has(event.callee.source.name)) {
      let active = 0;
      for (let at: Frame | null = frame; at; at = at.parent) if (at.function === event.callee) active++;
      if (active > this.#unwind) return true;
    }
    const others = [...this.#cuts].some((where) => /^(allocation|unsupported)/.test(where));
    return others && (event.kind === 'allocate' || source.isModel);
  }

  #leavesLoops(machine: Machine, frame: Frame): boolean {
    if (this.#cuts.size === 0) return false;
    return frame.function.loops.some(({ loop }, i) => {
      const { name, form } = machine.program.code.loops[loop] as Code['loops'][number];
      const most = form === 'do' ? this.#unwind - 1 : this.#unwind;
      return this.#cuts.has(name) && (frame.counts[i] as number) > most;
    });
  }

  #register(machine: Machine, frame: Frame, register: number, value: Scalar): void {
    this.#checkRegister(machine, frame.function.source.id, register, value);
  }

  #checkRegister(machine: Machine, id: number, register: number, value: Scalar): void {
    const range = this.#registers.get(`${id} ${register}`);
    const type = machine.program.code.functions[id]?.registers[register]?.type;
    if (range && type) this.#compare(machine, range, range.set, type, value, 'set to');
  }

  #memory(machine: Machine, address: number, type: ScalarType, value: Scalar, how: string): void {
    const region = machine.memory.find(address);
    if (!region) return;
    const offset = address - region.base;
    const size = type.bits / 8;
    if (region.object < 0) {
      for (const range of this.#allocations) {
        const { storage } = range;
        if (storage.kind !== 'allocation' || !storage.creators.has(region.creator)) continue;
        const distance = offset - storage.offset;
        const isThere = storage.step === 0 ? distance === 0 : distance >= 0 && distance % storage.step === 0;
        if (isThere && storage.size === size) this.#compare(machine, range, range.set, type, value, how);
      }
      for (const range of this.#allocatedParts) {
        const { storage } = range;
        if (storage.kind === 'allocated-part' && storage.creators.has(region.creator))
          this.#part(machine, range, storage.part, offset, type, value, how);
      }
      return;
    }
    for (const range of this.#objects.get(region.object) ?? []) {
      if (range.storage.kind === 'object') this.#part(machine, range, range.storage.part, offset, type, value, how);
    }
  }

  /** Compares an access at the offset with the range of a part of the object, if it is an access to that part. */
  #part(
    machine: Machine,
    range: VariableRange,
    place: ScalarPart,
    offset: number,
    type: ScalarType,
    value: Scalar,
    how: string,
  ): void {
    if (place.size !== type.bits / 8 || !covers(place, offset)) return;
    if (place.bits === null) {
      this.#compare(machine, range, range.set, type, value, how);
      return;
    }
    const { offset: start, width } = place.bits;
    const part = extractSet({ width: type.bits, parts: [constantPart(type, value)] }, start, width);
    this.values++;
    if (!hasValue(range.set, part.parts[0]?.low ?? 0n)) this.#fault(range, range.set, `${part.parts[0]?.low}`, how);
  }

  #compare(machine: Machine, range: VariableRange, set: ValueSet, type: ScalarType, value: Scalar, how: string): void {
    this.values++;
    const bits = bitsOf(type, value);
    if (bits === null || hasValue(set, bits)) return;
    const isWord = type.kind === 'integer' && (type.pointer || type.bits >= 32);
    if (isWord && this.#addressesOf(machine, Number(bits)).some((address) => hasValue(set, address))) return;
    this.#fault(range, set, `${value}`, how);
  }

  #fault(range: VariableRange, set: ValueSet, value: string, how: string): void {
    const name = range.function === null ? range.name : `${range.function}: ${range.name}`;
    this.faults.add(`${name} is ${how} ${value}, outside of ${printSet(set, range.signed)}`);
  }

  /** The addresses that the analysis gives to what an address of the interpreter denotes. */
  #addressesOf(machine: Machine, address: number): bigint[] {
    // A pointer may have left its object: then it belongs to one of those nearby.
    const regions = machine.memory.regions.filter(
      ({ base, size }) => address >= base - 64 && address <= base + size + 64,
    );
    return regions.flatMap((region) => {
      const isSame = ({ declared, creator }: MemoryObject) =>
        region.object >= 0 ? declared?.id === region.object : declared === null && creator === region.creator;
      const objects = this.#analysis.execution.knowledge.objects.filter(isSame);
      return objects.map(({ base }) => base + BigInt(address - region.base));
    });
  }
}

function isThreadNumber({ type }: VariableRange): boolean {
  return type !== null && 'alias' in type && type.alias?.name === 'pthread_t';
}

/** A variable that comes to life without a value has none that counts. */
function isDeclaration(frame: Frame, register: number, instruction: Instruction): boolean {
  const variable = frame.function.source.registers[register]?.variable;
  if (!variable) return false;
  if (instruction.kind === 'nondet') return instruction.source === variable.name;
  return instruction.kind === 'set' && instruction.loc === variable.loc && instruction.value.kind === 'register';
}

function covers(
  place: { readonly offset: number; readonly repeats: readonly { count: number; stride: number }[] },
  offset: number,
): boolean {
  let rest = offset - place.offset;
  for (const { count, stride } of place.repeats) {
    const index = Math.floor(rest / stride);
    if (index < 0 || index >= count) return false;
    rest -= index * stride;
  }
  return rest === 0;
}

function constantPart(type: ScalarType, value: Scalar) {
  const bits = bitsOf(type, value) ?? 0n;
  return { low: bits, high: bits, step: 1n };
}

/** The bit pattern; null for formats that are not compared. */
function bitsOf(type: ScalarType, value: Scalar): bigint | null {
  if (type.kind === 'integer') return BigInt.asUintN(type.bits, BigInt(value));
  const isPlain = (type.bits === 32 || type.bits === 64) && !Number.isNaN(value);
  return isPlain ? floatToBits(Number(value), type.bits) : null;
}
