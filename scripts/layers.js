// The layers of `src/` and what each may import: the table of ARCHITECTURE.md in a form that is checked.
//
// Imports go one way only. A layer may import itself and the layers of its row, types included. All layers but cli and
// host are the core: it runs in a browser too, so it imports nothing of Node; files, processes and threads are handed
// in. Test files stand above all layers and may import what they like. Some layers have rooms, for which the same holds
// on a smaller scale.

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

/**
 * Rooms: sub-folders of a layer and what of their own layer they may import, other rooms and, by name, files that lie
 * in the layer's folder (`*`: all). Those files may import all of its rooms.
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const rooms = {
  frontend: {
    headers: [],
    lex: [],
    preprocess: ['lex'],
    parse: ['lex'],
    types: ['parse'],
    link: ['preprocess', 'types', 'find-models.ts'],
    print: ['lex'],
  },
  passes: {
    alias: [],
    hoist: ['variable-arguments.ts'],
    simplify: ['alias', 'initializer-assignments.ts', 'pass.ts', 'variable-arguments.ts'],
    inline: ['alias', 'cut-off.ts', 'fold-constants.ts', 'pass.ts', 'variable-arguments.ts'],
    propagate: ['alias', 'build-if.ts', 'copy-statement.ts', 'find-jumps.ts'],
    unwind: ['propagate', 'fold-constants.ts'],
    label: ['alias', 'propagate', 'find-jumps.ts', 'forward-walk.ts'],
  },
  trace: { interpreter: ['describe-values.ts'] },
  // An engine knows nothing of others. Free order and swarm begin with the steps that the bounded engine prepares, and
  // give their answers in its form.
  engines: {
    explore: ['check-options.ts', 'engine.ts'],
    bounded: ['check-options.ts', 'engine.ts', 'stages.ts', 'within-budget.ts'],
    order: ['bounded', 'engine.ts', 'within-budget.ts'],
    prove: ['engine.ts'],
    swarm: ['bounded', 'confirm.ts', 'engine.ts'],
  },
  host: {
    native: ['run-process.ts'],
    queue: ['clock.ts', 'instance-runner.ts', 'swarm-messages.ts', 'thread-runner.ts'],
  },
  cli: { commands: ['*'] },
};

/** The layers outside the core. */
const nodeLayers = new Set(['cli', 'host']);

/** @type {Readonly<Record<string, readonly string[]>>} layer → the packages that it may import */
const packages = { solver: ['cadical-wasm'], host: ['bullmq', 'ioredis'], cli: ['yaml'] };

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
  if (targetLayer === layer) return judgeRooms(file, target);
  return allowed.includes(targetLayer) ? null : `${layer} may not import ${targetLayer} (${target})`;
}

/**
 * @param {string} file
 * @param {string} target a file of the same layer
 * @returns {string | null} what is wrong with the import
 */
function judgeRooms(file, target) {
  const layer = layerOf(file);
  const room = roomOf(file);
  if (room === null || room === roomOf(target)) return null;
  const allowed = rooms[layer]?.[room];
  if (allowed === undefined) return `src/${layer}/${room} is no room: add a row to scripts/layers.js`;
  const imported = roomOf(target) ?? path.posix.basename(target);
  const isAllowed = allowed.includes(imported) || (roomOf(target) === null && allowed.includes('*'));
  return isAllowed ? null : `${layer}/${room} may not import ${imported} (${target})`;
}

/**
 * @param {ReadonlyMap<string, string>} files as for findViolations, tests left out
 * @returns {Set<string>} `layer → other` for every import of one layer from another, `layer/room → other` for those of
 *     a room from elsewhere in its layer
 */
export function importsBetweenLayers(files) {
  /** @type {Set<string>} */
  const arrows = new Set();
  for (const [file, text] of files) {
    for (const { specifier } of findImports(file, text)) {
      if (!specifier?.startsWith('.')) continue;
      const target = path.posix.join(path.posix.dirname(file), specifier);
      const [layer, room] = [layerOf(file), roomOf(file)];
      arrows.add(`${layer} → ${layerOf(target)}`);
      if (layer !== layerOf(target)) continue;
      arrows.add(`${layer}/${room} → ${roomOf(target) ?? path.posix.basename(target)}`);
      if (roomOf(target) === null) arrows.add(`${layer}/${room} → *`);
    }
  }
  return arrows;
}

/** @param {string} file */
function layerOf(file) {
  return file.split('/')[1] ?? '';
}

/**
 * @param {string} file
 * @returns {string | null} the sub-folder of its layer; null for files of the layer's own folder
 */
function roomOf(file) {
  const [, , room, ...rest] = file.split('/');
  return room !== undefined && rest.length > 0 ? room : null;
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
