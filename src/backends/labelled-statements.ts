/**
 * What stands after the labels of a bounded program, so that the interpreter can tell when it comes there. A labelled
 * statement is known by the places of its accesses in the source: both roads, C to C and lowering, keep for each access
 * the place that the user gave it. What is inlined from a model keeps its place in the model as its spelling.
 */

import type { BoundedProgram } from '../program/bounded-program.ts';
import type { Instruction } from '../program/code.ts';
import { type Primitive, primitiveCall } from '../program/primitives.ts';
import type { Expression, LabelSymbol, Statement } from '../program/tree.ts';
import { expressionsOf, statementsOf, walkExpression, walkPlainStatements } from '../program/visit-tree.ts';
import { isModelPlace, type Loc, NOWHERE, type SourceMap } from '../support/source.ts';
import type { CompiledProgram } from '../trace/interpreter/compile-instructions.ts';

export interface LabelFits {
  /** The instructions that begin the statement, as `instructionId` names them. */
  readonly ids: ReadonlySet<number>;
  /**
   * The statement ends executions where a loop is cut off. The instructions are those that close the loop, in whatever
   * iteration.
   */
  readonly isCut: boolean;
}

const MOST_INSTRUCTIONS = 2 ** 24;

/** A name for an instruction of the code. */
export function instructionId(functionId: number, pc: number): number {
  return functionId * MOST_INSTRUCTIONS + pc;
}

/**
 * By thread and label: the instructions that begin the statement there. They are at the very place of one of its
 * accesses; if there are none, on its line, where they belong to no other label.
 */
export function fitLabels(bounded: BoundedProgram, compiled: CompiledProgram): readonly (readonly LabelFits[])[] {
  const index = new InstructionIndex(compiled);
  const labelled = findLabelled(bounded);
  const distinct = new Map(labelled.flat().map((label) => [keyOf(label), label]));
  const exact = new Map([...distinct].map(([key, label]) => [key, index.findAtPlace(label)]));
  const taken = new Set([...exact.values()].flatMap((ids) => [...ids]));
  const find = (key: string, label: Labelled): LabelFits => {
    const ids = exact.get(key);
    if (ids && ids.size > 0) return { ids, isCut: false };
    const near = new Set([...index.findOnLine(label)].filter((id) => !taken.has(id)));
    if (near.size > 0 || label.primitive !== 'assume') return { ids: near, isCut: false };
    return { ids: index.findLoops(label), isCut: true };
  };
  const fits = new Map([...distinct].map(([key, label]) => [key, find(key, label)]));
  return labelled.map((labels) => labels.map((label) => fits.get(keyOf(label)) ?? UNFIT));
}

/** Fits nothing. */
export const UNFIT: LabelFits = { ids: new Set(), isCut: false };

function keyOf({ reads, writes, primitive, loc }: Labelled): string {
  return [...reads, 'w', ...writes, primitive, loc].join();
}

/** A statement by the places of what it does. */
interface Labelled {
  readonly loc: Loc;
  readonly reads: ReadonlySet<Loc>;
  readonly writes: ReadonlySet<Loc>;
  readonly primitive: Primitive | null;
}

function findLabelled({ threads }: BoundedProgram): Labelled[][] {
  return threads.map(({ function: { body }, labels }) => {
    const described = new Map<LabelSymbol, Labelled>();
    const found: Labelled[] = [];
    walkPlainStatements(body, (statement) => {
      const items = statementsOf(statement);
      items.forEach((item, at) => {
        if (item.kind !== 'label' || !labels.symbols.has(item.label) || described.has(item.label)) return;
        described.set(item.label, describeStatement(item, nextStatement(items, at + 1)));
      });
      const label = statement.kind === 'label' ? described.get(statement.label) : undefined;
      if (label) found.push(label);
    });
    return found;
  });
}

/** What follows a label, other labels passed over, and the beginnings of blocks. */
function nextStatement(items: readonly Statement[], from: number): Statement | null {
  for (const item of items.slice(from)) {
    if (item.kind === 'label' || item.kind === 'declaration') continue;
    const next = item.kind === 'block' ? nextStatement(item.items, 0) : item;
    if (next) return next;
  }
  return null;
}

function describeStatement(label: Statement, statement: Statement | null): Labelled {
  const reads = new Set<Loc>();
  const writes = new Set<Loc>();
  const primitive = statement && (primitiveCall(statement)?.primitive ?? null);
  for (const expression of statement ? expressionsOf(statement) : []) {
    if (expression.kind === 'assignment') {
      writes.add(expression.loc);
      addPlaces(expression.target, writes);
      addPlaces(expression.value, reads);
      // A whole record is copied at the place of the assignment.
      if (expression.type.kind === 'record') reads.add(expression.loc);
      // Parts of the target are read: the pointer in `*p = 1`.
      for (const part of partsOf(expression.target)) addPlaces(part, reads);
    } else addPlaces(expression, reads);
  }
  return { loc: (statement ?? label).loc, reads, writes, primitive };
}

