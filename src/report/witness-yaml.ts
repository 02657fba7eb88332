/**
 * Violation witnesses in YAML 2.2, the format of SV-COMP for concurrent programs: a sequence of segments, each with one
 * waypoint. Columns are left out: traces know where an expression begins, the format wants where statements do.
 */

import type { Trace } from '../trace/trace.ts';
import { findWaypoints, type Waypoint, type WitnessTask } from './violation-witness.ts';

export function printYamlWitness(trace: Trace, task: WitnessTask): string {
  const { files, producer } = task;
  return [
    '- entry_type: violation_sequence',
    '  metadata:',
    "    format_version: '2.2'",
    `    uuid: ${quote(task.uuid)}`,
    `    creation_time: ${quote(task.creationTime)}`,
    '    producer:',
    `      name: ${quote(producer.name)}`,
    `      version: ${quote(producer.version)}`,
    '    task:',
    '      input_files:',
    ...files.map(({ name }) => `      - ${quote(name)}`),
    '      input_file_hashes:',
    ...files.map(({ name, sha256 }) => `        ${quote(name)}: ${quote(sha256)}`),
    `      specification: ${quote(task.specification)}`,
    `      data_model: ${task.dataModel}`,
    '      language: C',
    '  content:',
    ...findWaypoints(trace).flatMap(printSegment),
    '',
  ].join('\n');
}

const TYPES = { create: 'function_enter', assume: 'assumption', target: 'target' } as const;

function printSegment({ kind, thread, place, condition }: Waypoint): string[] {
  const constraint = [
    '        constraint:',
    `          value: ${quote(condition ?? '')}`,
    '          format: c_expression',
  ];
  return [
    '  - segment:',
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

/** Every JSON string is one of YAML. */
function quote(text: string): string {
  return JSON.stringify(text);
}
