/**
 * Where data races are sought, a `touch` (program/primitives.ts) says before each access to memory that several threads
 * touch which bytes it goes to. Who stands before one can be asked so (sequentialize/ask-race.ts). Later passes may
 * replace or leave out the access itself, of which only the value matters to them; what was said of it stays.
 *
 * What thread routines do in their sections is no access, nor is what models do to variables of theirs. Accesses in
 * sections of the program's own and C11 atomics are atomic; both in one program are refused, for a read of one kind
 * that sees a write of the other need not come after it.
 */

import { bitContainer } from '../lower/shapes.ts';
import { type BoundedProgram, mapThreads } from '../program/bounded-program.ts';
import { address, builtin, integer } from '../program/build-tree.ts';
import { sizeOf } from '../program/layout.ts';
import {
  type AtomicMeaning,
  meaningOf,
  PRIMITIVES,
  primitiveCall,
  type TouchedPlace,
  touch,
} from '../program/primitives.ts';
import type { Expression, FunctionDefinition, Statement } from '../program/tree.ts';
import { sizeType } from '../program/type-operations.ts';
import { QUALIFIER_ATOMIC } from '../program/types.ts';
import { expressionsOf } from '../program/visit-tree.ts';
import { isModelPlace, type Loc } from '../support/source.ts';
import { type SharedMemory, visitTouches } from './alias/find-shared-memory.ts';
import { rootOf } from './alias/sharing.ts';
import { findShared } from './find-shared.ts';
import type { PassContext } from './pass.ts';

export function watchAccesses(program: BoundedProgram, context: PassContext): BoundedProgram {
  const sharing = findShared(program, context);
  const kinds = new Map<AtomicMeaning, Loc>();
  const watched = mapThreads(program, ({ number, function: definition }) =>
    new Watcher(program, number, sharing, kinds).run(definition),
  );
  const mixed = kinds.has('section') ? kinds.get('operation') : undefined;
  if (mixed !== undefined) {
    const message = 'data races are not looked for C to C where atomic sections and atomic operations are mixed';
    context.sink.error(mixed, 'unsupported', message);
  }
  return watched;
}

/** The section around a statement: a thread routine's, what makes accesses atomic, or none of these. */
type Section = AtomicMeaning | 'routine' | null;

class Watcher {
  readonly #program: BoundedProgram;
  readonly #thread: number;
  readonly #sharing: SharedMemory;
  readonly #kinds: Map<AtomicMeaning, Loc>;
  /** The sections that are open, by the order of the text: sections do not begin in one branch and end in another. */
  readonly #sections: Section[] = [];

  constructor(program: BoundedProgram, thread: number, sharing: SharedMemory, kinds: Map<AtomicMeaning, Loc>) {
    this.#program = program;
    this.#thread = thread;
    this.#sharing = sharing;
    this.#kinds = kinds;
  }

  run(definition: FunctionDefinition): FunctionDefinition {
    const body = { ...definition.body, items: this.#items(definition.body.items) };
    return { ...definition, body };
  }

  #items(items: readonly Statement[]): Statement[] {
    return items.flatMap((item) => this.#statement(item));
  }

  #statement(statement: Statement): Statement[] {
    switch (statement.kind) {
      case 'block':
        return [{ ...statement, items: this.#items(statement.items) }];
      case 'if': {
        const touches = this.#touches(statement);
        const then = this.#asBlock(statement.then);
        const otherwise = statement.otherwise && this.#asBlock(statement.otherwise);
        return [...touches, { ...statement, then, otherwise }];
      }
      default: {
        const found = primitiveCall(statement);
        if (found?.primitive === 'atomicEnd') this.#sections.pop();
        if (found?.primitive === 'atomicBegin') {
          const isRoutine = isModelPlace(this.#program.sources, statement.loc);
          this.#sections.push(isRoutine ? 'routine' : meaningOf(found.call));
        }
        return [...this.#touches(statement), statement];
      }
    }
  }

  #asBlock(statement: Statement): Statement {
    const { loc } = statement;
    return { kind: 'block', items: this.#statement(statement), loc, endLoc: loc };
  }

  #touches(statement: Statement): Statement[] {
    if (this.#sections.includes('routine')) return [];
    const touches: Statement[] = [];
    for (const expression of expressionsOf(statement)) {
      const shared = this.#sharing.touchedBy(this.#thread, expression);
      const isShared = (lvalue: Expression, kind: 'read' | 'write') =>
        shared === null
          ? this.#sharing.isNoticed(this.#thread, lvalue)
          : shared.some((each) => each.lvalue === lvalue && each.kind === kind);
      visitTouches(expression, {
        touch: (lvalue, kind) => {
          if (isShared(lvalue, kind) && !this.#isOfModels(lvalue))
            touches.push(touch(this.#placeOf(lvalue, kind === 'write'), lvalue.loc));
        },
        free: (pointer) => {
          const { loc } = pointer;
          const size = builtin(PRIMITIVES.objectSize, [pointer], loc, sizeType(this.#program.dataModel));
          touches.push(
            touch({ address: pointer, offset: 0, size, isWrite: true, isAtomic: this.#isAtomic(null, loc) }, loc),
          );
        },
      });
    }
    return touches;
  }

  #isOfModels(lvalue: Expression): boolean {
    const symbol = rootOf(lvalue);
    return symbol !== null && isModelPlace(this.#program.sources, symbol.loc);
  }

  #isAtomic(lvalue: Expression | null, loc: Loc): boolean {
    const isTyped = lvalue !== null && (lvalue.type.qualifiers & QUALIFIER_ATOMIC) !== 0;
    const around = this.#sections.find((each) => each === 'section' || each === 'operation');
    const meaning = isTyped && around === undefined ? 'operation' : around;
    if (meaning !== 'section' && meaning !== 'operation') return false;
    this.#kinds.set(meaning, loc);
    return true;
  }

  #placeOf(lvalue: Expression, isWrite: boolean): TouchedPlace {
    const { loc } = lvalue;
    const { dataModel } = this.#program;
    const isAtomic = this.#isAtomic(lvalue, loc);
    const bytes = (count: number) => integer(count, loc, sizeType(dataModel));
    if (lvalue.kind === 'member' && lvalue.field.bits !== null && lvalue.object.type.kind === 'record') {
      const { offset, type } = bitContainer(lvalue.object.type.declaration, lvalue.field, dataModel);
      return { address: address(lvalue.object, loc), offset, size: bytes(type.bits / 8), isWrite, isAtomic };
    }
    return { address: address(lvalue, loc), offset: 0, size: bytes(sizeOf(lvalue.type, dataModel)), isWrite, isAtomic };
  }
}
