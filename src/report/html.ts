/**
 * The report of a check as one HTML file, without network and without anything beside it: threads are lanes side by
 * side, time goes down, the source stands beside it with the current line of every thread, and keys step forward and
 * back through values and call stacks (web/report/ is the script). Without scripts the text report is there to be read.
 * Verdicts without a counterexample show their reasons at the lines of the source: invariants of a proof, loops that
 * were cut, assertions that were reached or missed.
 */

import type { Trace } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { describeLength, describeViolation, verdictOf } from './describe-verdict.ts';
import { toPageTrace } from './html-data.ts';
import { findNotes, type LineNote } from './html-notes.ts';
import { type HoverRanges, RangeMarks } from './html-ranges.ts';
import { HTML_SCRIPT } from './html-script.ts';
import { HTML_STYLE } from './html-style.ts';
import { escapeXml } from './junit.ts';
import { printInvariant } from './print-invariant.ts';
import { printTextReport } from './text.ts';
import { THREAD_COLOURS } from './theme.ts';

export interface HtmlSource {
  readonly name: string;
  readonly text: string;
}

export interface HtmlOptions {
  /** In a frame of a page that shows verdict and source itself, and is told where the threads stand. */
  readonly isEmbedded?: boolean;
  /** Against the system's wish. */
  readonly theme?: string | undefined;
  /** Show on the names of variables in the source. */
  readonly ranges?: HoverRanges | null | undefined;
}

export function printHtmlReport(
  report: CheckReport,
  sources: readonly HtmlSource[],
  toolVersion: string,
  { isEmbedded = false, theme, ranges = null }: HtmlOptions = {},
): string {
  const { program, outcome, elapsedMs } = report;
  const trace = outcome.kind === 'unsafe' ? outcome.trace : null;
  const verdict = verdictOf(outcome);
  const more = trace ? `: ${describeViolation(trace.violation)}` : '';
  const attributes = `${isEmbedded ? ' data-embedded' : ''}${theme ? ` data-theme="${escapeXml(theme)}"` : ''}`;
  return `<!DOCTYPE html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="lazuli ${escapeXml(toolVersion)}">
<title>${escapeXml(program)}: ${verdict}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeXml(program)}: <span class="${verdict}">${verdict.replaceAll('-', ' ')}</span>${escapeXml(more)}</h1>
<p>${escapeXml(outcome.engine)}, ${(elapsedMs / 1000).toFixed(1)} s, lazuli ${escapeXml(toolVersion)}</p>
${(trace ? [describeLength(trace), ...report.notes] : []).map((note) => `<p>${escapeXml(note)}</p>`).join('\n')}
</header>
${trace ? printTrace(trace, report, sources, new RangeMarks(ranges)) : printReasons(report, sources, new RangeMarks(ranges))}
</body>
</html>
`;
}

