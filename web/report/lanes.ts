/**
 * The list of steps: a lane a thread, time goes down. All rows have one height, so that only those in view are in the
 * page (a trace of 10,000 steps scrolls like one of ten) and arrows between rows can be computed. For paper, all rows
 * are drawn once, as high as their text.
 */

import type { PageTrace, StepTemplate } from '../../src/report/html-data.ts';
import { THREAD_COLOURS } from '../../src/report/theme.ts';
import type { Step } from './decode.ts';
import { element } from './element.ts';
import type { FoldItem, Item } from './items.ts';
import type { Moment } from './timeline.ts';

const ROW_HEIGHT = 46;
/** Rows above and below the view that are drawn, too. */
const MARGIN_ROWS = 12;
const INDEX_WIDTH = 44;

export interface LanesModel {
  readonly trace: PageTrace;
  readonly steps: readonly Step[];
  readonly timeline: readonly Moment[];
}

export interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

export interface Selection {
  readonly step: number;
  /** From the writers to what the step reads. */
  readonly arrows: readonly Arrow[];
  /** The variables that it touches: other steps that do are marked. */
  readonly names: ReadonlySet<string>;
}

export class Lanes {
  readonly #model: LanesModel;
  readonly #list: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #overlay: SVGSVGElement;
  #items: readonly Item[] = [];
  /** Step → the number of its item, also inside of a fold; -1 where it is filtered out. */
  #itemOf = new Int32Array(0);
  #selection: Selection | null = null;
  #drawn = new Map<number, HTMLElement>();

