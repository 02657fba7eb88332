/**
 * Violation witnesses in YAML 2.2, the format of SV-COMP for concurrent programs: a sequence of segments, each with one
 * waypoint (a data race ends in one with two). Columns are left out: traces know where an expression begins, the format
 * wants where statements do.
 */

import type { Trace } from '../trace/trace.ts';
import { findSegments, printTask, quote, type Waypoint, type WitnessTask } from './violation-witness.ts';

export function printYamlWitness(trace: Trace, task: WitnessTask): string {
  return [
    '- entry_type: violation_sequence',
    ...printTask(task, '2.2'),
    '  content:',
    ...findSegments(trace).flatMap((segment) => ['  - segment:', ...segment.flatMap(printWaypoint)]),
    '',
  ].join('\n');
}

const TYPES = { create: 'function_enter', assume: 'assumption', target: 'target' } as const;

function printWaypoint({ kind, thread, place, condition }: Waypoint): string[] {
  const constraint = [
    '        constraint:',
    `          value: ${quote(condition ?? '')}`,
    '          format: c_expression',
  ];
  return [
    '    - waypoint:',
    `        type: ${TYPES[kind]}`,
    '        action: follow',
    `        thread_id: ${thread}`,
    ...(condition === undefined ? [] : constraint),
    '        location:',
    `          file_name: ${quote(place.file)}`,
    `          line: ${place.line}`,
  ];
}
