/**
 * An invariant as people read it: who is where, and what holds then, in C over the program's variables. A clause of a
 * proof says that some cube never is; its program counters become "whenever T1 is at line 14", what is left is negated.
 * Clauses that differ in places only are told together.
 */

import type { InvariantFact, InvariantThread, ProofInvariant, ThreadPlace } from '../../outcome/invariant.ts';
import type { Loc, SourceMap } from '../../support/source.ts';
import type { ClauseSpace, Cube } from './clause-space.ts';
import { describePlaces, placesOf } from './describe-places.ts';
import type { Body, CountRelation } from './graph.ts';
import type { PreparedModel } from './prepare-model.ts';
import { ValueSpeller } from './spell-values.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

export interface DescribedProof {
  readonly prepared: PreparedModel;
  readonly system: TransitionSystem;
  readonly space: ClauseSpace;
  readonly sources: Pick<SourceMap, 'place'>;
}

/** A cube: where threads are, by group of counters, and the literals that are left. */
interface Situation {
  readonly at: ReadonlyMap<string, ReadonlySet<number>>;
  readonly data: readonly number[];
}

export function describeInvariant(proof: DescribedProof, cubes: readonly Cube[]): ProofInvariant {
  const describer = new InvariantDescriber(proof);
  return describer.run(cubes);
}

/** What would have to hold, where a cube cannot be excluded. */
export function describeMissing(proof: DescribedProof, cube: Cube): InvariantFact {
  return new InvariantDescriber(proof).describe(cube);
}

class InvariantDescriber {
  readonly #proof: DescribedProof;
  readonly #speller: ValueSpeller;
  readonly #groups = new Map<string, number[]>();

  constructor(proof: DescribedProof) {
    this.#proof = proof;
    this.#speller = new ValueSpeller(proof.prepared.model, proof.system, proof.sources);
    proof.space.observables.forEach(({ kind, group }, id) => {
      if (kind === 'counter') this.#groups.set(group, [...(this.#groups.get(group) ?? []), id]);
    });
  }

