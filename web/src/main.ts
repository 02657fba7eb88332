/**
 * The page: wires editor, options, worker and report together. The text is read while it is written, so that
 * diagnostics stand at their places; a check runs on demand and can be cancelled. The report is that of `--html`, in a
 * frame of its own, which tells where the threads stand when somebody steps through it.
 */

import { version } from '../../package.json';
import type { CheckReport } from '../../src/report/check-report.ts';
import { describeViolation, verdictOf } from '../../src/report/describe-verdict.ts';
import { printHtmlReport } from '../../src/report/html.ts';
import { ProgressWords } from '../../src/report/progress-words.ts';
import type { JsonDiagnostic } from '../../src/support/print-diagnostics.ts';
import type { VerifySettings } from '../../src/verify/settings.ts';
import { byId, switchTheme } from '../report/element.ts';
import { createEditor, type ThreadLine } from './editor.ts';
import { EXAMPLES, FIRST_EXAMPLE } from './examples.ts';
import { FILE_NAME, type JobMessage } from './messages.ts';
import { buildForm, DEFAULT_OPTIONS, readForm, toSettings } from './options.ts';
import { fromFragment, toFragment } from './permalink.ts';
import { type RunningJob, runJob } from './run-job.ts';

const READ_DELAY_MS = 400;
const REFRESH_MS = 200;
const RANGES_MS = 10_000;

const status = byId('status');
const form = byId<HTMLFormElement>('form');
const example = byId<HTMLSelectElement>('example');
const checkButton = byId<HTMLButtonElement>('check');
const cancelButton = byId<HTMLButtonElement>('cancel');
const frame = byId<HTMLIFrameElement>('report');
const editor = createEditor(byId('editor'), edited, (words) => {
  status.textContent = words;
});
const showOptions = buildForm(form, () => {});

let running: RunningJob | null = null;
let reading: RunningJob | null = null;
let ranging: RunningJob | null = null;
let readTimer = 0;

function edited(): void {
  clearTimeout(readTimer);
  readTimer = window.setTimeout(readText, READ_DELAY_MS);
}

/** Only what the front end says; a check that runs says it itself. */
async function readText(): Promise<void> {
  reading?.cancel();
  if (running) return;
  const diagnostics: JsonDiagnostic[] = [];
  const job = runJob({ kind: 'read', text: editor.text(), settings: toSettings(readForm(form)) }, (message) => {
    if (message.kind === 'diagnostics') for (const one of message.diagnostics) diagnostics.push(one);
  });
  reading = job;
  const end = await job.end;
  if (end.kind === 'read' && reading === job) showDiagnostics(diagnostics);
}

function showDiagnostics(diagnostics: readonly JsonDiagnostic[]): void {
  editor.showDiagnostics(diagnostics);
  const items = diagnostics.map(({ place, severity, message }) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const where = place ? `${place.file === FILE_NAME ? '' : `${place.file}:`}${place.line}:${place.column}: ` : '';
    button.textContent = `${where}${severity}: ${message}`;
    button.className = severity;
    button.onclick = () => place?.file === FILE_NAME && editor.goTo(place.line, place.column);
    item.append(button);
    return item;
  });
  byId('messages').replaceChildren(...items);
}

async function check(): Promise<void> {
  running?.cancel();
  const text = editor.text();
  const settings = toSettings(readForm(form));
  const diagnostics: JsonDiagnostic[] = [];
  const words = new ProgressWords();
  const start = performance.now();
  const job = runJob({ kind: 'check', text, settings }, (message) => receive(message, words, diagnostics));
  running = job;
  setBusy(true);
  editor.showThreads([]);
  const seconds = () => Math.round((performance.now() - start) / 1000);
  const draw = () => {
    status.textContent = `${seconds()} of ${settings.timeLimitMs / 1000} s: ${words.text}`;
  };
  draw();
  const timer = setInterval(draw, REFRESH_MS);
  const end = await job.end;
  clearInterval(timer);
  if (running !== job) return;
  running = null;
  setBusy(false);
  showDiagnostics(diagnostics);
  if (end.kind === 'report') {
    showReport(end.report, text);
    void showRanges(text, settings);
  } else if (end.kind === 'misused') status.textContent = end.message;
  else if (end.kind === 'failed') status.textContent = `internal error: ${end.error}`;
}