  constructor(
    model: LanesModel,
    list: HTMLElement,
    onSelect: (step: number) => void,
    onOpen: (fold: FoldItem) => void,
  ) {
    this.#model = model;
    this.#list = list;
    this.#scroller = list.parentElement as HTMLElement;
    this.#overlay = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.#overlay.setAttribute('aria-hidden', 'true');
    list.style.setProperty('--index-width', `${INDEX_WIDTH}px`);
    this.#scroller.addEventListener('scroll', () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#draw()).observe(this.#scroller);
    list.addEventListener('click', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('.row');
      const item = this.#items[Number(row?.dataset.item)];
      if (item?.kind === 'step') onSelect(item.step);
      else if (item) onOpen(item);
    });
    addEventListener('beforeprint', () => this.#drawAll());
    addEventListener('afterprint', () => this.#redraw());
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  show(items: readonly Item[]): void {
    this.#items = items;
    this.#itemOf = new Int32Array(this.#model.steps.length).fill(-1);
    for (const [at, item] of items.entries()) {
      if (item.kind === 'step') this.#itemOf[item.step] = at;
      else this.#itemOf.fill(at, item.from, item.to);
    }
    this.#redraw();
  }

  itemOf(step: number): number {
    return this.#itemOf[step] ?? -1;
  }

  select(selection: Selection): void {
    this.#selection = selection;
    const top = this.itemOf(selection.step) * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.#scroller;
    const head = this.#list.offsetTop;
    if (top + head < scrollTop + 2 * ROW_HEIGHT) this.#scroller.scrollTop = top + head - 2 * ROW_HEIGHT;
    else if (top + head + 2 * ROW_HEIGHT > scrollTop + clientHeight)
      this.#scroller.scrollTop = top + head + 2 * ROW_HEIGHT - clientHeight;
    this.#redraw();
  }

  #redraw(): void {
    this.#list.classList.remove('printed');
    this.#list.replaceChildren(this.#overlay);
    this.#drawn = new Map();
    this.#list.style.height = `${this.#items.length * ROW_HEIGHT}px`;
    this.#draw();
  }

  #draw(): void {
    // On paper all rows are there: a change of size that is noticed late adds none.
    if (this.#list.classList.contains('printed')) return;
    const { scrollTop, clientHeight } = this.#scroller;
    const first = Math.max(0, Math.floor((scrollTop - this.#list.offsetTop) / ROW_HEIGHT) - MARGIN_ROWS);
    const last = Math.min(this.#items.length, first + Math.ceil(clientHeight / ROW_HEIGHT) + 2 * MARGIN_ROWS);
    for (const [at, row] of this.#drawn) {
      if (at >= first && at < last) continue;
      row.remove();
      this.#drawn.delete(at);
    }
    for (let at = first; at < last; at++) {
      if (this.#drawn.has(at)) continue;
      const row = this.#makeRow(at);
      row.style.top = `${at * ROW_HEIGHT}px`;
      row.style.height = `${ROW_HEIGHT}px`;
      this.#drawn.set(at, row);
      this.#list.append(row);
    }
    this.#drawArrows();
  }

  #drawAll(): void {
    this.#list.replaceChildren(...this.#items.map((_, at) => this.#makeRow(at)));
    this.#list.style.height = 'auto';
    this.#list.classList.add('printed');
  }

  #makeRow(at: number): HTMLElement {
    const item = this.#items[at] as Item;
    const row = item.kind === 'step' ? this.#makeStep(item.step, at) : this.#makeFold(item);
    row.dataset.item = String(at);
    row.id = `R${at}`;
    row.setAttribute('role', 'option');
    row.setAttribute('aria-setsize', String(this.#items.length));
    row.setAttribute('aria-posinset', String(at + 1));
    const selected = this.#selection !== null && this.itemOf(this.#selection.step) === at;
    row.setAttribute('aria-selected', String(selected));
    if (selected) this.#list.setAttribute('aria-activedescendant', row.id);
    return row;
  }

  #makeFold({ from, to }: FoldItem): HTMLElement {
    const row = element('div', 'row fold', element('span', 'index', '⋯'));
    const { thread } = (this.#model.steps[from] as Step).template;
    for (const lane of this.#lanes(from)) {
      if (lane.dataset.thread === String(thread)) lane.append(element('span', 'more', `${to - from} more steps`));
      row.append(lane);
    }
    row.setAttribute('aria-label', `${to - from} more steps of thread ${thread}: Enter shows them`);
    return row;
  }

  #makeStep(index: number, at: number): HTMLElement {
    const step = this.#model.steps[index] as Step;
    const { template, effects, values } = step;
    const row = element('div', 'row', element('span', 'index', String(index + 1)));
    if (template.isViolation) row.classList.add('violation');
    const names = this.#selection?.names;
    if (names && values.some(({ name }) => names.has(name))) row.classList.add('same');
    if (this.#selection?.arrows.some(({ from }) => from === index)) row.classList.add('seen');
    for (const lane of this.#lanes(index)) {
      if (lane.dataset.thread === String(template.thread)) lane.append(this.#makeCell(step));
      row.append(lane);
    }
    const before = this.#threadBefore(at);
    if (before !== null && before !== template.thread) row.append(this.#makeArrow(before, template.thread, 'switch'));
    for (const mark of template.marks) {
      if (mark.kind === 'create') row.append(this.#makeArrow(template.thread, mark.thread, 'create'));
      if (mark.kind === 'join') row.append(this.#makeArrow(mark.thread, template.thread, 'join'));
    }
    const switched = template.isSwitch ? 'switch to ' : '';
    const told = effects === '' ? '' : `: ${effects}`;
    row.setAttribute(
      'aria-label',
      `step ${index + 1}, ${switched}thread ${template.thread}, ${template.statement}${told}`,
    );
    return row;
  }

  #makeCell({ template, effects }: Step): HTMLElement {
    const cell = element('div', 'cell', element('code', '', template.statement));
    cell.style.setProperty('--span', String(this.#model.trace.threads.length - template.thread));
    cell.title = `${template.statement}${effects === '' ? '' : `\n${effects}`}`;
    cell.append(element('div', 'effects', effects));
    return cell;
  }

  #lanes(index: number): HTMLElement[] {
    const { alive, held } = this.#model.timeline[index] as Moment;
    const { template } = this.#model.steps[index] as Step;
    return this.#model.trace.threads.map(({ id }) => {
      const lane = element('div', alive.has(id) ? 'lane alive' : 'lane');
      lane.dataset.thread = String(id);
      lane.style.setProperty('--lane', `var(--t${id % THREAD_COLOURS})`);
      const locks = held.get(id) ?? [];
      for (const lock of locks) lane.append(makeBracket(lock, id === template.thread ? template : null));
      return lane;
    });
  }

  #threadBefore(at: number): number | null {
    const item = this.#items[at - 1];
    if (!item) return null;
    const index = item.kind === 'step' ? item.step : item.to - 1;
    return this.#model.steps[index]?.template.thread ?? null;
  }

  /** From the beginning of one lane to that of another. */
  #makeArrow(from: number, to: number, kind: 'switch' | 'create' | 'join'): HTMLElement {
    const arrow = element('div', `arrow ${kind} ${from < to ? 'right' : 'left'}`);
    const lanes = this.#model.trace.threads.length;
    const at = (lane: number) => `(100% - ${INDEX_WIDTH}px) * ${lane / lanes} + ${INDEX_WIDTH + 2}px`;
    arrow.style.left = `calc(${at(Math.min(from, to))})`;
    arrow.style.right = `calc(100% - (${at(Math.max(from, to))}))`;
    arrow.title = kind === 'switch' ? `switch to thread ${to}` : `thread ${kind === 'create' ? to : from}: ${kind}`;
    return arrow;
  }

  /** Curves from the writers to the step that reads. */
  #drawArrows(): void {
    const { arrows = [], step: to = 0 } = this.#selection ?? {};
    const width = this.#list.clientWidth;
    const lanes = this.#model.trace.threads.length;
    const x = (step: number) => {
      const { thread } = (this.#model.steps[step] as Step).template;
      return INDEX_WIDTH + ((width - INDEX_WIDTH) * thread) / lanes + 6;
    };
    const y = (step: number) => (this.itemOf(step) + 0.5) * ROW_HEIGHT;
    const paths = arrows
      .filter(({ from }) => this.itemOf(from) >= 0 && this.itemOf(from) !== this.itemOf(to))
      .map(({ from }) => {
        const bend = 26;
        return `<path d="M${x(from)} ${y(from)} C${x(from) + bend} ${y(from) + bend} ${x(to) + bend} ${y(to) - bend} ${x(to) + 3} ${y(to)}" marker-end="url(#tip)"/>`;
      });
    this.#overlay.innerHTML = `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>${paths.join('')}`;
  }
}

/** A lock that is held: its bracket opens where it is taken and closes where it is given back. */
function makeBracket(lock: string, own: StepTemplate | null): HTMLElement {
  const is = (kind: 'lock' | 'unlock') => own?.marks.some((mark) => mark.kind === kind && mark.lock === lock) ?? false;
  const bracket = element('span', `bracket${is('lock') ? ' open' : ''}${is('unlock') ? ' close' : ''}`);
  bracket.title = `holds ${lock}`;
  return bracket;
}
