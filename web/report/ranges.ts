/**
 * The names of variables in the source of a report show the values that they can have: under the pointer, and by keys.
 * One of the names can be reached by Tab; from there the arrows to the left and right go to the names before and after
 * it. What is shown describes the name, so that screen readers read it, too.
 */

import { byId, element } from './element.ts';

const texts: readonly string[] = JSON.parse(byId('ranges').textContent ?? '[]');
const names = [...document.querySelectorAll<HTMLElement>('[data-r]')];
const tip = element('div', 'range');
tip.id = 'range';
tip.setAttribute('role', 'tooltip');
tip.hidden = true;
document.body.append(tip);
let shown: HTMLElement | null = null;

function show(name: HTMLElement): void {
  hide();
  shown = name;
  tip.textContent = texts[Number(name.dataset.r)] ?? '';
  tip.hidden = false;
  name.setAttribute('aria-describedby', tip.id);
  const { left, top, bottom } = name.getBoundingClientRect();
  const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  const isBelow = bottom + tip.offsetHeight + 8 < window.innerHeight;
  tip.style.left = `${Math.max(8, Math.min(left, room))}px`;
  tip.style.top = `${isBelow ? bottom + 4 : Math.max(4, top - tip.offsetHeight - 4)}px`;
}

function hide(): void {
  shown?.removeAttribute('aria-describedby');
  shown = null;
  tip.hidden = true;
}

const nameOf = (target: EventTarget | null) => (target instanceof HTMLElement && target.dataset.r ? target : null);

/** The one name that Tab comes to. */
function settle(name: HTMLElement): void {
  for (const other of names) other.tabIndex = other === name ? 0 : -1;
}

document.addEventListener('mouseover', ({ target }) => {
  const name = nameOf(target);
  if (name) show(name);
  else if (shown && shown !== document.activeElement) hide();
});
document.addEventListener('focusin', ({ target }) => {
  const name = nameOf(target);
  if (!name) return;
  settle(name);
  show(name);
});
document.addEventListener('focusout', hide);
document.addEventListener('scroll', () => shown && show(shown), true);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hide();
  const name = nameOf(event.target);
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!name || direction === undefined) return;
  event.preventDefault();
  names[names.indexOf(name) + direction]?.focus();
});
for (const name of names) name.tabIndex = -1;
if (names[0]) names[0].tabIndex = 0;
