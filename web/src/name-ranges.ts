/**
 * The values that variables can have, on their names in the editor: under the pointer, and for the name at the cursor
 * by a key, which also tells them to screen readers. They are those of the last check, and gone when the text changes.
 */

import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { element } from '../report/element.ts';

type Texts = ReadonlyMap<string, readonly string[]>;

export const setRanges = StateEffect.define<Texts | null>();
const setTip = StateEffect.define<Tooltip | null>();

const ranges = StateField.define<Texts | null>({
  create: () => null,
  update: (known, { effects, docChanged }) => {
    const effect = effects.find((candidate) => candidate.is(setRanges));
    if (effect) return effect.value;
    return docChanged ? null : known;
  },
});

/** Of the name at the cursor, until the cursor moves. */
const tip = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { effects, docChanged, selection }) => {
    const effect = effects.find((candidate) => candidate.is(setTip));
    if (effect) return effect.value;
    return docChanged || selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

function lookUp(state: EditorState, position: number): { readonly tooltip: Tooltip; readonly words: string } | null {
  const word = state.wordAt(position);
  const lines = word && state.field(ranges)?.get(state.sliceDoc(word.from, word.to));
  if (!word || !lines) return null;
  const words = lines.join('\n');
  const create = () => {
    const dom = element('div', 'cm-range', words);
    dom.setAttribute('role', 'tooltip');
    return { dom };
  };
  return { tooltip: { pos: word.from, end: word.to, above: true, create }, words };
}

export function showRangesOnNames(tell: (words: string) => void): Extension {
  const showAtCursor = (view: EditorView): boolean => {
    const found = lookUp(view.state, view.state.selection.main.head);
    const isKnown = view.state.field(ranges) !== null;
    const none = isKnown
      ? 'No values are known of what stands at the cursor.'
      : 'After a check, the values of variables are known.';
    tell(found?.words ?? none);
    view.dispatch({ effects: setTip.of(found?.tooltip ?? null) });
    return true;
  };
  const hide = (view: EditorView): boolean => {
    if (view.state.field(tip) === null) return false;
    view.dispatch({ effects: setTip.of(null) });
    return true;
  };
  return [
    ranges,
    tip,
    hoverTooltip((view, position) => lookUp(view.state, position)?.tooltip ?? null),
    keymap.of([
      { key: 'Alt-r', run: showAtCursor },
      { key: 'Escape', run: hide },
    ]),
  ];
}
