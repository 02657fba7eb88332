/**
 * Chooses among the files of a project those that make up one program, as a linker takes members out of an archive: the
 * file with `main` (or with the function to start at), the files that define what it mentions, those that define what
 * these mention, and so on. Names are compared as they stand in the text, so that a file too many may be taken, but
 * never one too few.
 */

import type { Diagnostic } from '../../support/diagnostics.ts';
import { fileScopeNames, type UnitWithoutModels } from '../find-models.ts';

/** A file of a project, read on its own. */
export interface ProjectUnit extends UnitWithoutModels {
  readonly diagnostics: readonly Diagnostic[];
}

export type UnitChoice =
  | { readonly kind: 'chosen'; readonly units: readonly ProjectUnit[]; readonly broken: readonly ProjectUnit[] }
  | { readonly kind: 'problem'; readonly message: string };

/** `main`: the file whose `start` is meant, where several define it. */
export function chooseUnits(units: readonly ProjectUnit[], start: string, main: string | null): UnitChoice {
  const definitions = new Map<string, ProjectUnit[]>();
  for (const unit of units) {
    const { defined, internal } = fileScopeNames(unit.unit);
    for (const name of defined) {
      if (!internal.has(name)) definitions.set(name, [...(definitions.get(name) ?? []), unit]);
    }
  }
  const root = findRoot(definitions.get(start) ?? [], units, start, main);
  if (typeof root === 'string') return { kind: 'problem', message: root };
  const chosen = new Set([root]);
  for (const unit of chosen) {
    for (const { kind, text } of unit.tokens) {
      if (kind !== 'identifier' || text === start) continue;
      for (const definer of definitions.get(text) ?? []) chosen.add(definer);
    }
  }
  const broken = units.filter((unit) => !chosen.has(unit) && hasErrors(unit));
  return { kind: 'chosen', units: units.filter((unit) => chosen.has(unit)), broken };
}

/** The unit to start at, or why there is none. */
function findRoot(
  candidates: readonly ProjectUnit[],
  units: readonly ProjectUnit[],
  start: string,
  main: string | null,
): ProjectUnit | string {
  if (main !== null) {
    const named = units.filter(({ options }) => isNamed(options.fileName, main));
    const [only] = named;
    if (only === undefined) return `there is no file '${main}' among those of the project`;
    if (named.length > 1) return `several files are named '${main}': ${listFiles(named)}`;
    return candidates.includes(only) || hasErrors(only) ? only : `'${main}' does not define '${start}'`;
  }
  const [only] = candidates;
  if (only === undefined) {
    const broken = units.filter(hasErrors);
    return `no file defines '${start}'${broken.length === 0 ? '' : `; with errors: ${listFiles(broken)}`}`;
  }
  if (candidates.length === 1) return only;
  return `several files define '${start}', of which --main FILE chooses one: ${listFiles(candidates)}`;
}

/** By its whole name, or by the last parts of it. */
function isNamed(fileName: string, wanted: string): boolean {
  const plain = wanted.replace(/^(\.\/)+/, '');
  return fileName === plain || fileName.endsWith(`/${plain}`);
}

function hasErrors({ diagnostics }: ProjectUnit): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

function listFiles(units: readonly ProjectUnit[]): string {
  return units.map(({ options }) => options.fileName).join(', ');
}
