/**
 * The moves of a transition system: the step of each fixed thread, that of each slot, and, where deadlocks are looked
 * for, that all threads are stuck. A move is all paths of a thread's steps together: next values of the state where
 * they differ, each under the guard of its path. Threads of replicated bodies that a step creates are only noted: into
 * which slot they go is the same question for all moves (build-system.ts).
 */

import type { Term } from '../../values/terms.ts';
import { restValue } from './analyse-values.ts';
import { buildScope } from './build-scope.ts';
import type { ProgramSteps } from './find-steps.ts';
import { areStuck, type StuckThread } from './find-stuck.ts';
import type { Body, Variable } from './graph.ts';
import { endedKey, type SystemState } from './system-state.ts';
import type { Assigned, Transition } from './transition-system.ts';
import { type Spawned, type StepPath, type StepScope, walkStep } from './walk-step.ts';

export interface MoveOptions {
  /** That all threads are stuck is an error. */
  readonly deadlocks: boolean;
  /** Called now and then; throws when time is up. */
  readonly poll: () => void;
  /** Threads keep what they needed and no longer need until they end, for clauses to speak of. */
  readonly keepsDead?: boolean;
  /** Told every node that some step comes to, and from where, as far as sets of values tell. */
  readonly onVisit?: StepScope['visit'];
}

/** The step of one thread that may move: next values where they differ. */
export interface Move {
  enabled: Term;
  readonly changed: Map<Term, Term>;
  readonly spawns: { readonly guard: Term; readonly spawned: Spawned }[];
}

export interface SystemMoves {
  readonly moves: readonly Move[];
  readonly assigned: readonly Assigned[];
  readonly transitions: readonly Transition[];
  readonly pathCount: number;
}

/** `alone`: what a step of a fixed thread may take for granted that looks at no peer. */
export function buildMoves(state: SystemState, options: MoveOptions, alone: Term): SystemMoves {
  const builder = new MoveBuilder(state, options, alone);
  const moves = builder.build();
  return { moves, assigned: builder.assigned, transitions: builder.transitions, pathCount: builder.pathCount };
}

class MoveBuilder {
  readonly #state: SystemState;
  readonly #options: MoveOptions;
  readonly #alone: Term;
  readonly assigned: Assigned[] = [];
  readonly transitions: Transition[] = [];
  pathCount = 0;

  constructor(state: SystemState, options: MoveOptions, alone: Term) {
    this.#state = state;
    this.#options = options;
    this.#alone = alone;
  }

