/**
 * From a backend's trace of the sequential program to a trace of the original one. The function that a step stands in
 * gives the thread; the line map gives the place; what happens at lines of control code is left out.
 *
 * Variables get back the names that the user gave them: copies made by inlining are called `x_1`, and temporaries
 * `__lazuli_t…`. An assignment `__lazuli_t = x` is shown as a read of x. What a thread does at one line is one step, until it
 * writes the same variable again. A backend that writes a whole array for one element is shown with the elements that change.
 *
 * Left out: reads within expressions, and call stacks: the sequential program has no calls.
 */

import { type CheckName, checkNames } from '../program/check-names.ts';
import type { FunctionDefinition, Program } from '../program/tree.ts';
import { walkStatement } from '../program/visit-tree.ts';
import type { Sequentialized, SequentializedThread } from '../sequentialize/sequentialize.ts';
import { isModelPlace, type Loc, NOWHERE, type SourceMap } from '../support/source.ts';
import {
  TRACE_VERSION,
  type Trace,
  type TraceEvent,
  type TracePlace,
  type TraceStep,
  type TraceValue,
} from '../trace/trace.ts';
import type { BackendStep } from './backend.ts';

export interface BackendTrace {
  readonly steps: readonly BackendStep[];
  /** What the backend says of the assertion that fails. */
  readonly description: string;
  readonly output: Sequentialized;
  /** The program as the user wrote it. */
  readonly program: Program;
  /** By number of thread, the number of its creator. */
  readonly creators: readonly number[];
  /** The names of the functions that give nondeterministic values. */
  readonly isInput: (line: string) => boolean;
}

/** null when the backend told no steps in which the assertion fails. */
export function traceOnSource(trace: BackendTrace): Trace | null {
  const failure = trace.steps.findLast((step) => step.kind === 'failure');
  if (failure === undefined) return null;
  const mapper = new TraceMapper(trace);
  for (const group of groupByLine(trace.steps)) mapper.add(group);
  return mapper.finish();
}

/** The assignments in a row that one line of the sequential program makes; everything else alone. */
function groupByLine(steps: readonly BackendStep[]): BackendStep[][] {
  const groups: BackendStep[][] = [];
  for (const step of steps) {
    const [last] = groups.at(-1) ?? [];
    const isSame =
      step.kind === 'assignment' &&
      last?.kind === 'assignment' &&
      last.line === step.line &&
      last.inFunction === step.inFunction;
    if (isSame) groups.at(-1)?.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** A step that is still growing. */
interface Draft {
  readonly thread: number;
  readonly place: TracePlace;
  readonly statement: string;
  readonly function: string;
  readonly values: TraceValue[];
  readonly events: TraceEvent[];
}

type Assignment = Extract<BackendStep, { kind: 'assignment' }>;
type LocatedStep = Extract<BackendStep, { readonly line: number; readonly inFunction: string }>;

class TraceMapper {
  readonly #trace: BackendTrace;
  readonly #sources: SourceMap;
  readonly #lines: readonly string[];
  readonly #threads: ReadonlyMap<string, SequentializedThread>;
  readonly #names: UserNames;
  readonly #functions: FunctionFinder;
  readonly #drafts: Draft[] = [];
  readonly #values = new Map<string, string>();

  constructor(trace: BackendTrace) {
    this.#trace = trace;
    this.#sources = trace.program.sources;
    this.#lines = trace.output.text.split('\n');
    this.#threads = new Map(trace.output.threads.map((thread) => [thread.functionName, thread]));
    this.#names = new UserNames(trace.program);
    this.#functions = new FunctionFinder(trace.program);
  }

  add(group: readonly BackendStep[]): void {
    const byTarget = group.map((step) => (step.kind === 'assignment' ? ([step.target, step] as const) : null));
    const assignments = [...new Map(byTarget.filter((entry) => entry !== null)).values()];
    const changed = assignments.filter((step) => this.#values.get(this.#keyOf(step)) !== step.value);
    for (const step of changed.length > 0 ? changed : assignments.slice(0, 1)) this.#addAssignment(step);
    for (const step of group) {
      if (step.kind === 'failure')
        this.#draftFor(step)?.events.push({
          kind: 'violation',
          ...readCheck(step.description || this.#trace.description),
        });
    }
  }

  #addAssignment(step: Assignment): void {
    const created = /^__lazuli_active_(\d+)$|^__lazuli_active\[(\d+)\]$/.exec(step.target);
    if (created !== null) {
      const child = Number(created[1] ?? created[2]);
      this.#draftFor(step)?.events.push({ kind: 'create', child });
      return;
    }
    const value = this.#describe(step);
    const draft = this.#draftFor(step, value === null || value.kind === 'read' ? null : value.name);
    if (value !== null) draft?.values.push(value);
    if (step.target.startsWith('__lazuli_thread_finished')) draft?.events.push({ kind: 'exit' });
  }

  /** What an assignment means to the user; null for control variables and temporaries. */
  #describe(step: Assignment): TraceValue | null {
    const text = this.#lines[step.line - 1]?.trim() ?? '';
    const isInternal = isModelPlace(this.#sources, this.#locOf(step));
    const key = this.#keyOf(step);
    const old = this.#values.get(key) ?? null;
    this.#values.set(key, step.value);
    if (step.target.startsWith('__lazuli_')) {
      const read = /^__lazuli_t\w* = ([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*);$/.exec(text)?.[1];
      const name = read === undefined ? null : this.#names.translate(read);
      return name === null ? null : { kind: 'read', name, value: step.value, old: null, isInternal };
    }
    const name = this.#names.translate(step.target);
    if (name === null) return null;
    return { kind: this.#trace.isInput(text) ? 'input' : 'write', name, value: step.value, old, isInternal };
  }

  /** Variables of functions are told apart from those of others with the same name. */
  #keyOf({ target, inFunction }: Assignment): string {
    return this.#names.isGlobal(target) || target.startsWith('__lazuli_') ? target : `${inFunction} ${target}`;
  }

  #locOf({ line }: LocatedStep): Loc {
    return this.#trace.output.lineMap[line - 1] ?? NOWHERE;
  }

  /** The step that something at a line belongs to; null if it is control code. */
  #draftFor(step: LocatedStep, written: string | null = null): Draft | null {
    const thread = this.#threads.get(step.inFunction);
    const loc = this.#locOf(step);
    const place = this.#sources.place(loc);
    if (thread === undefined || place === null) return null;
    const last = this.#drafts.at(-1);
    const isSame =
      last?.thread === thread.number &&
      last.place.file === place.file &&
      last.place.line === place.line &&
      !(written !== null && last.values.some(({ kind, name }) => kind !== 'read' && name === written));
    if (isSame) return last;
    const draft: Draft = {
      thread: thread.number,
      place: { file: place.file, line: place.line, column: place.column },
      statement: place.lineText.trim(),
      function: this.#functions.at(this.#sources.expansionOf(loc)) ?? thread.startName,
      values: [],
      events: [],
    };
    this.#drafts.push(draft);
    return draft;
  }

  finish(): Trace | null {
    const drafts = this.#drafts;
    const broken = drafts.at(-1);
    const violation = broken?.events.find((event) => event.kind === 'violation');
    if (broken === undefined || violation?.kind !== 'violation') return null;
    const steps = drafts.map((draft, index): TraceStep => {
      const { thread, place, statement, values, events } = draft;
      const isContextSwitch = index > 0 && drafts[index - 1]?.thread !== thread;
      return {
        index,
        thread,
        isContextSwitch,
        function: draft.function,
        callStack: [],
        place,
        statement,
        values,
        events,
      };
    });
    const created = new Set(
      steps.flatMap(({ events }) => events.flatMap((e) => (e.kind === 'create' ? [e.child] : []))),
    );
    const threads = this.#trace.output.threads.filter(({ number }) => number === 0 || created.has(number));
    return {
      version: TRACE_VERSION,
      dataModel: this.#trace.program.dataModel,
      violation: { check: violation.check, message: violation.message, thread: broken.thread, place: broken.place },
      threads: threads.map(({ number, startName }) => ({
        id: number,
        parent: this.#trace.creators[number] ?? -1,
        start: startName,
      })),
      steps,
      contextSwitches: steps.filter(({ isContextSwitch }) => isContextSwitch).length,
    };
  }
}

