/**
 * The program as a transition system over terms: fixed threads, and a few *slots*, symbolic threads of the replicated
 * bodies. The next value of every state variable is a term over state and inputs, so that there are no primed
 * variables. One step: somebody moves (an input says who), from one step start to the next.
 */

import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import type { CountRelation } from './graph.ts';
import type { Spawned } from './walk-step.ts';

export interface StateVariable {
  readonly name: string;
  readonly term: Term;
  readonly initial: bigint;
  /** The slot that it belongs to; null for what is shared or of a fixed thread. */
  readonly slot: number | null;
  /** The variable of the model; null for program counters, `error` and `atomic`. */
  readonly variable: number | null;
  /** Of a program counter: which of the counters that exclude one another. */
  readonly pc: ProgramCounter | null;
  /** Takes part in counting threads. */
  readonly isGhost: boolean;
}

export interface ProgramCounter {
  /** Counters of one thread have the same group; exactly one of them holds. */
  readonly group: string;
  /** Null where a slot does not tell. */
  readonly body: number | null;
  /** Where the next step begins; null before the thread exists and after it ended. */
  readonly node: number | null;
  readonly state: 'idle' | 'ended' | 'running';
  readonly loc: Loc;
}

export interface Assigned {
  readonly variable: number;
  /** When it happens. */
  readonly guard: Term;
  readonly value: Term;
}

/** One way through a step of a thread. */
export interface Transition {
  readonly guard: Term;
  /** By state terms that it changes, but for what becomes of threads of replicated bodies that it creates. */
  readonly changes: ReadonlyMap<Term, Term>;
  readonly isError: boolean;
  /** Of the thread that moves; null for a fixed one. */
  readonly slot: number | null;
  /** The threads of replicated bodies that it creates. */
  readonly spawned: readonly Spawned[];
}

export interface TransitionSystem {
  readonly graph: TermGraph;
  readonly slots: number;
  readonly state: readonly StateVariable[];
  /** By state variable, in the same order. */
  readonly next: readonly Term[];
  readonly inputs: readonly Term[];
  /** The chosen thread can move. */
  readonly enabled: Term;
  readonly error: StateVariable;
  /** What holds in every reachable state, by how the system is made: exclusive counters, sets of values, counting. */
  readonly constraints: readonly Term[];
  /** Candidates for invariants, where all that they speak of is state. */
  readonly candidates: readonly {
    readonly term: Term;
    readonly loc: Loc;
    readonly isSum: boolean;
    readonly isAsserted: boolean;
    /** Of what holds of one thread, at some places; the slot, if it is of a replicated body. */
    readonly relation: CountRelation | null;
    readonly slot: number | null;
    /** The same for all slots. */
    readonly index: number;
  }[];
  /** Every assignment of a variable of the model, in its step: to check the sets that were taken for granted. */
  readonly assigned: readonly Assigned[];
  /** The steps of threads, and that all are stuck where that is an error. */
  readonly transitions: readonly Transition[];
  /** Paths of steps. */
  readonly pathCount: number;
}