/** The values that variables can have, for the editor; whatever happens meanwhile makes them out of date. */
async function showRanges(text: string, settings: VerifySettings): Promise<void> {
  ranging?.cancel();
  const job = runJob({ kind: 'ranges', text, settings: { ...settings, timeLimitMs: RANGES_MS } }, () => {});
  ranging = job;
  const end = await job.end;
  if (ranging === job && end.kind === 'ranges' && editor.text() === text) editor.showRanges(end.ranges);
}

function receive(message: JobMessage, words: ProgressWords, diagnostics: JsonDiagnostic[]): void {
  switch (message.kind) {
    case 'diagnostics':
      for (const one of message.diagnostics) diagnostics.push(one);
      break;
    case 'approximations':
    case 'report':
    case 'ranges':
    case 'read':
    case 'misused':
    case 'failed':
      break;
    default:
      words.receive(message);
  }
}

function setBusy(isBusy: boolean): void {
  cancelButton.disabled = !isBusy;
  checkButton.disabled = isBusy;
  document.body.classList.toggle('busy', isBusy);
}

function showReport(report: CheckReport, text: string): void {
  const { outcome, elapsedMs } = report;
  const more = outcome.kind === 'unsafe' && outcome.trace ? `: ${describeViolation(outcome.trace.violation)}` : '';
  const reason = outcome.kind === 'unknown' ? `: ${outcome.reason}` : more;
  status.textContent = `${verdictOf(outcome).replaceAll('-', ' ')}${reason} (${(elapsedMs / 1000).toFixed(1)} s)`;
  byId('welcome').hidden = true;
  frame.hidden = false;
  frame.srcdoc = printHtmlReport(report, [{ name: FILE_NAME, text }], version, {
    isEmbedded: true,
    theme: document.documentElement.dataset.theme,
  });
}

/** The frame tells where the threads stand. */
function listenToReport(event: MessageEvent): void {
  if (event.source !== frame.contentWindow || event.data?.kind !== 'lazuli-step') return;
  const places = event.data.places as readonly { thread: number; file: string; line: number; isCurrent: boolean }[];
  const lines = new Map<number, { line: number; threads: number[]; isCurrent: boolean }>();
  for (const { thread, file, line, isCurrent } of places) {
    if (file !== FILE_NAME) continue;
    const known = lines.get(line) ?? { line, threads: [], isCurrent: false };
    known.threads.push(thread);
    known.isCurrent ||= isCurrent;
    lines.set(line, known);
  }
  editor.showThreads([...lines.values()] satisfies readonly ThreadLine[]);
}

async function share(): Promise<void> {
  const fragment = await toFragment({ text: editor.text(), options: readForm(form) });
  history.replaceState(null, '', fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    status.textContent = 'The link to this program and these options is copied; it is also in the address bar.';
  } catch {
    status.textContent = 'The link to this program and these options is in the address bar.';
  }
}

async function openLink(): Promise<void> {
  const link = await fromFragment(location.hash);
  if (link.kind === 'shared') {
    example.value = '';
    editor.setText(link.text);
    showOptions(link.options);
    status.textContent =
      link.ignored.length > 0 ? `The link has options nobody knows: ${link.ignored.join(', ')}.` : '';
    return;
  }
  showExample(FIRST_EXAMPLE);
  showOptions(DEFAULT_OPTIONS);
  status.textContent = link.kind === 'broken' ? `Not opened: ${link.message}.` : '';
}

function showExample(name: string): void {
  const chosen = EXAMPLES.find((candidate) => candidate.name === name);
  if (!chosen) return;
  example.value = name;
  editor.setText(chosen.text);
}

example.append(new Option('(own program)', ''), ...EXAMPLES.map(({ name }) => new Option(name, name)));
example.onchange = () => showExample(example.value);
checkButton.onclick = () => void check();
cancelButton.onclick = () => running?.cancel();
byId('share').onclick = () => void share();
byId('theme').onclick = () => {
  frame.contentWindow?.postMessage({ kind: 'lazuli-theme', theme: switchTheme() }, '*');
};
window.addEventListener('message', listenToReport);
window.addEventListener('hashchange', () => void openLink());
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
    event.preventDefault();
    void check();
  } else if (event.key === 'Escape') running?.cancel();
});
void openLink();
// Only the built page has a service worker (offline.ts): the server of `npm run web` shows every change at once.
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('./service-worker.js');
