/**
 * The report of a check as one HTML file, without network and without anything beside it: threads are lanes side by
 * side, time goes down, the source stands beside it with the current line of every thread, and keys step forward and
 * back through values and call stacks. Steps in which nothing is to be seen are folded. Without scripts everything is
 * still there to be read and printed. Verdicts without a counterexample show their reasons: the proof, the bounds and
 * cuts, or why nothing is known.
 */

import type { Trace, TraceStep } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { describeViolation, verdictOf } from './describe-verdict.ts';
import { HTML_SCRIPT } from './html-script.ts';
import { HTML_STYLE } from './html-style.ts';
import { escapeXml } from './junit.ts';
import { type Row, toRow } from './rows.ts';
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
}

export function printHtmlReport(
  report: CheckReport,
  sources: readonly HtmlSource[],
  toolVersion: string,
  { isEmbedded = false, theme }: HtmlOptions = {},
): string {
  const { program, outcome, elapsedMs } = report;
  const trace = outcome.kind === 'unsafe' ? outcome.trace : null;
  const verdict = verdictOf(outcome);
  const more = trace ? `: ${describeViolation(trace.violation)}` : '';
  return `<!DOCTYPE html>
<html lang="en"${isEmbedded ? ' data-embedded' : ''}${theme ? ` data-theme="${escapeXml(theme)}"` : ''}>
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
${report.notes.map((note) => `<p>${escapeXml(note)}</p>`).join('\n')}
</header>
${trace ? printTrace(trace, sources) : printReasons(report, sources)}
</body>
</html>
`;
}

function printTrace(trace: Trace, sources: readonly HtmlSource[]): string {
  const { threads, steps } = trace;
  const lanes = `style="--lanes: ${threads.length}"`;
  const heads = threads.map(
    ({ id, start }) => `<span style="--lane: var(--t${id % THREAD_COLOURS})">T${id} ${escapeXml(start)}</span>`,
  );
  const choices = threads.map(({ id, start }) => `<option value="${id}">T${id} ${escapeXml(start)}</option>`);
  return `<div class="tools" role="toolbar" aria-label="steps">
<button id="previous">◀ back <kbd>k</kbd></button><button id="next">forward <kbd>j</kbd> ▶</button>
<span id="position"></span><span>switches: <kbd>n</kbd> <kbd>p</kbd></span>
<label>thread <select id="thread"><option value="">all</option>${choices.join('')}</select></label>
<label>variable <input id="variable" size="12"> <kbd>/</kbd></label>
<label><input type="checkbox" id="all"> all steps</label>
<button id="theme">light or dark</button>
<span id="live" class="quiet" aria-live="polite"></span>
</div>
<main>
<section aria-label="source">${sources.map(printSource).join('\n')}</section>
<section aria-label="interleaving" tabindex="-1">
<div class="lanes" ${lanes}><span></span>${heads.join('')}</div>
<ol class="steps" role="listbox" tabindex="0" aria-label="steps of the counterexample" ${lanes}>
${printSteps(trace)}
</ol>
</section>
<section aria-label="state">
<h2>Values</h2><table class="state"><tbody id="values"></tbody></table>
<h2>Read here</h2><ul id="reads"></ul>
<h2>Call stack</h2><ol id="stack"></ol>
</section>
</main>
<script type="application/json" id="data">${embed({ steps, files: sources.map(({ name }) => name) })}</script>
<script>${HTML_SCRIPT}</script>`;
}

function printSteps({ steps }: Trace): string {
  const held = new Map<number, Set<string>>();
  return steps
    .map((step) => {
      followLocks(step, held);
      const row = toRow(step, { isOneFile: true, isIdle: () => false });
      return printStep(step, row, (held.get(step.thread)?.size ?? 0) > 0);
    })
    .join('\n');
}

/** Whoever holds a lock after a step is marked. */
function followLocks({ thread, events }: TraceStep, held: Map<number, Set<string>>): void {
  const own = held.get(thread) ?? new Set();
  held.set(thread, own);
  for (const event of events) {
    if (event.kind !== 'call') continue;
    const [lock = ''] = event.args;
    if (/^(?:pthread_(?:mutex|spin|rwlock)|mtx)_(?:rd|wr|timed)?lock$/.test(event.function)) own.add(lock);
    else if (/^(?:pthread_(?:mutex|spin|rwlock)|mtx)_unlock$/.test(event.function)) own.delete(lock);
  }
}

function printStep(step: TraceStep, row: Row, isLocked: boolean): string {
  const { index, thread } = step;
  const classes = [
    row.isDull || row.isEmpty ? 'dull' : '',
    step.isContextSwitch ? 'switch' : '',
    row.isViolation ? 'violation' : '',
  ].filter((name) => name !== '');
  const effects = [...(step.isContextSwitch ? ['↪ switch'] : []), ...row.values, ...row.events];
  const place = `${2 + thread}`;
  const cell = `<div class="cell${isLocked ? ' locked' : ''}" style="grid-column: ${place}; --lane: var(--t${thread % THREAD_COLOURS})">`;
  return `<li id="S${index}" role="option" aria-selected="false" class="${classes.join(' ')}"><span class="index">${index + 1}</span>${cell}<code>${escapeXml(step.statement)}</code>${
    effects.length > 0 ? `<div class="effects">${escapeXml(effects.join(', '))}</div>` : ''
  }</div></li>`;
}

function printSource({ name, text }: HtmlSource, file: number): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const rows = lines.map(
    (line, at) =>
      `<tr id="L${file}-${at + 1}"><td class="who"></td><td class="number">${at + 1}</td><td class="code">${escapeXml(line)}</td></tr>`,
  );
  return `<h2 class="file">${escapeXml(name)}</h2><table class="source"><tbody>${rows.join('')}</tbody></table>`;
}

function printReasons(report: CheckReport, sources: readonly HtmlSource[]): string {
  const { outcome } = report;
  const parts = [`<h2>Verdict</h2><pre>${escapeXml(printTextReport(report, { colours: false }))}</pre>`];
  if (outcome.kind === 'safe') {
    parts.push(`<h2>Proof</h2><p>${escapeXml(outcome.proof.claim)}</p>`);
    if (outcome.proof.invariant !== null)
      parts.push(`<h2>Invariant</h2><pre>${escapeXml(outcome.proof.invariant)}</pre>`);
  }
  if (outcome.kind === 'unknown' && outcome.attempts.length > 0) {
    const tried = outcome.attempts.map(({ engine, reason }) => `<li>${escapeXml(engine)}: ${escapeXml(reason)}</li>`);
    parts.push(`<h2>What was tried</h2><ul>${tried.join('')}</ul>`);
  }
  return `<div class="prose">${parts.join('\n')}${sources.map(printSource).join('\n')}</div>`;
}

/** JSON inside of a script: nothing in it can end the script. */
function embed(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
