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
import { type CheckReport, nameQuestion } from './check-report.ts';
import { describeViolation, verdictOf } from './describe-verdict.ts';
import { describeSide, describeWait, describeWarning, placeOfWarning } from './warnings.ts';

const FINGERPRINT = 'lazuliViolation/v1';
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

function toNotifications(report: CheckReport) {
  const { program, outcome, notes } = report;
  if (outcome.kind === 'unsafe') return [];
  const reason = outcome.kind === 'unknown' ? `: ${outcome.reason}` : '';
  const text = [`${nameQuestion(report)}: ${verdictOf(outcome)}${reason}`, ...notes].join('\n');
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
    relatedLocations: numberLocations(sidesOfWarning(warning)),
    partialFingerprints: { [FINGERPRINT]: fingerprint([program, ...subjectOfWarning(warning)]) },
  };
}

function sidesOfWarning(warning: Warning): Told[] {
  if (warning.kind === 'race') {
    const { sides, object } = warning.race;
    return sides.map((side) => ({ place: side.place, text: `thread ${side.thread} ${side.kind}s ${object}` }));
  }
  return warning.links.map(({ place, thread, takes, holds }) => ({
    place,
    text: `thread ${thread} takes ${takes} holding ${holds}`,
  }));
}

/** Without lines, which move. */
function subjectOfWarning(warning: Warning): string[] {
  if (warning.kind === 'race') {
    const functions = warning.race.sides.map(({ callStack }) => callStack.at(-1)?.function ?? '');
    return ['race', warning.race.object, ...functions.sort()];
  }
  return ['lock-order', ...warning.links.flatMap(({ holds, takes }) => [holds, takes])];
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
      relatedLocations: findRelated(trace),
      partialFingerprints: { [FINGERPRINT]: fingerprint(describeBroken(program, trace)) },
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

/** Both sides of a race, who waits for whom, where the threads were created: each with what it is. */
function findRelated(trace: Trace) {
  const { threads, violation } = trace;
  const nameOf = (thread: number) => threads.find(({ id }) => id === thread)?.start ?? '?';
  const { race, waits = [] } = violation;
  const told = [
    ...(race?.sides ?? []).map((side) => ({ place: side.place, text: describeSide(side, race?.object ?? '', nameOf) })),
    ...waits.map((wait) => ({ place: wait.place, text: describeWait(wait, nameOf) })),
    ...waits.map(({ heldSince, holder, object }) => ({
      place: heldSince,
      text: `thread ${holder} (${nameOf(holder ?? 0)}) has taken ${object}`,
    })),
    ...findCreations(trace, nameOf),
  ];
  return numberLocations(told);
}

function findCreations({ steps }: Trace, nameOf: (thread: number) => string) {
  return steps.flatMap(({ place, events }) =>
    events.flatMap((event) =>
      event.kind === 'create' ? [{ place, text: `creates thread ${event.child} (${nameOf(event.child)})` }] : [],
    ),
  );
}

interface Told {
  readonly place: TracePlace | null;
  readonly text: string;
}

function numberLocations(told: readonly Told[]) {
  return told
    .flatMap(({ place, text }) => (place === null ? [] : [toLocation(place, text)]))
    .map((location, at) => ({ ...location, id: at + 1 }));
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
function describeBroken(program: string, { violation, steps }: Trace): (string | undefined)[] {
  const broken = steps.at(-1);
  return [program, violation.check, violation.message, broken?.function, broken?.statement];
}

function fingerprint(parts: readonly (string | undefined)[]): string {
  const text = parts.join('\0');
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100_0000_01b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
