import { describe, expect, it } from 'vitest';
import { readCode } from '../../test/support/agreement.ts';
import { analyse } from '../../test/support/watch-ranges.ts';
import { describeRange } from './describe-range.ts';
import { nameAllocations } from './name-allocations.ts';

/** What is said of allocated memory, and of the variables named. */
function namesIn(text: string, ...variables: readonly string[]): Record<string, string> {
  const analysis = nameAllocations(analyse(readCode(text), 4));
  const shown = analysis.ranges.filter(({ kind, name, isInternal }) => {
    return !isInternal && (kind === 'allocation' || variables.includes(name));
  });
  return Object.fromEntries(shown.map((range) => [range.name, describeRange(range, analysis)]));
}

describe('nameAllocations', () => {
  it('names members by the type of the pointers that hold the address, also of those in allocated memory', () => {
    const names = namesIn(
      `#include <stdlib.h>
      struct leaf { short rank; };
      struct node { int value; struct node *next; struct leaf *leaf; } *first;
      int main(void) {
        for (int i = 0; i < 2; i++) {
          struct node *each = malloc(sizeof *each);
          each->value = i;
          each->next = first;
          each->leaf = malloc(sizeof(struct leaf));
          each->leaf->rank = -3;
          first = each;
        }
        return 0;
      }`,
      'first',
    );
    expect(names).toEqual({
      first: 'NULL, &allocated@6',
      'allocated@6.value': '{0, 1}',
      'allocated@6.next': 'NULL, &allocated@6',
      'allocated@6.leaf': '&allocated@9',
      'allocated@9.rank': '{-3}',
    });
  });

  it('names elements of arrays, of records in arrays and of flexible members', () => {
    const names = namesIn(
      `#include <stdlib.h>
      struct point { int x, y; } *points;
      struct text { int length; char characters[]; } *text;
      int *numbers, *second;
      int main(void) {
        numbers = malloc(3 * sizeof(int));
        for (int i = 0; i < 3; i++) numbers[i] = 4;
        second = &numbers[1];
        points = malloc(2 * sizeof *points);
        points[1].y = 6;
        text = malloc(sizeof *text + 2);
        text->length = 2;
        text->characters[1] = 'b';
        return 0;
      }`,
      'numbers',
      'second',
      'points',
    );
    expect(names).toEqual({
      numbers: 'NULL, &allocated@6',
      second: 'NULL, &allocated@6[1]',
      points: 'NULL, &allocated@9[0]',
      'allocated@6[0]': '{4}',
      'allocated@6[1]': '{4}',
      'allocated@6[2]': '{4}',
      'allocated@9[1].y': '{6}',
      'allocated@11.length': '{2}',
      'allocated@11.characters[1]': "{'b'}",
    });
  });

  it('puts members together that are written byte by byte, and tells what lies outside of all members', () => {
    const names = namesIn(
      `#include <stdlib.h>
      #include <string.h>
      struct pair { int first; int second; } *pair;
      int main(void) {
        pair = malloc(sizeof *pair + 4);
        memset(pair, 0, sizeof *pair + 1);
        return 0;
      }`,
    );
    expect(names).toEqual({ 'allocated@5.first': '{0}', 'allocated@5.second': '{0}', 'allocated@5+8': '{0}' });
  });

  it('leaves offsets where no pointer tells a type, and hides the words of library objects', () => {
    const names = namesIn(
      `#include <pthread.h>
      #include <stdlib.h>
      struct guarded { pthread_mutex_t lock; int value; } *guarded;
      void *bytes;
      int main(void) {
        bytes = malloc(8);
        *(int *)bytes = 7;
        guarded = malloc(sizeof *guarded);
        pthread_mutex_init(&guarded->lock, 0);
        guarded->value = 1;
        return 0;
      }`,
    );
    expect(names).toEqual({ 'allocated@6+0': '{7}', 'allocated@8.value': '{1}' });
  });

  it('says of a bit-field that it is uninitialised, not that its neighbour gives it anything', () => {
    const text = `#include <stdlib.h>
      struct flags { unsigned low : 3; int high : 4; } *flags;
      int main(void) {
        flags = malloc(sizeof *flags);
        flags->low = 5;
        return 0;
      }`;
    const { ranges } = nameAllocations(analyse(readCode(text), 1));
    const high = ranges.find(({ name }) => name === 'allocated@4.high');
    expect([high?.neededBits, high?.declaredBits, high?.most?.origin.kind]).toEqual([4, 4, 'uninitialised']);
  });
});
