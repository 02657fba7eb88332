/**
 * What the makers of flow graphs tell one another: what all bodies share while they are made (inline-threads.ts), a
 * call that is to be inlined, and what is known to be constant at an instruction.
 */

import type { CheckName } from '../../program/check-names.ts';
import type { Code, CodeFunction, CodeObject } from '../../program/code.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import type { AnyNode, Body, GraphObject, ObjectLength, Variable } from './graph.ts';

export interface InlinedCall {
  readonly function: CodeFunction;
  readonly args: readonly Term[];
  /** The variable that gets the result. */
  readonly result: number | null;
  readonly next: number;
  readonly path: readonly number[];
  readonly loc: Loc;
}

/** Registers that are known to be constant, by number. */
export type Constants = ReadonlyMap<number, Term>;

/** A node whose maker is asked whether it is a model's. */
export type NodeOfInstruction = DistributiveOmit<AnyNode, 'isModel'>;

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

/** What all bodies share while they are made. */
export interface InlineContext {
  readonly code: Code;
  readonly graph: TermGraph;
  readonly checks: ReadonlySet<CheckName>;
  readonly pointerWidth: number;
  /** Loops of the program are never unrolled for what is constant in a turn. */
  readonly keepsLoops: boolean;
  /** Loops of replicated bodies are copied, as far as they end by constants. */
  readonly unroll: boolean;
  /** Functions that can be called through a pointer. */
  readonly addressTaken: readonly number[];
  /** Whether threads are created in a function or its callees. */
  isSpawning(id: number): boolean;
  variable(id: number): Variable;
  functionTerm(id: number): Term;
  staticObject(id: number): GraphObject;
  /** A spawn node: its body is made once the whole of its own body is known. */
  addSite(node: number, start: number): void;
  addVariable(name: string, width: number, owner: number, signed: boolean): number;
  addObject(source: CodeObject, owner: number): GraphObject;
  /** How many objects a place allocates at a time; 0: one, which may run once. */
  readonly instances: number;
  addHeapObject(size: number, loc: Loc, body: Body, instance: number): GraphObject;
  /** One whose size is not known beforehand; none is larger than `mostBytes`. */
  addLongObject(loc: Loc, body: Body): GraphObject & { readonly length: ObjectLength };
  readonly mostBytes: number;
  /** Forgets spawn nodes from a number on: they are made anew. */
  dropSites(from: number): void;
}
