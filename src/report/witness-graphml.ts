/**
 * Violation witnesses in GraphML, format 1.0: an automaton with one edge a waypoint, from the entry to the violation.
 * Of a data race, that is the later access: edges are in order, and the two are not.
 */

import type { Trace } from '../trace/trace.ts';
import { escapeXml } from './junit.ts';
import { findSegments, type Waypoint, type WitnessTask } from './violation-witness.ts';

const KEYS: readonly (readonly [name: string, type: string, owner: 'graph' | 'node' | 'edge'])[] = [
  ['witness-type', 'string', 'graph'],
  ['sourcecodelang', 'string', 'graph'],
  ['producer', 'string', 'graph'],
  ['specification', 'string', 'graph'],
  ['programfile', 'string', 'graph'],
  ['programhash', 'string', 'graph'],
  ['architecture', 'string', 'graph'],
  ['creationtime', 'string', 'graph'],
  ['entry', 'boolean', 'node'],
  ['violation', 'boolean', 'node'],
  ['startline', 'int', 'edge'],
  ['endline', 'int', 'edge'],
  ['assumption', 'string', 'edge'],
  ['threadId', 'string', 'edge'],
  ['createThread', 'string', 'edge'],
  ['enterFunction', 'string', 'edge'],
];

export function printGraphmlWitness(trace: Trace, task: WitnessTask): string {
  const [file] = task.files;
  const about: readonly (readonly [string, string])[] = [
    ['witness-type', 'violation_witness'],
    ['sourcecodelang', 'C'],
    ['producer', `${task.producer.name} ${task.producer.version}`],
    ['specification', task.specification],
    ['programfile', file?.name ?? ''],
    ['programhash', file?.sha256 ?? ''],
    ['architecture', task.dataModel === 'ILP32' ? '32bit' : '64bit'],
    ['creationtime', task.creationTime],
  ];
  const edges = toEdges(findSegments(trace).flatMap((segment) => segment.slice(-1)));
  const nodes = Array.from({ length: edges.length + 1 }, (_, at) => {
    if (at > 0 && at < edges.length) return `    <node id="N${at}"/>`;
    return `    <node id="N${at}">${data([[at === 0 ? 'entry' : 'violation', 'true']])}</node>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    ...KEYS.map(
      ([name, type, owner]) => `  <key attr.name="${name}" attr.type="${type}" for="${owner}" id="${name}"/>`,
    ),
    '  <graph edgedefault="directed">',
    `    ${data(about)}`,
    ...nodes,
    ...edges.map((fields, at) => `    <edge source="N${at}" target="N${at + 1}">${data(fields)}</edge>`),
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n');
}

type Fields = readonly (readonly [string, string])[];

/** The creation of a thread is followed by an edge on which it enters its routine. */
function toEdges(waypoints: readonly Waypoint[]): Fields[] {
  return waypoints.flatMap(({ thread, place, child, condition }): Fields[] => {
    const common: Fields = [
      ['threadId', String(thread)],
      ['startline', String(place.line)],
      ['endline', String(place.line)],
    ];
    if (child) {
      const entering: Fields = [
        ['threadId', String(child.id)],
        ['enterFunction', child.start],
      ];
      return [[...common, ['createThread', String(child.id)]], entering];
    }
    return [condition === undefined || condition === '1' ? common : [...common, ['assumption', `${condition};`]]];
  });
}

function data(fields: Fields): string {
  return fields.map(([key, value]) => `<data key="${key}">${escapeXml(value)}</data>`).join('');
}
