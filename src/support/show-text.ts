/**
 * Text of the user's program on its way to a terminal. Control characters in it would be commands to the terminal, and
 * marks of writing direction would show code in another order than it is in; each becomes one replacement character, so
 * that columns stay what they are. Tabs stay.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const ALL_CONTROLS = new RegExp(CONTROLS, 'g');

/** One line of text. */
export function showText(text: string): string {
  return CONTROLS.test(text) ? text.replace(ALL_CONTROLS, '\ufffd') : text;
}

/** All strings of a plain value, which is copied where there is something to change. */
export function showTexts<T>(value: T): T {
  if (typeof value === 'string') return showText(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shown = value.map(showTexts);
    return shown.some((each, at) => each !== value[at]) ? (shown as T) : value;
  }
  const entries = Object.entries(value).map(([key, each]) => [key, showTexts(each)] as const);
  const isSame = entries.every(([key, each]) => each === (value as Record<string, unknown>)[key]);
  return isSame ? value : (Object.fromEntries(entries) as T);
}
