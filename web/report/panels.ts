/** What stands beside the lanes: the source with the lines of all threads, values, what a step reads, call stacks. */

import type { PagePlace, PageTrace } from '../../src/report/html-data.ts';
import type { Step } from './decode.ts';
import { byId, element, link } from './element.ts';

export interface PanelsModel {
  readonly trace: PageTrace;
  readonly steps: readonly Step[];
  readonly select: (step: number) => void;
  readonly filterBy: (name: string) => void;
}

/** The last write of a variable before a step. */
export function writerOf(steps: readonly Step[], name: string, before: number): number | null {
  for (let at = before - 1; at >= 0; at--) {
    if (steps[at]?.values.some((value) => value.kind === 'write' && value.name === name)) return at;
  }
  return null;
}

export class Panels {
  readonly #model: PanelsModel;
  /** The rows of the source that are marked now. */
  #marked: HTMLElement[] = [];

  constructor(model: PanelsModel) {
    this.#model = model;
  }

  show(at: number): void {
    const step = this.#model.steps[at];
    if (!step) return;
    this.#showValues(step);
    this.#showReads(step);
    this.#showStacks(at);
    this.#showSource(at);
  }

  #showValues(step: Step): void {
    const { steps, select, filterBy } = this.#model;
    const touched = new Set(step.values.map(({ name }) => name));
    const rows = [...stateAt(steps, step.index)].map(([name, { value, writer }]) => {
      const row = element('tr', touched.has(name) ? 'new' : '');
      const wrote = element('td');
      if (writer !== null && writer !== step.index) {
        const by = steps[writer]?.template.thread ?? 0;
        wrote.append(link(`T${by}, step ${writer + 1}`, () => select(writer)));
      }
      row.append(
        element(
          'td',
          'code',
          link(name, () => filterBy(name)),
        ),
        element('td', 'code', value),
        wrote,
      );
      return row;
    });
    byId('values').replaceChildren(...rows);
  }

  #showReads(step: Step): void {
    const { steps, select } = this.#model;
    const items = step.values
      .filter(({ kind }) => kind === 'read')
      .map(({ name, value }) => {
        const writer = writerOf(steps, name, step.index);
        const item = element('li', '', `${name} is ${value}`);
        if (writer === null) return item;
        const { thread } = (steps[writer] as Step).template;
        item.append(
          ', written by ',
          link(`thread ${thread} in step ${writer + 1}`, () => select(writer)),
        );
        return item;
      });
    byId('reads').replaceChildren(...items);
  }

  /** Where every thread stands: its last step so far. */
  #showStacks(at: number): void {
    const { trace, steps } = this.#model;
    const last = lastSteps(steps, at);
    const lists = trace.threads.flatMap(({ id, start }) => {
      const step = last.get(id);
      if (!step) return [];
      const { stack, place, function: name } = step.template;
      const calls = [...stack.map((call) => [call.function, call.place] as const), [name, place] as const];
      const list = element('ol', 'stack', ...calls.map((call) => element('li', 'code', describeCall(...call))));
      const isCurrent = steps[at]?.template.thread === id;
      return [element('h3', isCurrent ? 'current' : '', `T${id} ${start}`), list];
    });
    byId('stacks').replaceChildren(...lists);
  }

  #showSource(at: number): void {
    const { steps, trace } = this.#model;
    for (const row of this.#marked) {
      row.classList.remove('here');
      (row.querySelector('.who') as HTMLElement).textContent = '';
    }
    this.#marked = [];
    const current = steps[at]?.template.thread;
    const places: unknown[] = [];
    for (const [thread, { template }] of lastSteps(steps, at)) {
      if (!template.place) continue;
      const [file, line] = template.place;
      places.push({ thread, file: trace.files[file], line, isCurrent: thread === current });
      const row = document.getElementById(`L${file}-${line}`);
      if (!row) continue;
      this.#marked.push(row);
      (row.querySelector('.who') as HTMLElement).textContent += ` T${thread}`;
      if (thread !== current) continue;
      row.classList.add('here');
      scrollWithin(row);
    }
    if (window.parent !== window) window.parent.postMessage({ kind: 'lazuli-step', places }, '*');
  }
}

function describeCall(name: string, place: PagePlace | null): string {
  return `${name}${place ? ` (line ${place[1]})` : ''}`;
}

/** What is known of variables after a step, and who wrote it. */
function stateAt(steps: readonly Step[], at: number): Map<string, { value: string; writer: number | null }> {
  const values = new Map<string, { value: string; writer: number | null }>();
  for (let index = 0; index <= at; index++) {
    for (const { kind, name, value } of steps[index]?.values ?? []) {
      if (kind === 'write') values.set(name, { value, writer: index });
      else if (kind === 'read' && !values.has(name)) values.set(name, { value, writer: null });
    }
  }
  return values;
}

function lastSteps(steps: readonly Step[], at: number): Map<number, Step> {
  const last = new Map<number, Step>();
  for (let index = 0; index <= at; index++) {
    const step = steps[index] as Step;
    last.set(step.template.thread, step);
  }
  return last;
}

/** Only the pane moves, never the page around it. */
function scrollWithin(row: HTMLElement): void {
  const pane = row.closest('section');
  if (!pane) return;
  const [inner, outer] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inner.top < outer.top + 30) pane.scrollTop -= outer.top + 30 - inner.top;
  else if (inner.bottom > outer.bottom - 30) pane.scrollTop += inner.bottom - outer.bottom + 30;
}
