/** Small helpers for building pages without a framework. */

/** An element with a class, text or children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** A button that looks like a link. */
export function link(text: string, action: () => void): HTMLButtonElement {
  const button = element('button', 'link', text);
  button.type = 'button';
  button.onclick = action;
  return button;
}

/** The element with an id, which must be there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as T;
}

/** Light or dark, against what is shown now. */
export function switchTheme(): string {
  const shown = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim();
  const theme = shown === '#ffffff' ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme;
  return theme;
}
