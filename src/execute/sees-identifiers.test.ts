import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import { seesIdentifiers } from './sees-identifiers.ts';

const program = (body: string) =>
  lowerText(`
    #include <pthread.h>
    #include <stdlib.h>
    #include <string.h>
    struct task { pthread_t id; int number; };
    pthread_t first, ids[4];
    struct task *tasks;
    int table[8], same;
    void *work(void *given) { return given; }
    pthread_t last(void) { return ids[3]; }
    int main(void) {
      pthread_t id;
      tasks = malloc(4 * sizeof *tasks);
      pthread_create(&id, 0, work, 0);
      pthread_create(&ids[3], 0, work, 0);
      pthread_create(&tasks[0].id, 0, work, 0);
      ${body}
    }`);

describe('what a program sees of identifiers', () => {
  it.each([
    'pthread_join(id, 0); pthread_join(ids[3], 0); pthread_join(tasks[0].id, 0);',
    'first = id; if (first) same = first == last(); tasks[1] = tasks[0];',
    'if (pthread_equal(id, pthread_self())) return 1; if (id != pthread_self()) return 2;',
    'pthread_create(&first, 0, work, (void *)id); same = tasks[0].number + 1;',
  ])('is that they differ: %s', (body) => {
    expect(seesIdentifiers(program(body))).toBe(false);
  });

  it.each([
    'if (id == 3) return 1;',
    'if (id < ids[3]) return 1;',
    'first = last(); if (first > 2) return 1;',
    'return table[pthread_self() % 8];',
    'table[id & 7] = 1;',
    'if (tasks[0].id + 1 == 3) return 1;',
    'if (labs((long)id) == 3) return 1;',
    'if (pthread_equal(id, 3)) return 1;',
    'pthread_exit((void *)id);',
    'if (memcmp(&id, &ids[3], sizeof id) < 0) return 1;',
  ])('is more: %s', (body) => {
    expect(seesIdentifiers(program(body))).toBe(true);
  });
});