  build(): Move[] {
    const moves = this.#state.fixed.map((body) => this.#moveOf([body], null));
    for (let slot = 0; slot < this.#state.slots; slot++) moves.push(this.#moveOf(this.#state.replicated, slot));
    if (this.#options.deadlocks) moves.push(this.#stuckMove());
    return moves;
  }

  /** Not the step of a thread: somebody notices that none is left. */
  #stuckMove(): Move {
    const graph = this.#state.graph;
    const inputsOf = (name: string) => `stuck ${name}, `;
    const fixed = this.#state.fixed.map((body): StuckThread => {
      const scope = this.#scope(null, inputsOf(`${body.id}`));
      return { bodies: [body], counters: this.#state.counters[body.id] as Map<string, Term>, scope };
    });
    const slots = this.#state.slotCounters.map((counters, slot): StuckThread => {
      return { bodies: this.#state.replicated, counters, scope: this.#scope(slot, inputsOf(`slot ${slot}`)) };
    });
    const enabled = areStuck([...fixed, ...slots], this.#state.steps, graph, this.#state.model);
    this.transitions.push({ guard: enabled, changes: new Map(), isError: true, slot: null, spawned: [] });
    return {
      enabled,
      changed: new Map([[this.#state.error.term, graph.or(this.#state.error.term, enabled)]]),
      spawns: [],
    };
  }

  /** The step of a fixed thread, or of a slot, whatever body it has. */
  #moveOf(bodies: readonly Body[], slot: number | null): Move {
    const { graph, atomic } = this.#state;
    const scope = this.#scope(slot);
    const move: Move = { enabled: graph.false, changed: new Map(), spawns: [] };
    for (const body of bodies) {
      const counters = this.#state.countersOf(body, slot);
      const steps = this.#state.steps.bodies[body.id] as ProgramSteps['bodies'][number];
      const reached = new Set([body.entry]);
      for (const start of reached) {
        const here = counters.get(`${body.id}:${start}`) as Term;
        const inside = (steps.depth[start] as number) > 0;
        const mayMove = atomic === null ? graph.true : inside ? atomic : graph.not(atomic);
        this.#options.poll();
        const paths = walkStep(body, steps, start, scope);
        this.pathCount += paths.length;
        for (const path of paths) {
          const alone = slot === null && path.peer === null ? this.#alone : graph.true;
          const guard = graph.andAll([here, mayMove, path.guard, alone]);
          if (graph.isFalse(guard)) continue;
          this.#addPath(move, body, path, guard, slot, counters, start);
          if (path.end.kind === 'node') reached.add(path.end.node);
        }
      }
    }
    return move;
  }

  #addPath(
    move: Move,
    body: Body,
    { end, values, spawned, peer }: StepPath,
    guard: Term,
    slot: number | null,
    counters: ReadonlyMap<string, Term>,
    start: number,
  ): void {
    const { graph, atomic } = this.#state;
    if (end.kind === 'waits' || end.kind === 'stopped') return;
    move.enabled = graph.or(move.enabled, guard);
    const changes = new Map<Term, Term>();
    const put = (target: Term, value: Term) => {
      changes.set(target, value);
      move.changed.set(target, graph.ite(guard, value, move.changed.get(target) ?? target));
    };
    const isReplicated = (each: Spawned) => (this.#state.model.bodies[each.body] as Body).isReplicated;
    this.transitions.push({
      guard,
      changes,
      isError: end.kind === 'error',
      slot,
      spawned: spawned.filter(isReplicated),
    });
    if (end.kind === 'error') {
      put(this.#state.error.term, graph.true);
      return;
    }
    const after = counters.get(
      end.kind === 'finish' ? endedKey(this.#state.model, body) : `${body.id}:${end.node}`,
    ) as Term;
    const here = counters.get(`${body.id}:${start}`) as Term;
    if (after !== here) {
      put(here, graph.false);
      put(after, graph.true);
    }
    this.#putValues(put, body, end.kind === 'finish' ? null : end.node, values, slot, guard);
    const isInside = end.kind === 'node' && (this.#state.steps.bodies[body.id]?.depth[end.node] ?? 0) > 0;
    if (atomic !== null) put(atomic, graph.boolean(isInside));
    for (const each of spawned) this.#putSpawned(move, put, each, guard);
    for (const [id, value] of peer?.values ?? []) {
      const target = this.#state.local[peer?.slot as number]?.get(id);
      if (target === undefined) continue;
      put(target, value);
      this.assigned.push({ variable: id, guard, value });
    }
  }

  #putValues(
    put: (target: Term, value: Term) => void,
    body: Body,
    end: number | null,
    values: ReadonlyMap<number, Term>,
    slot: number | null,
    guard: Term,
  ): void {
    const { variables } = this.#state.model;
    const { users, bodies } = this.#state.steps;
    const live = end === null ? new Set<number>() : (bodies[body.id]?.live[end] ?? new Set<number>());
    // Not what is given to it where nobody needs that: it may lie outside of the set of its needed values, to which
    // the state is constrained. What it had before is in there, for it was needed once, or is where it began.
    const isKept = (id: number) => this.#options.keepsDead === true && end !== null && !values.has(id);
    // A thread keeps its number; what else is its own and no longer needed is forgotten.
    const isForgotten = (id: number) => {
      const { owner, kind } = variables[id] as Variable;
      if (isKept(id)) return false;
      return owner === body.id && kind !== 'self' && users.isPrivate(id) && !live.has(id);
    };
    for (const [id, value] of values) {
      const target = this.#state.termOf(id, slot);
      if (target === undefined || isForgotten(id)) continue;
      put(target, value);
      this.assigned.push({ variable: id, guard, value });
    }
    const own = slot === null ? this.#state.shared : (this.#state.local[slot] as Map<number, Term>);
    for (const [id, target] of own) {
      if (!isForgotten(id)) continue;
      put(target, this.#state.graph.constant(this.#state.graph.widthOf(target), restValue(variables[id] as Variable)));
    }
  }

  #putSpawned(move: Move, put: (target: Term, value: Term) => void, spawned: Spawned, guard: Term): void {
    const graph = this.#state.graph;
    const body = this.#state.model.bodies[spawned.body] as Body;
    if (body.isReplicated) {
      move.spawns.push({ guard, spawned });
      return;
    }
    const counters = this.#state.counters[body.id] as Map<string, Term>;
    put(counters.get('idle') as Term, graph.false);
    put(counters.get(`${body.id}:${body.entry}`) as Term, graph.true);
    const argument = body.argument === null ? undefined : this.#state.shared.get(body.argument);
    if (argument === undefined) return;
    put(argument, spawned.argument);
    this.assigned.push({ variable: body.argument as number, guard, value: spawned.argument });
  }

  #scope(slot: number | null, inputs = ''): StepScope {
    return buildScope(this.#state, slot, inputs, this.#options.onVisit);
  }
}