function printTrace(trace: Trace, report: CheckReport, sources: readonly HtmlSource[], marks: RangeMarks): string {
  const { threads } = trace;
  const files = sources.map(({ name }) => name);
  const lanes = `style="--lanes: ${threads.length}"`;
  const heads = threads.map(
    ({ id, start }) => `<span style="--lane: var(--t${id % THREAD_COLOURS})">T${id} ${escapeXml(start)}</span>`,
  );
  const choices = threads.map(({ id, start }) => `<option value="${id}">T${id} ${escapeXml(start)}</option>`);
  return `<div class="tools" role="toolbar" aria-label="steps">
<button type="button" id="previous">◀ back <kbd>k</kbd></button><button type="button" id="next">forward <kbd>j</kbd> ▶</button>
<span id="position"></span><span class="hint">switches: <kbd>n</kbd> <kbd>p</kbd> unfold: <kbd>⏎</kbd></span>
<label>thread <select id="thread"><option value="">all</option>${choices.join('')}</select></label>
<label>variable <input id="variable" size="12"> <kbd>/</kbd></label>
<label><input type="checkbox" id="all"> all steps</label> <span id="shown"></span>
<button type="button" id="theme">light or dark</button>
<span id="live" class="quiet" aria-live="polite"></span>
</div>
<noscript><pre>${escapeXml(shorten(printTextReport(report, { colours: false })))}</pre></noscript>
<main>
<section aria-label="source">${sources.map((source, file) => printSource(source, file, [], marks)).join('\n')}${marks.printTable()}</section>
<section aria-label="interleaving" class="picture">
<div class="lanes" ${lanes}><span></span>${heads.join('')}</div>
<div id="steps" class="steps" role="listbox" tabindex="0" aria-label="steps of the counterexample" ${lanes}></div>
</section>
<section aria-label="state">
<h2>Values</h2><table class="state"><tbody id="values"></tbody></table>
<h2>Read here</h2><ul id="reads"></ul>
<h2>Call stacks</h2><div id="stacks"></div>
</section>
</main>
<script type="application/json" id="data">${embed(toPageTrace(trace, files))}</script>
<script>${HTML_SCRIPT}</script>`;
}

/** Of a very long text, the beginning and the end. */
function shorten(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= 2 * READABLE_LINES) return text;
  const hidden = lines.length - 2 * READABLE_LINES;
  return [...lines.slice(0, READABLE_LINES), `… ${hidden} lines …`, ...lines.slice(-READABLE_LINES)].join('\n');
}

const READABLE_LINES = 300;

function printSource({ name, text }: HtmlSource, file: number, notes: readonly LineNote[], ranges: RangeMarks): string {
  const lines = ranges.markLines(text.replace(/\n$/, ''));
  const rows = lines.map((line, at) => {
    const told = notes.filter((note) => note.file === name && note.line === at + 1);
    const marks = told.map(({ kind, text: words }) => `<div class="note ${kind}">${escapeXml(words)}</div>`).join('');
    return `<tr id="L${file}-${at + 1}"><td class="who"></td><td class="number">${at + 1}</td><td class="code">${line}${marks}</td></tr>`;
  });
  return `<h2 class="file">${escapeXml(name)}</h2><table class="source"><tbody>${rows.join('')}</tbody></table>`;
}

function printReasons(report: CheckReport, sources: readonly HtmlSource[], marks: RangeMarks): string {
  const { outcome } = report;
  const parts = [`<h2>Verdict</h2><pre>${escapeXml(withoutInvariant(report))}</pre>`];
  if (outcome.kind === 'safe') {
    parts.push(`<h2>Proof</h2><p>${escapeXml(outcome.proof.claim)}</p>`);
    if (outcome.proof.invariant !== null)
      parts.push(`<h2>Invariant</h2><pre>${escapeXml(printInvariant(outcome.proof.invariant).join('\n'))}</pre>`);
  }
  if (outcome.kind === 'unknown' && outcome.attempts.length > 0) {
    const tried = outcome.attempts.map(({ engine, reason }) => `<li>${escapeXml(engine)}: ${escapeXml(reason)}</li>`);
    parts.push(`<h2>What was tried</h2><ul>${tried.join('')}</ul>`);
  }
  const notes = findNotes(outcome);
  const shown = sources.map((source, file) => printSource(source, file, notes, marks)).join('\n');
  return `<div class="prose">${parts.join('\n')}<div class="listing">${shown}${marks.printTable()}</div></div>`;
}

/** The text report; the invariant of a proof stands below, in full. */
function withoutInvariant(report: CheckReport): string {
  const { outcome } = report;
  const isLess = outcome.kind === 'safe' && outcome.proof.invariant !== null;
  const shown = isLess ? { ...outcome, proof: { ...outcome.proof, invariant: null } } : outcome;
  return printTextReport({ ...report, outcome: shown }, { colours: false });
}

/** JSON inside of a script: nothing in it can end the script. */
function embed(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
