/**
 * What the HTML report does: stepping through the counterexample, the values and call stacks at a step, who wrote what
 * a read saw, and filters. Plain JavaScript for any browser, with no library and no network; the data is the JSON in
 * the page. The rows are in the page already, so that it can be read and printed without scripts.
 */

export const HTML_SCRIPT = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const steps = data.steps;
const rows = [...document.querySelectorAll('.steps li')];
const list = document.querySelector('.steps');
const by = (id) => document.getElementById(id);
let at = 0;
const isShown = (i) => rows[i] && getComputedStyle(rows[i]).display !== 'none';
const own = (values) => values.filter((value) => !value.isInternal && !value.isUninitialised);
function stateAt(index) {
  const values = new Map();
  for (let i = 0; i <= index; i++) {
    for (const value of own(steps[i].values)) {
      const known = values.get(value.name);
      if (value.kind === 'write') values.set(value.name, { value: value.value, step: i });
      else if (!known) values.set(value.name, { value: value.value, step: null });
    }
  }
  return values;
}
function writerOf(name, index) {
  for (let i = index - 1; i >= 0; i--) {
    if (steps[i].values.some((value) => value.kind === 'write' && value.name === name)) return i;
  }
  return null;
}
function text(tag, content, className) {
  const element = document.createElement(tag);
  element.textContent = content;
  if (className) element.className = className;
  return element;
}
function link(content, target) {
  const button = text('button', content, 'link');
  button.onclick = () => select(target);
  return button;
}
function showValues(step) {
  const body = by('values');
  body.replaceChildren();
  const touched = new Set(own(step.values).map((value) => value.name));
  for (const [name, known] of stateAt(at)) {
    const row = document.createElement('tr');
    if (touched.has(name)) row.className = 'new';
    row.append(text('td', name, 'code'), text('td', known.value, 'code'));
    const where = document.createElement('td');
    if (known.step !== null && known.step !== at) where.append(link('T' + steps[known.step].thread + ', step ' + (known.step + 1), known.step));
    row.append(where);
    body.append(row);
  }
}
function showStack(step) {
  const stack = by('stack');
  stack.replaceChildren();
  const calls = step.callStack.map((call) => call.function + (call.place ? ' (line ' + call.place.line + ')' : ''));
  for (const call of [...calls, step.function + (step.place ? ' (line ' + step.place.line + ')' : '')]) stack.append(text('li', call, 'code'));
}
function showReads(step) {
  for (const row of rows) row.classList.remove('seen');
  const reads = by('reads');
  reads.replaceChildren();
  for (const value of own(step.values)) {
    if (value.kind !== 'read') continue;
    const writer = writerOf(value.name, at);
    const item = text('li', value.name + ' is ' + value.value, '');
    if (writer !== null) {
      item.append(', written by ', link('thread ' + steps[writer].thread + ' in step ' + (writer + 1), writer));
      rows[writer].classList.add('seen');
    }
    reads.append(item);
  }
}
function showSource() {
  for (const row of document.querySelectorAll('.source tr')) {
    row.classList.remove('here');
    row.querySelector('.who').textContent = '';
  }
  const current = new Map();
  for (let i = 0; i <= at; i++) if (steps[i].place) current.set(steps[i].thread, steps[i].place);
  if (window.parent !== window) {
    const places = [...current].map(([thread, place]) => ({ thread, file: place.file, line: place.line, isCurrent: thread === steps[at].thread }));
    window.parent.postMessage({ kind: 'lazuli-step', places }, '*');
  }
  for (const [thread, place] of current) {
    const row = by('L' + data.files.indexOf(place.file) + '-' + place.line);
    if (!row) continue;
    row.querySelector('.who').textContent += ' T' + thread;
    if (thread === steps[at].thread) {
      row.classList.add('here');
      row.scrollIntoView({ block: 'nearest' });
    }
  }
}
function select(index) {
  if (!rows[index]) return;
  rows[at].setAttribute('aria-selected', 'false');
  at = index;
  rows[at].classList.remove('off');
  if (!isShown(at)) showAll(true);
  rows[at].setAttribute('aria-selected', 'true');
  rows[at].scrollIntoView({ block: 'nearest' });
  list.setAttribute('aria-activedescendant', rows[at].id);
  const step = steps[at];
  showValues(step);
  showStack(step);
  showReads(step);
  showSource();
  by('position').textContent = 'step ' + (at + 1) + ' of ' + steps.length;
  by('live').textContent = 'step ' + (at + 1) + ', thread ' + step.thread + ', ' + rows[at].querySelector('.cell').textContent;
}
function move(direction, isWanted = () => true) {
  for (let i = at + direction; i >= 0 && i < rows.length; i += direction) if (isShown(i) && isWanted(i)) return select(i);
}
const isSwitch = (i) => steps[i].isContextSwitch;
function showAll(all) {
  list.classList.toggle('all', all);
  by('all').checked = all;
}
function filter() {
  const name = by('variable').value.trim();
  const thread = by('thread').value;
  rows.forEach((row, i) => {
    const touches = name !== '' && steps[i].values.some((value) => value.name.includes(name));
    row.classList.toggle('touches', touches);
    row.classList.toggle('off', (thread !== '' && String(steps[i].thread) !== thread) || (name !== '' && !touches));
  });
}
const KEYS = {
  ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
  n: () => move(1, isSwitch), p: () => move(-1, isSwitch),
  Home: () => select(0), End: () => select(rows.length - 1),
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === '/') by('variable').focus();
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
rows.forEach((row, i) => row.addEventListener('click', () => select(i)));
by('next').onclick = () => move(1);
by('previous').onclick = () => move(-1);
by('all').onchange = (event) => showAll(event.target.checked);
by('variable').oninput = filter;
by('thread').onchange = filter;
by('theme').onclick = () => {
  const isDark = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim() !== '#ffffff';
  document.documentElement.dataset.theme = isDark ? 'light' : 'dark';
};
window.addEventListener('message', (event) => {
  if (event.source === window.parent && event.data?.kind === 'lazuli-theme') document.documentElement.dataset.theme = event.data.theme;
});
select(rows.length - 1);
`;
