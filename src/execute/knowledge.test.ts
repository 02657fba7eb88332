import { describe, expect, it } from 'vitest';
import type { Cell, MemoryObject } from './cells.ts';
import { Knowledge } from './knowledge.ts';

function makeObject(size: number): { knowledge: Knowledge; object: MemoryObject } {
  const knowledge = new Knowledge(1n << 47n, true);
  const parts = { name: 'x', declared: null, kind: 'heap', creator: 'x' } as const;
  const object = knowledge.object('x', () => parts, size);
  knowledge.beginIteration();
  return { knowledge, object };
}

const places = (cells: Iterable<Cell>) => [...cells].map(({ offset, size }) => `${offset}:${size}`);

describe('cells of an object', () => {
  it('are as large as the accesses', () => {
    const { knowledge, object } = makeObject(16);
    expect(places(knowledge.cellsAt(object, 0, 8))).toEqual(['0:8']);
    expect(places(knowledge.cellsAt(object, 8, 4))).toEqual(['8:4']);
    expect(knowledge.structureChanged).toBe(false);
  });

  it('are split where accesses overlap in part, and only there', () => {
    const { knowledge, object } = makeObject(24);
    for (const offset of [0, 8, 16]) knowledge.cellsAt(object, offset, 8);
    expect(places(knowledge.cellsAt(object, 12, 2))).toEqual(['12:2']);
    expect(places(knowledge.cellsAt(object, 0, 8))).toEqual(['0:8']);
    expect(places(knowledge.cellsAt(object, 8, 8))).toEqual(['8:2', '10:2', '12:2', '14:2']);
    expect(places(knowledge.cellsAt(object, 16, 8))).toEqual(['16:8']);
    expect(knowledge.cellsChanged).toBe(true);
  });

  it('stay when a larger access consists of them', () => {
    const { knowledge, object } = makeObject(8);
    knowledge.cellsAt(object, 0, 4);
    expect(places(knowledge.cellsAt(object, 0, 8))).toEqual(['0:4', '4:4']);
    expect(knowledge.cellsChanged).toBe(false);
  });

  it('fill the gaps between those that a larger access overlaps with', () => {
    const { knowledge, object } = makeObject(16);
    knowledge.cellsAt(object, 0, 4);
    knowledge.cellsAt(object, 6, 4);
    expect(places(knowledge.cellsAt(object, 0, 8))).toEqual(['0:2', '2:2', '4:2', '6:2']);
    expect(places(knowledge.cellsAt(object, 6, 4))).toEqual(['6:2', '8:2']);
  });

  it('are split into pieces of a size that is asked for, once', () => {
    const { knowledge, object } = makeObject(16);
    knowledge.cellsAt(object, 8, 8);
    const [word] = knowledge.cellsAt(object, 0, 8) as [Cell];
    expect(knowledge.splitInto(word, 2)).toBe(true);
    expect(places(knowledge.cellsAt(object, 0, 8))).toEqual(['0:2', '2:2', '4:2', '6:2']);
    expect(places(knowledge.cellsAt(object, 8, 8))).toEqual(['8:8']);
    expect(knowledge.splitInto(word, 2)).toBe(false);
  });
});
