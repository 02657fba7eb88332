/**
 * The places of a program at which threads can be preempted, as both roads number them: a thread has labels from 0 on,
 * and a preemption at a label happens before that visible statement. Where a statement can block, its thread may be
 * preempted in every instance.
 */

export interface ThreadPlaces {
  /** Unique: `worker`, or `worker#2` where several threads start at the same routine. */
  readonly name: string;
  /** Of the start routine; configurations name all of its threads by it. */
  readonly routine: string;
  /** Tiles begin here: before, there is nobody else (main, until it creates a thread). */
  readonly first: number;
  readonly places: readonly PreemptionPlace[];
}

export interface PreemptionPlace {
  /** Null for what is in no file of the user. */
  readonly file: string | null;
  readonly line: number;
  /** The function of the statement and those that called it. */
  readonly functions: readonly string[];
  readonly blocks: boolean;
}

/** Without those of the models. */
export function userFunctions(functions: readonly string[]): readonly string[] {
  return functions.filter((name) => !name.startsWith('__lazuli_'));
}

/** Unique names for threads in their order. */
export function nameThreads(routines: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return routines.map((routine) => {
    const number = (seen.get(routine) ?? 0) + 1;
    seen.set(routine, number);
    return routines.filter((other) => other === routine).length === 1 ? routine : `${routine}#${number}`;
  });
}
