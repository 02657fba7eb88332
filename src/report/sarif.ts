/**
 * Reports as SARIF 2.1.0, which code hosts and editors show. One run for all programs, one result a violation: its rule
 * is the check, its code flow has one thread flow a thread of the program, and `executionOrder` tells how they are
 * interleaved. Steps carry the values that they write or read as `state`. What is no violation (a verdict, its bounds,
 * what was left out) is a notification of the invocation: it is no finding.
 *
 * Left out: steps without a place in the source, and regions wider than a place, which traces do not know.
 */

import type { Outcome, Warning } from '../outcome/outcome.ts';
import { type CheckName, checkNames } from '../program/check-names.ts';
import type { Trace, TraceEvent, TracePlace, TraceStep } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { describeViolation, verdictOf } from './describe-verdict.ts';
import { describeWarning, placeOfWarning } from './warnings.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The checks that can be violated, in the order of their indexes. */
const RULES: readonly { readonly name: CheckName; readonly summary: string }[] = [
  ...checkNames,
  { name: 'unwinding', summary: 'a loop or recursion goes on beyond its bound' },
];

/** A JSON document that ends with a newline. */
export function printSarifReport(reports: readonly CheckReport[], toolVersion: string): string {
  const document = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lazuli', version: toolVersion, rules: RULES.map(toRule) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: reports.every(({ outcome }) => outcome.kind !== 'unknown'),
            toolExecutionNotifications: reports.flatMap(toNotifications),
          },
        ],
        results: reports.flatMap(toResults),
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function toRule({ name, summary }: (typeof RULES)[number]) {
  return {
    id: name,
    name,
    shortDescription: { text: summary },
    defaultConfiguration: { level: 'error' },
  };
}

function toNotifications({ program, outcome, notes }: CheckReport) {
  if (outcome.kind === 'unsafe') return [];
  const reason = outcome.kind === 'unknown' ? `: ${outcome.reason}` : '';
  const text = [`${program}: ${verdictOf(outcome)}${reason}`, ...notes].join('\n');
  const level = outcome.kind === 'unknown' ? 'warning' : 'note';
  return [{ level, message: { text }, locations: [fileOnly(program)], properties: propertiesOf(outcome) }];
}

function propertiesOf(outcome: Outcome) {
  const { engine, bounds } = outcome;
  return { verdict: verdictOf(outcome), engine, bounds };
}

function fileOnly(program: string) {
  return { physicalLocation: { artifactLocation: toArtifact(program) } };
}

function toResults(report: CheckReport) {
  return [...toViolations(report), ...(report.outcome.warnings ?? []).map((warning) => toNote(warning, report))];
}

/** What runs came across beside the verdict. */
function toNote(warning: Warning, { program }: CheckReport) {
  const ruleId = warning.kind === 'race' ? 'race' : 'deadlock';
  const place = placeOfWarning(warning);
  return {
    ruleId,
    ruleIndex: RULES.findIndex(({ name }) => name === ruleId),
    level: 'note',
    message: { text: describeWarning(warning) },
    locations: [place === null ? fileOnly(program) : toLocation(place)],
  };
}

function toViolations({ program, outcome, notes }: CheckReport) {
  if (outcome.kind !== 'unsafe') return [];
  const { trace } = outcome;
  if (trace === null) {
    const message = { text: `a violation, of which ${outcome.engine} gives no trace` };
    return [{ level: 'error', message, locations: [fileOnly(program)], properties: propertiesOf(outcome) }];
  }
  const { violation } = trace;
  const text = [describeViolation(violation), ...notes].join('\n');
  return [
    {
      ruleId: violation.check,
      ruleIndex: RULES.findIndex(({ name }) => name === violation.check),
      level: 'error',
      message: { text },
      locations: [violation.place === null ? fileOnly(program) : toLocation(violation.place)],
      relatedLocations: findCreations(trace),
      partialFingerprints: { 'lazuliViolation/v1': fingerprint(program, trace) },
      codeFlows: [{ message: { text: describeFlow(trace) }, threadFlows: toThreadFlows(trace) }],
      properties: propertiesOf(outcome),
    },
  ];
}

function describeFlow({ steps, contextSwitches }: Trace): string {
  return `an interleaving of ${steps.length} steps with ${contextSwitches} context switches`;
}

function toThreadFlows({ threads, steps }: Trace) {
  const flows = threads.map(({ id, start }) => ({
    id: String(id),
    message: { text: `thread ${id} (${start})` },
    locations: steps.flatMap((step) => (step.thread === id ? toFlowLocations(step) : [])),
  }));
  // A flow needs a location: threads that never run have none.
  return flows.filter(({ locations }) => locations.length > 0);
}

function toFlowLocations(step: TraceStep) {
  const { place, index, callStack, values, events, isContextSwitch } = step;
  if (place === null) return [];
  const shown = values.filter(({ isInternal, isUninitialised }) => !isInternal && !isUninitialised);
  const state = Object.fromEntries(shown.map(({ name, value }) => [name, { text: value }]));
  const isViolation = events.some(({ kind }) => kind === 'violation');
  return [
    {
      executionOrder: index + 1,
      nestingLevel: callStack.length,
      importance: isViolation || isContextSwitch ? 'essential' : shown.length > 0 ? 'important' : 'unimportant',
      location: toLocation(place, [step.statement, ...events.flatMap(describeEvent)].join('; ')),
      ...(shown.length > 0 && { state }),
    },
  ];
}

/** What a reader cannot see from the statement. */
function describeEvent(event: TraceEvent): string[] {
  switch (event.kind) {
    case 'create':
      return [`creates thread ${event.child}`];
    case 'exit':
      return ['the thread ends'];
    case 'blocked':
      return ['waits'];
    case 'violation':
      return [`violates ${event.check}`];
    case 'commit':
      return [`${event.name} = ${event.value} reaches memory`];
    default:
      return [];
  }
}

/** Where the threads were created. */
function findCreations({ steps, threads }: Trace) {
  return steps.flatMap(({ place, events }) =>
    events.flatMap((event) => {
      if (event.kind !== 'create' || place === null) return [];
      const start = threads.find(({ id }) => id === event.child)?.start ?? '?';
      return [{ ...toLocation(place, `creates thread ${event.child} (${start})`), id: event.child }];
    }),
  );
}

function toLocation({ file, line, column }: TracePlace, text?: string) {
  return {
    physicalLocation: { artifactLocation: toArtifact(file), region: { startLine: line, startColumn: column } },
    ...(text !== undefined && { message: { text } }),
  };
}

/** Relative names are meant from where the tool was started. */
function toArtifact(file: string) {
  const uri = file.split('/').map(encodeURIComponent).join('/');
  return file.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
}

/** The same for the same violation of the same statement, wherever in the file that moves to. */
function fingerprint(program: string, { violation, steps }: Trace): string {
  const broken = steps.at(-1);
  const text = [program, violation.check, violation.message, broken?.function, broken?.statement].join('\0');
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100_0000_01b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