  run(cubes: readonly Cube[]): ProofInvariant {
    const { space } = this.#proof;
    const told = cubes.filter((cube) => !cube.some((literal) => space.of(literal).key === 'error[0]'));
    const situations = this.#merge(told.map((cube) => this.#situationOf(cube)));
    const facts = [...this.#setFacts(), ...situations.map((each) => this.#factOf(each))];
    facts.sort((a, b) => a.when.length - b.when.length);
    return { threads: this.#threads(), facts };
  }

  describe(cube: Cube): InvariantFact {
    return this.#factOf(this.#situationOf(cube));
  }

  #threads(): InvariantThread[] {
    return this.#proof.prepared.model.bodies.map(({ name, isReplicated, id }) => ({
      name: isReplicated ? 'T' : nameOfFixed(id),
      start: name,
      isReplicated,
    }));
  }

  // -------------------------------------------------------------- situations

  #situationOf(cube: Cube): Situation {
    const { space } = this.#proof;
    const at = new Map<string, Set<number>>();
    for (const literal of cube) {
      const { kind, group } = space.of(literal);
      if (kind !== 'counter') continue;
      const id = Math.abs(literal) - 1;
      const before = at.get(group) ?? new Set(this.#groups.get(group));
      if (literal < 0) before.delete(id);
      at.set(group, literal > 0 ? new Set([id]) : before);
    }
    return { at, data: cube.filter((literal) => space.of(literal).kind !== 'counter') };
  }

  /** Those that differ in the places of one thread, as one. */
  #merge(situations: readonly Situation[]): Situation[] {
    let merged = [...situations];
    for (const group of this.#groups.keys()) {
      const byRest = new Map<string, Situation>();
      for (const each of merged) {
        const others = [...each.at].filter(([other]) => other !== group).map(([other, ids]) => `${other}:${[...ids]}`);
        const key = `${each.at.has(group)}|${others.sort().join(';')}|${each.data.join()}`;
        const known = byRest.get(key);
        const both = new Set([...(known?.at.get(group) ?? []), ...(each.at.get(group) ?? [])]);
        byRest.set(key, known && each.at.has(group) ? { ...known, at: new Map(known.at).set(group, both) } : each);
      }
      merged = [...byRest.values()];
    }
    return merged;
  }

  // -------------------------------------------------------------- words

  #factOf({ at, data }: Situation): InvariantFact {
    const when = [...at].map(([group, ids]) => this.#placeOf(group, ids));
    const speakers = new Set([...at.keys()]);
    const name = (state: StateVariable) => this.#speller.nameOf(state, (each) => this.#threadOf(each, speakers));
    const bitsOf = new Map<StateVariable, Map<number, boolean>>();
    const parts: string[] = [];
    for (const literal of data) {
      const { bit, about, comparison, claim, isSum, isAsserted, relation } = this.#proof.space.of(literal);
      const [state] = about;
      if (isSum) parts.push(sumOf(about.map(name), literal < 0));
      else if (relation) parts.push(relationOf(relation, (id) => nameOf(id, about, name), literal < 0));
      else if (claim !== undefined) parts.push(this.#claimOf(claim, isAsserted === true, literal < 0));
      else if (comparison !== null) parts.push(this.#speller.comparison(comparison, literal < 0, name));
      else if (state !== undefined && bit !== null)
        bitsOf.set(state, (bitsOf.get(state) ?? new Map<number, boolean>()).set(bit, literal > 0));
    }
    for (const [state, bits] of bitsOf) parts.push(this.#notBits(state, bits, name));
    return { when, holds: parts.length === 0 ? null : parts.join(' || ') };
  }

  #claimOf(loc: Loc, isAsserted: boolean, holds: boolean): string {
    const where = `${isAsserted ? 'what is asserted in' : 'the invariant of'} line ${this.#proof.sources.place(loc)?.line ?? '?'}`;
    return `${where} ${holds ? 'holds' : 'does not hold'}`;
  }

  #notBits(state: StateVariable, bits: ReadonlyMap<number, boolean>, name: (state: StateVariable) => string): string {
    if (state.name !== 'atomic' || state.variable !== null) return this.#speller.notBits(state, bits, name(state));
    return bits.get(0) ? 'no atomic section is open' : 'an atomic section is open';
  }

  /** Null for the only thread whose place the fact tells. */
  #threadOf({ slot, variable }: StateVariable, speakers: ReadonlySet<string>): string | null {
    const owner = this.#proof.prepared.model.variables[variable as number]?.owner ?? 0;
    const group = slot === null ? `thread ${owner}` : `slot ${slot}`;
    if (speakers.size === 1 && speakers.has(group)) return null;
    return slot === null ? nameOfFixed(owner) : nameOfSlot(slot);
  }

  #placeOf(group: string, ids: ReadonlySet<number>): ThreadPlace {
    const { space, system, prepared, sources } = this.#proof;
    const counters = (this.#groups.get(group) ?? []).map((id) => {
      const { place, key } = space.observables[id] as (typeof space.observables)[number];
      const body = prepared.model.bodies[Number.parseInt(key.replace('at *', ''), 10)];
      return { id, place, isIdle: key.endsWith('idle'), ended: place === null ? (body?.name ?? null) : null };
    });
    const places = placesOf(counters, prepared, sources);
    const first = system.state.find(({ pc }) => pc?.group === group);
    const thread = first?.slot === null ? nameOfFixed(first.pc?.body ?? 0) : nameOfSlot(first?.slot ?? 0);
    return { thread, ...describePlaces(places, ids) };
  }

  /** What the sets of values say of what threads share. */
  #setFacts(): InvariantFact[] {
    const { system, prepared } = this.#proof;
    return system.state.flatMap((state): InvariantFact[] => {
      const { variable, isGhost } = state;
      if (variable === null || isGhost || state.slot !== null) return [];
      const { owner, name } = prepared.model.variables[variable] as (typeof prepared.model.variables)[number];
      const body = prepared.model.bodies[owner] as Body | undefined;
      if (body !== undefined || name.startsWith('__lazuli')) return [];
      const holds = this.#speller.withinSet(state, name);
      return holds === null ? [] : [{ when: [], holds }];
    });
  }
}

function nameOfFixed(body: number): string {
  return body === 0 ? 'main' : `T${body}`;
}

/** Different threads of the kinds that there may be any number of. */
function nameOfSlot(slot: number): string {
  return 'TUVW'[slot] ?? `thread ${slot}`;
}

function nameOf(id: number, about: readonly StateVariable[], name: (state: StateVariable) => string): string {
  return name(about.find(({ variable }) => variable === id) as StateVariable);
}

function relationOf(
  { variable, scale, constant, parts }: CountRelation,
  name: (variable: number) => string,
  holds: boolean,
): string {
  const product = (times: bigint, of: string) => (times === 1n ? of : `${times} * ${of}`);
  const sum = parts.reduce(
    (text, { times, counter }) => {
      const part = product(times < 0n ? -times : times, name(counter));
      if (text === '') return times < 0n ? `-${part}` : part;
      return `${text} ${times < 0n ? '-' : '+'} ${part}`;
    },
    constant === 0n ? '' : `${constant}`,
  );
  return `${product(scale, name(variable))} ${holds ? '==' : '!='} ${sum}`;
}

/** What threads add to a variable: its name, and those of the ghosts that count how often. */
function sumOf([total, ...parts]: readonly string[], holds: boolean): string {
  return `${total} ${holds ? 'is' : 'is not'} what ${parts.join(', ')} say`;
}
