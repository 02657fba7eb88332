/**
 * The script of the HTML report: stepping through the counterexample by keys and clicks, folding, filters. It is
 * bundled into every report that has a counterexample (scripts/generate.js), reads its data from the page and needs no
 * network.
 */

import type { PageTrace } from '../../src/report/html-data.ts';
import { decodeSteps, type Step } from './decode.ts';
import { byId, switchTheme } from './element.ts';
import { chooseItems, type Wishes } from './items.ts';
import { Lanes } from './lanes.ts';
import { Panels, writerOf } from './panels.ts';
import { buildTimeline } from './timeline.ts';

const trace: PageTrace = JSON.parse(byId('data').textContent ?? '');
const steps = decodeSteps(trace);
const list = byId('steps');
const variable = byId<HTMLInputElement>('variable');
const thread = byId<HTMLSelectElement>('thread');
const all = byId<HTMLInputElement>('all');
let wishes: Wishes = { isAllShown: false, thread: null, variable: '', opened: new Set() };
let at = steps.length - 1;

const lanes = new Lanes({ trace, steps, timeline: buildTimeline(steps) }, list, select, (fold) => open(fold.from));
const panels = new Panels({ trace, steps, select, filterBy });

function apply(changed: Partial<Wishes>): void {
  wishes = { ...wishes, ...changed };
  lanes.show(chooseItems(steps, wishes));
  const shown = lanes.items.length;
  byId('shown').textContent = shown === steps.length ? '' : `${shown} rows`;
}

function open(first: number): void {
  apply({ opened: new Set([...wishes.opened, first]) });
  select(first);
}

function filterBy(name: string): void {
  variable.value = variable.value === name ? '' : name;
  apply({ variable: variable.value });
  select(at);
}

/** A step that is folded or filtered out is shown first. */
function select(index: number): void {
  const step = steps[index];
  if (!step) return;
  if (lanes.items[lanes.itemOf(index)]?.kind !== 'step') reveal(index);
  at = index;
  const reads = step.values.filter(({ kind }) => kind === 'read');
  const arrows = reads.flatMap(({ name }) => {
    const from = writerOf(steps, name, index);
    return from === null ? [] : [{ from, to: index, name }];
  });
  lanes.select({ step: index, arrows, names: new Set(step.values.map(({ name }) => name)) });
  panels.show(index);
  byId('position').textContent = `step ${index + 1} of ${steps.length}`;
  const told = step.effects === '' ? '' : `: ${step.effects}`;
  byId('live').textContent = `step ${index + 1}, thread ${step.template.thread}, ${step.template.statement}${told}`;
}

function reveal(index: number): void {
  const item = lanes.items[lanes.itemOf(index)];
  if (item?.kind === 'fold') {
    apply({ opened: new Set([...wishes.opened, item.from]) });
    return;
  }
  thread.value = '';
  variable.value = '';
  apply({ thread: null, variable: '' });
  if (lanes.items[lanes.itemOf(index)]?.kind === 'fold') reveal(index);
}

/** To the next step that is shown and wanted; folds are passed. */
function move(direction: 1 | -1, isWanted: (step: Step) => boolean = () => true): void {
  const { items } = lanes;
  for (let item = lanes.itemOf(at) + direction; item >= 0 && item < items.length; item += direction) {
    const next = items[item];
    if (next?.kind !== 'step' || !isWanted(steps[next.step] as Step)) continue;
    select(next.step);
    return;
  }
}

/** Opens the fold that comes next. */
function unfold(): void {
  const { items } = lanes;
  const after = items.slice(lanes.itemOf(at) + 1).find(({ kind }) => kind === 'fold');
  const fold = after ?? items.find(({ kind }) => kind === 'fold');
  if (fold?.kind === 'fold') open(fold.from);
}

const isSwitch = ({ template }: Step) => template.isSwitch;
const KEYS: Readonly<Record<string, () => void>> = {
  ArrowDown: () => move(1),
  j: () => move(1),
  ArrowUp: () => move(-1),
  k: () => move(-1),
  n: () => move(1, isSwitch),
  p: () => move(-1, isSwitch),
  PageDown: () => select(Math.min(steps.length - 1, at + 20)),
  PageUp: () => select(Math.max(0, at - 20)),
  Home: () => select(0),
  End: () => select(steps.length - 1),
  Enter: unfold,
  '/': () => variable.focus(),
};

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (event.key === 'Escape' && target === variable) list.focus();
  if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|SELECT)$/.test(target.tagName)) return;
  const action = KEYS[event.key];
  if (!action || (event.key === 'Enter' && target.tagName === 'BUTTON')) return;
  event.preventDefault();
  action();
});
byId('next').onclick = () => move(1);
byId('previous').onclick = () => move(-1);
byId('theme').onclick = switchTheme;
all.onchange = () => {
  apply({ isAllShown: all.checked });
  select(at);
};
variable.oninput = () => apply({ variable: variable.value.trim() });
thread.onchange = () => apply({ thread: thread.value === '' ? null : Number(thread.value) });
window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent && data?.kind === 'lazuli-theme') document.documentElement.dataset.theme = data.theme;
});
apply({});
select(at);
