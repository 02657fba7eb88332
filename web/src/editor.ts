/**
 * The editor: CodeMirror with C, diagnostics at their places, the lines on which the threads of a trace stand, and the
 * values of variables on their names.
 */

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { HoverRanges } from '../../src/report/html-ranges.ts';
import type { JsonDiagnostic } from '../../src/support/print-diagnostics.ts';
import { FILE_NAME } from './messages.ts';
import { setRanges, showRangesOnNames } from './name-ranges.ts';

/** The line on which a thread stands. */
export interface ThreadLine {
  readonly line: number;
  readonly threads: readonly number[];
  readonly isCurrent: boolean;
}

export interface Editor {
  text(): string;
  setText(text: string): void;
  showDiagnostics(diagnostics: readonly JsonDiagnostic[]): void;
  showThreads(lines: readonly ThreadLine[]): void;
  goTo(line: number, column: number): void;
  /** Until the text changes. */
  showRanges(ranges: HoverRanges | null): void;
}

const setThreads = StateEffect.define<readonly ThreadLine[]>();

const threadLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, transaction) => {
    const effect = transaction.effects.find((candidate) => candidate.is(setThreads));
    if (effect) return decorate(effect.value, transaction.state);
    return transaction.docChanged ? Decoration.none : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate(lines: readonly ThreadLine[], state: EditorState): DecorationSet {
  const known = lines.filter(({ line }) => line >= 1 && line <= state.doc.lines);
  const ranges = known.map(({ line, threads, isCurrent }) => {
    const names = threads.map((thread) => `T${thread}`).join(' ');
    const className = isCurrent ? 'cm-thread cm-thread-current' : 'cm-thread';
    return Decoration.line({ class: className, attributes: { 'data-threads': names } }).range(
      state.doc.line(line).from,
    );
  });
  return RangeSet.of(ranges, true);
}

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--bg)', color: 'var(--fg)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, Consolas, monospace', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--soft)', color: 'var(--dim)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--soft) 70%, transparent)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--fg)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 30%, transparent)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--bg)', color: 'var(--fg)', border: '1px solid var(--line)' },
  '.cm-thread::after': {
    content: 'attr(data-threads)',
    marginLeft: '2em',
    fontWeight: '700',
    color: 'var(--dim)',
  },
  '.cm-thread-current': { backgroundColor: 'var(--mark)' },
});

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: 'var(--t0)' },
    { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'var(--t5)' },
    { tag: [tags.string, tags.character], color: 'var(--t2)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--t4)' },
    { tag: [tags.processingInstruction, tags.meta], color: 'var(--t3)' },
    { tag: tags.comment, color: 'var(--dim)', fontStyle: 'italic' },
  ]),
);

export function createEditor(parent: HTMLElement, onEdit: () => void, tell: (words: string) => void): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        indentUnit.of('  '),
        cpp(),
        lintGutter(),
        threadLines,
        showRangesOnNames(tell),
        look,
        colours,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'the program, in C' }),
        // Tab leaves the editor after Escape, so that nobody is caught in it.
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onEdit();
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    showDiagnostics: (diagnostics) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          diagnostics.flatMap((diagnostic) => place(diagnostic, view.state)),
        ),
      ),
    showThreads: (lines) => {
      const effects: StateEffect<unknown>[] = [setThreads.of(lines)];
      const current = lines.find(({ isCurrent, line }) => isCurrent && line <= view.state.doc.lines);
      if (current) effects.push(EditorView.scrollIntoView(view.state.doc.line(current.line).from, { y: 'nearest' }));
      view.dispatch({ effects });
    },
    showRanges: (ranges) => view.dispatch({ effects: setRanges.of(ranges?.texts ?? null) }),
    goTo: (line, column) => {
      const anchor = offsetOf(line, column, view.state);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
  };
}

/** At the word that begins there; those of other files are in the list only. */
function place({ place: at, severity, message, code }: JsonDiagnostic, state: EditorState): Diagnostic[] {
  if (!at || at.file !== FILE_NAME) return [];
  const from = offsetOf(at.line, at.column, state);
  const to = state.wordAt(from)?.to ?? Math.min(from + 1, state.doc.length);
  return [
    { from, to: Math.max(from, to), severity: severity === 'error' ? 'error' : 'warning', message, source: code },
  ];
}

function offsetOf(line: number, column: number, { doc }: EditorState): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column, 1) - 1, to);
}
