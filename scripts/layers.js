// The layers of `src/` and what each may import: the table of ARCHITECTURE.md in a form that is checked.
//
// Imports go one way only. A layer may import itself and the layers of its row, types included. All layers but cli and
// host are the core: it runs in a browser too, so it imports nothing of Node; files, processes and threads are handed
// in. Test files stand above all layers and may import what they like.

import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** @type {Readonly<Record<string, readonly string[]>>} layers of the core → the other layers that they may import */
const core = {
  support: [],
  program: ['support'],
  frontend: ['support', 'program'],
  lower: ['support', 'program'],
  passes: ['support', 'program', 'lower'],
  values: ['support'],
  execute: ['support', 'program', 'values'],
  ranges: ['support', 'program', 'values', 'execute'],
  sequentialize: ['support', 'program', 'frontend', 'lower', 'passes', 'values', 'execute', 'ranges'],
  logic: ['support'],
  solver: ['support'],
  encode: ['support', 'values', 'execute', 'logic', 'solver'],
  // The interpreter is the oracle of all engines: it shares nothing with them but the program.
  trace: ['support', 'program'],
  outcome: ['support', 'trace'],
  engines: ['support', 'program', 'values', 'execute', 'logic', 'solver', 'encode', 'trace', 'outcome'],
  backends: ['support', 'program', 'sequentialize', 'trace', 'outcome', 'engines'],
  report: ['support', 'program', 'execute', 'ranges', 'sequentialize', 'trace', 'outcome'],
  verify: ['support', 'program', 'frontend', 'lower', 'outcome', 'engines', 'report'],
};

/** @type {Readonly<Record<string, readonly string[]>>} layer → the other layers that it may import */
export const layers = { ...core, host: Object.keys(core), cli: [...Object.keys(core), 'host'] };

/** The layers outside the core. */
const nodeLayers = new Set(['cli', 'host']);

/** @type {Readonly<Record<string, readonly string[]>>} layer → the packages that it may import */
const packages = { solver: ['cadical-wasm'], cli: ['yaml'] };

/** Files outside `src/` that a layer may import. */
const outsiders = new Set(['package.json']);

/**
 * @typedef {{ readonly file: string, readonly line: number, readonly message: string }} Violation
 * @typedef {{ readonly specifier: string | null, readonly line: number }} Import a null specifier is computed
 */

/**
 * Checks files given as text.
 * @param {ReadonlyMap<string, string>} files path from the root of the repository, with slashes → text
 * @returns {Violation[]} in the order of the files
 */
export function findViolations(files) {
  /** @type {Violation[]} */
  const violations = [];
  for (const [file, text] of files) {
    if (!file.startsWith('src/') || !file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    for (const { specifier, line } of findImports(file, text)) {
      const message = judge(file, specifier);
      if (message !== null) violations.push({ file, line, message });
    }
  }
  return violations;
}

/**
 * @param {string} file
 * @param {string | null} specifier
 * @returns {string | null} what is wrong with the import
 */
function judge(file, specifier) {
  const layer = layerOf(file);
  const allowed = layers[layer];
  if (allowed === undefined) return `src/${layer} is no layer: add a row to scripts/layers.js`;
  const isCore = !nodeLayers.has(layer);
  if (specifier === null) return isCore ? 'the core imports by literal names only' : null;
  if (isBuiltin(specifier)) return isCore ? `the core imports nothing of Node, but this imports '${specifier}'` : null;
  if (!specifier.startsWith('.')) {
    return packages[layer]?.includes(specifier) ? null : `${layer} may not import the package '${specifier}'`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  if (!target.startsWith('src/')) return outsiders.has(target) ? null : `${target} lies outside src`;
  const targetLayer = layerOf(target);
  if (targetLayer === layer || allowed.includes(targetLayer)) return null;
  return `${layer} may not import ${targetLayer} (${target})`;
}

/**
 * @param {ReadonlyMap<string, string>} files as for findViolations, tests left out
 * @returns {Set<string>} `layer → other` for every import of one layer from another
 */
export function importsBetweenLayers(files) {
  /** @type {Set<string>} */
  const arrows = new Set();
  for (const [file, text] of files) {
    for (const { specifier } of findImports(file, text)) {
      if (!specifier?.startsWith('.')) continue;
      arrows.add(`${layerOf(file)} → ${layerOf(path.posix.join(path.posix.dirname(file), specifier))}`);
    }
  }
  return arrows;
}

/** @param {string} file */
function layerOf(file) {
  return file.split('/')[1] ?? '';
}

/**
 * Every import, of values and of types, in whatever form.
 * @param {string} file
 * @param {string} text
 * @returns {Import[]}
 */
function findImports(file, text) {
  /** @type {Import[]} */
  const imports = [];
  /** @param {{ readonly type: string, readonly start: number, readonly value?: unknown } | null} source */
  const add = (source) => {
    if (source === null) return;
    const specifier = typeof source.value === 'string' ? source.value : null;
    imports.push({ specifier, line: text.slice(0, source.start).split('\n').length });
  };
  const { program } = parseSync(file, text);
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return imports;
}
