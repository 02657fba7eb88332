// What reports need besides the outcome: the texts of the files that a trace names, and what a witness says of its
// task. Files are read again when a report wants them; one that cannot be read (the standard input) is left out.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { version } from '../../package.json';
import type { CheckReport } from '../report/check-report.ts';
import { specificationOf } from '../report/competition-verdict.ts';
import type { WitnessTask } from '../report/violation-witness.ts';
import type { Trace } from '../trace/trace.ts';

export interface ReportSource {
  readonly name: string;
  readonly text: string;
}

/** The files of a report, that of the violation first. */
export function readReportSources({ program, outcome }: CheckReport): ReportSource[] {
  const trace = outcome.kind === 'unsafe' ? outcome.trace : null;
  const places = trace ? [trace.violation.place, ...trace.steps.map(({ place }) => place)] : [];
  const names = new Set([...places.flatMap((place) => (place ? [place.file] : [])), program]);
  return [...names].flatMap((name) => {
    try {
      return [{ name, text: readFileSync(name, 'utf8') }];
    } catch {
      return [];
    }
  });
}

/** Without a trace, the witness is that of a proof. */
export function toWitnessTask(report: CheckReport, trace: Trace | null): WitnessTask {
  // Loaded when it is needed: it would take a twentieth of a short run.
  const { createHash, randomUUID } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  return {
    files: readReportSources(report).map(({ name, text }) => ({
      name,
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
    specification: specificationOf(report),
    dataModel: trace?.dataModel ?? report.dataModel ?? 'LP64',
    producer: { name: 'lazuli', version },
    creationTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    uuid: randomUUID(),
  };
}