const CHECKS: ReadonlySet<string> = new Set<CheckName>([
  ...checkNames.map(({ name }) => name),
  'unsupported',
  'unwinding',
]);

/** The check that a message of the sequential program is about, and the rest of the message. */
export function readCheck(text: string): { readonly check: CheckName; readonly message: string } {
  const [, name = '', rest = ''] = /^([a-z]+): (.*)$/s.exec(text) ?? [];
  return CHECKS.has(name) ? { check: name as CheckName, message: rest } : { check: 'assertion', message: text };
}

/** The names of the user's variables, and which of them a name in the sequential program stands for. */
class UserNames {
  readonly #globals = new Set<string>();
  readonly #locals = new Set<string>();

  constructor({ items, sources }: Program) {
    for (const item of items) {
      if (item.kind === 'variable' && !isModelPlace(sources, item.loc)) this.#globals.add(item.symbol.name);
      if (item.kind !== 'function' || isModelPlace(sources, item.loc)) continue;
      for (const parameter of item.definition.parameters) this.#locals.add(parameter.name);
      walkStatement(item.definition.body, {
        statement: (statement) => {
          if (statement.kind === 'declaration' && statement.item.kind === 'variable') {
            this.#locals.add(statement.item.symbol.name);
          }
        },
      });
    }
  }

  isGlobal(path: string): boolean {
    return this.#globals.has(rootOf(path));
  }

  /** `x_1.next` is the user's `x.next`; null for what is not of the user's making. */
  translate(path: string): string | null {
    const root = rootOf(path);
    const rest = path.slice(root.length);
    for (let name = root; name !== ''; name = name.replace(/_?\d*$/, '')) {
      if (this.#globals.has(name) || this.#locals.has(name)) return name + rest;
      if (!/_\d+$/.test(name)) return null;
    }
    return null;
  }
}

function rootOf(path: string): string {
  return /^[A-Za-z_$][\w$]*/.exec(path)?.[0] ?? '';
}

/** Which function of the source a place lies in. */
class FunctionFinder {
  readonly #definitions: readonly FunctionDefinition[];
  readonly #sources: SourceMap;

  constructor({ items, sources }: Program) {
    this.#sources = sources;
    this.#definitions = items
      .flatMap((item) => (item.kind === 'function' ? [item.definition] : []))
      .sort((a, b) => sources.expansionOf(a.loc) - sources.expansionOf(b.loc));
  }

  at(loc: Loc): string | null {
    const found = this.#definitions.findLast((definition) => this.#sources.expansionOf(definition.loc) <= loc);
    if (found === undefined || this.#sources.expansionOf(found.body.endLoc) < loc) return null;
    return found.symbol.name;
  }
}