function partsOf(target: Expression): readonly Expression[] {
  switch (target.kind) {
    case 'dereference':
      return [target.operand];
    case 'index':
      return [target.base, target.index];
    case 'member':
      return partsOf(target.object);
    default:
      return [];
  }
}

/** The places of all accesses in an expression; temporaries of ours are none. */
function addPlaces(expression: Expression, to: Set<Loc>): void {
  walkExpression(expression, {
    expression: (node) => {
      const isAccess = ['variable', 'dereference', 'index', 'member'].includes(node.kind);
      const isTemporary = node.kind === 'variable' && /^__lazuli_t(_|$)/.test(node.symbol.name);
      if (isAccess && !isTemporary && node.loc !== NOWHERE) to.add(node.loc);
    },
  });
}

type Role = 'read' | 'write' | 'section' | 'wait' | 'loop' | 'other';

function roleOf(instruction: Instruction, { functions }: CompiledProgram): Role | null {
  switch (instruction.kind) {
    case 'load':
      return 'read';
    case 'store':
      return 'write';
    case 'atomic-begin':
      return 'section';
    case 'call': {
      const { callee } = instruction;
      return typeof callee === 'number' && functions[callee]?.source.isAtomic ? 'section' : null;
    }
    case 'assume':
      return 'wait';
    case 'jump':
    case 'branch':
      return instruction.loop === null ? null : 'loop';
    case 'spawn':
    case 'free':
    case 'halt':
    case 'end-thread':
    case 'fence':
      return 'other';
    default:
      return null;
  }
}

interface Placed {
  readonly id: number;
  readonly role: Role;
}

/**
 * The instructions that can begin a labelled statement, by place and by line. A place in a model counts as it is
 * spelled; elsewhere also where a macro was used tells places apart.
 */
class InstructionIndex {
  readonly #sources: SourceMap;
  readonly #byPlace = new Map<string, Placed[]>();
  readonly #byLine = new Map<string, Placed[]>();
  readonly #lines = new Map<Loc, string>();

  constructor(program: CompiledProgram) {
    this.#sources = program.code.sources;
    for (const { source, visible } of program.functions) {
      let depth = 0;
      let section = 0;
      source.instructions.forEach((instruction, pc) => {
        // Nobody can stop within a section: who is to stop at something in one stops where it begins, the outermost
        // that is.
        if (instruction.kind === 'atomic-begin' && depth++ === 0) section = pc;
        const begin = depth > 0 ? section : pc;
        if (instruction.kind === 'atomic-end' && depth > 0) depth--;
        const role = roleOf(instruction, program);
        const isAccess = role === 'read' || role === 'write';
        if (role === null || (isAccess && visible[pc] !== 1)) return;
        const placed = { id: instructionId(source.id, role === 'loop' ? pc : begin), role };
        push(this.#byPlace, this.#placeOf(instruction.loc), placed);
        push(this.#byLine, this.#lineOf(instruction.loc), placed);
      });
    }
  }

  findAtPlace(label: Labelled): ReadonlySet<number> {
    return collect(label, (loc) => this.#byPlace.get(this.#placeOf(loc)));
  }

  findOnLine(label: Labelled): ReadonlySet<number> {
    return collect(label, (loc) => this.#byLine.get(this.#lineOf(loc)));
  }

  /** The ends of the loop at the place of the statement. */
  findLoops({ loc }: Labelled): ReadonlySet<number> {
    const placed = this.#byPlace.get(this.#placeOf(loc)) ?? [];
    return new Set(placed.filter(({ role }) => role === 'loop').map(({ id }) => id));
  }

  #placeOf(loc: Loc): string {
    const spelled = this.#sources.spellingOf(loc);
    return isModelPlace(this.#sources, loc) ? `${spelled}` : `${spelled} ${this.#sources.expansionOf(loc)}`;
  }

  #lineOf(loc: Loc): string {
    const known = this.#lines.get(loc);
    if (known !== undefined) return known;
    const isModel = isModelPlace(this.#sources, loc);
    const place = this.#sources.place(isModel ? this.#sources.spellingOf(loc) : loc);
    const line = place ? `${place.file}:${place.line}` : '';
    this.#lines.set(loc, line);
    return line;
  }
}

function collect(
  { loc, reads, writes, primitive }: Labelled,
  at: (loc: Loc) => readonly Placed[] | undefined,
): Set<number> {
  const found = new Set<number>();
  const add = (places: Iterable<Loc>, ...roles: readonly Role[]) => {
    for (const place of places) for (const { id, role } of at(place) ?? []) if (roles.includes(role)) found.add(id);
  };
  if (primitive === 'atomicBegin') add([loc], 'section');
  else {
    if (primitive === 'assume') add([loc, ...reads], 'wait');
    else if (primitive !== null) add([loc], 'other', 'section');
    // Where a statement is one step, it is a section.
    else add([loc, ...reads, ...writes], 'section');
    add(reads, 'read');
    add(writes, 'write');
  }
  return found;
}

function push<K>(map: Map<K, Placed[]>, key: K, placed: Placed): void {
  const list = map.get(key);
  if (list) list.push(placed);
  else map.set(key, [placed]);
}
