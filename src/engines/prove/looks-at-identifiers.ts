/**
 * Whether the program sees more of the identifiers of threads than that they differ: compares them with numbers, or
 * computes with them. Where threads of several bodies are numbered apart (find-peers.ts), where it depends on the
 * execution which of them are created before others, and where there are more than can run, their
 * numbers are not those that they get in the program, which then must not look. Thread routines may: what they tell of
 * an identifier does not depend on which number it is.
 *
 * Followed are copies, through variables, memory and arguments of threads; whatever else the program does with one is a
 * look at it.
 */

import type { Term } from '../../values/terms.ts';
import {
  type AnyNode,
  type Body,
  MOST_THREADS,
  type Model,
  NotProvableError,
  type RawNode,
  RUNNING_THREADS,
} from './graph.ts';
import { bytesOf, type TargetGuess, touches } from './guess-targets.ts';
import { termsOf, VariableFinder } from './node-terms.ts';

export function looksAtIdentifiers(model: Model, guess: TargetGuess): boolean {
  return findLook(model, guess, null) !== null;
}

/**
 * Refuses programs that look at identifiers which may be others than in the model, for bodies that are numbered in the
 * order of the places that create them. Numbers of threads of any number are names there: any that run.
 */
export function requireUnseenNumbers(model: Model, guess: TargetGuess): void {
  const hasNames = model.bodies.some(({ isReplicated }) => isReplicated);
  if (model.isNumbered && !hasNames) return;
  const isName = (value: bigint) => model.isNumbered && value <= BigInt(RUNNING_THREADS);
  const look = findLook(model, guess, (value) => value === 0n || value > BigInt(MOST_THREADS) || isName(value));
  if (look === null) return;
  throw new NotProvableError(look.loc, 'a look at the identifier of a thread, which depends on how many there are');
}

/** `isPlain`: with which numbers identifiers may be compared, as with each other; null: with nothing. */
function findLook(model: Model, guess: TargetGuess, isPlain: ((value: bigint) => boolean) | null): AnyNode | null {
  return new IdentifierFlow(model, guess, isPlain).run();
}

class IdentifierFlow {
  readonly #model: Model;
  readonly #guess: TargetGuess;
  readonly #finder: VariableFinder;
  readonly #isPlain: ((value: bigint) => boolean) | null;
  /** Variables and objects that may hold one. */
  readonly #variables = new Set<number>();
  readonly #objects = new Set<number>();
  #hasChanged = false;

  constructor(model: Model, guess: TargetGuess, isPlain: ((value: bigint) => boolean) | null) {
    this.#model = model;
    this.#guess = guess;
    this.#isPlain = isPlain;
    this.#finder = new VariableFinder(model);
    for (const { nodes, self } of model.bodies) {
      if (self !== null) this.#variables.add(self);
      for (const node of nodes) if (node.kind === 'spawn') this.#variables.add(node.number);
    }
  }

  /** The first node that looks at one. */
  run(): AnyNode | null {
    for (;;) {
      this.#hasChanged = false;
      const looks = this.#model.bodies.flatMap(({ nodes }) => nodes.filter((node) => !this.#follow(node)));
      // What is no identifier as far as is known may turn out to be one.
      if (!this.#hasChanged) return looks[0] ?? null;
    }
  }

  /** False where the node looks at an identifier. */
  #follow(node: AnyNode): boolean {
    switch (node.kind) {
      case 'set':
        return node.assignments.every(({ variable, value }) =>
          this.#copy(value, node, () => this.#add(this.#variables, variable)),
        );
      case 'load':
        if (this.#targets(node).some((id) => this.#objects.has(id))) this.#add(this.#variables, node.variable);
        return node.isModel || !this.#isAmong(node.address);
      case 'store': {
        const isKept = this.#copy(node.value, node, () => {
          for (const id of this.#targets(node)) this.#add(this.#objects, id);
        });
        return isKept && (node.isModel || !this.#isAmong(node.address));
      }
      case 'spawn': {
        const { argument } = this.#model.bodies[node.body] as Body;
        return this.#copy(node.argument, node, () => argument !== null && this.#add(this.#variables, argument));
      }
      default:
        return termsOf(node).every((term) => this.#mayLook(term, node) || this.#onlyCompares(term));
    }
  }

  /** False where the value is made of an identifier, and is no copy. */
  #copy(value: Term, node: AnyNode, keep: () => void): boolean {
    if (!this.#isAmong(value)) return true;
    const isCopy = this.#isCopy(value, node.isModel);
    if (isCopy) keep();
    return isCopy || this.#mayLook(value, node) || this.#onlyCompares(value);
  }

  /** Thread routines; but those that compare memory tell of single bytes what the program makes of them. */
  #mayLook(term: Term, { isModel }: AnyNode): boolean {
    const isByte = (id: number) => this.#variables.has(id) && this.#model.variables[id]?.width === 8;
    return isModel && !this.#finder.in(term).some(isByte);
  }

  /** Whether nothing is seen of identifiers but that they are the same, or none at all. */
  #onlyCompares(term: Term): boolean {
    if (!this.#isAmong(term)) return true;
    const { graph } = this.#model;
    const operands = graph.operandsOf(term);
    switch (graph.operationOf(term)) {
      case 'eq':
        return this.#isPlain !== null && operands.every((each) => this.#isWhole(each));
      case 'not':
      case 'and':
      case 'or':
      case 'ite':
      case 'zext':
      case 'refine':
        return operands.every((each) => this.#onlyCompares(each));
      default:
        return false;
    }
  }

  /** An identifier, or a number that it may be compared with. */
  #isWhole(term: Term): boolean {
    const { graph } = this.#model;
    const value = graph.constantOf(term);
    if (value !== null) return this.#isPlain?.(value) === true;
    const operation = graph.operationOf(term);
    if (operation === 'zext' || operation === 'refine') return this.#isWhole(graph.operand(term, 0));
    return operation === 'variable' && this.#isAmong(term);
  }

  /** Of other widths, too; routines make identifiers of numbers by adding one. */
  #isCopy(value: Term, isModel: boolean): boolean {
    const { graph } = this.#model;
    if (graph.operationOf(value) === 'variable') return true;
    const operands = graph.operandsOf(value);
    switch (graph.operationOf(value)) {
      case 'zext':
      case 'sext':
      case 'extract':
      case 'refine':
        return this.#isCopy(operands[0] as Term, isModel);
      case 'add':
        return isModel && graph.constantOf(operands[1] as Term) !== null && this.#isCopy(operands[0] as Term, isModel);
      default:
        return false;
    }
  }

  #isAmong(term: Term): boolean {
    return this.#finder.in(term).some((id) => this.#variables.has(id));
  }

  #targets(node: Extract<RawNode, { kind: 'load' | 'store' }>): number[] {
    const targets = this.#guess.targetsOf(node.address, bytesOf(node, this.#model));
    return this.#model.objects.flatMap((object) => (touches(targets, object) ? [object.id] : []));
  }

  #add(set: Set<number>, id: number): void {
    if (set.has(id)) return;
    set.add(id);
    this.#hasChanged = true;
  }
}
