import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import type { CheckName } from '../program/code.ts';
import { runCounted } from './counted-run.ts';
import { compileProgram } from './interpreter/compile-instructions.ts';
import type { Trace, TraceEvent } from './trace.ts';

const HEADERS = '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <threads.h>\n';
const CHECKS: readonly CheckName[] = ['assertion', 'pointer', 'free', 'leak'];

/**
 * The trace of a program, whose threads run one after the other: main first, as far as it can, then the others, then
 * main.
 */
function traceOf(text: string): Trace {
  const checks = new Set(CHECKS);
  const program = compileProgram(lowerText(HEADERS + text, { checks }));
  const segments = [0, 1, 2, 0].map((thread) => ({ thread, steps: 1000 }));
  const { recorder } = runCounted(program, { segments, inputs: new Map() }, { checks, instructionLimit: 10_000 }, true);
  const trace = recorder?.finish();
  if (!trace) throw new Error('nothing was recorded');
  return trace;
}

/** What the user's code writes, as `name = value`. */
function writes(text: string): string[] {
  const values = traceOf(text).steps.flatMap((step) => step.values);
  const own = values.filter(({ kind, isInternal }) => kind === 'write' && !isInternal);
  return own.map(({ name, value }) => `${name} = ${value}`);
}

function eventsOf<K extends TraceEvent['kind']>(trace: Trace, kind: K): Extract<TraceEvent, { kind: K }>[] {
  const isKind = (event: TraceEvent): event is Extract<TraceEvent, { kind: K }> => event.kind === kind;
  return trace.steps.flatMap(({ events }) => events.filter(isKind));
}

describe('names of places in memory', () => {
  it('leaves out the bytes between members', () => {
    const text = `#include <string.h>
      struct mixed { char a; int b; char c; } g;
      int main(void) { memset(&g, 0, sizeof g); struct mixed h; memcpy(&h, &g, sizeof g); assert(0); }`;
    expect(writes(text)).toEqual(['g.a = 0', 'g.b = 0', 'g.c = 0', 'h.a = 0', 'h.b = 0', 'h.c = 0']);
  });

  it('names the members of an allocated record', () => {
    const text = `struct node { int value; struct node *next; } *top;
      int main(void) { struct node *n = malloc(sizeof *n); n->value = 3; n->next = n; top = n; assert(0); }`;
    expect(writes(text)).toEqual([
      'n = &allocated#1',
      'allocated#1.value = 3',
      'allocated#1.next = &allocated#1',
      'top = &allocated#1',
    ]);
  });

  it('names elements of allocated arrays, of records or not', () => {
    const text = `struct pair { int a, b; };
      int main(void) {
        struct pair *p = malloc(3 * sizeof *p), *q = &p[2];
        q->b = 1;
        int *i = calloc(4, sizeof(int));
        i[3] = 2;
        assert(0);
      }`;
    expect(writes(text)).toEqual([
      'p = &allocated#1[0]',
      'q = &allocated#1[2]',
      'allocated#1[2].b = 1',
      'i = &allocated#2',
      'allocated#2[3] = 2',
    ]);
  });

  it('reaches into a flexible array member', () => {
    const text = `struct list { int count; struct { short x, y; } points[]; };
      int main(void) { struct list *l = malloc(sizeof *l + 16); l->points[3].y = 5; assert(0); }`;
    expect(writes(text)).toContain('allocated#1.points[3].y = 5');
  });

  it('prefers the type that says most, and counts bytes where there is none', () => {
    const text = `struct s { long a, b; };
      int main(void) { void *v = malloc(16); ((int *)v)[1] = 1; char *c = v; c[8] = 2; struct s *s = v; s->b = 3; assert(0); }`;
    expect(writes(text).filter((write) => write.startsWith('allocated'))).toEqual([
      'allocated#1+4 = 1',
      'allocated#1[8] = 2',
      'allocated#1.b = 3',
    ]);
  });

  it('points to the part that has the type of the target', () => {
    const text = `struct { struct { int x; } in[2]; } s; void *v; int *i;
      int main(void) { v = &s; i = &s.in[0].x; i = &s.in[1].x; assert(0); }`;
    expect(writes(text)).toEqual(['v = &s', 'i = &s.in[0].x', 'i = &s.in[1].x']);
  });

  it('tells members of unions and bit-fields apart', () => {
    const text = `union { int whole; unsigned char bytes[4]; } u; struct { unsigned a : 3; int b : 5; } f;
      int main(void) { u.whole = 1; u.bytes[2] = 7; f.b = -9; f.a = 5; assert(0); }`;
    expect(writes(text)).toEqual(['u.whole = 1', 'u.bytes[2] = 7', 'f.b = -9', 'f.a = 5']);
  });
});

describe('atomic records', () => {
  it('are shown by their members', () => {
    const text = `#include <stdatomic.h>
      struct head { int *top; int tag; int count; }; _Atomic struct head head; int x;
      int main(void) { struct head new = { &x, -1, 0 }; atomic_store(&head, new); assert(0); }`;
    expect(writes(text).slice(-2)).toEqual(['head.top = &x', 'head.tag = -1']);
  });
});

describe('values', () => {
  it('names what a pointer points to that an atomic exchange has written', () => {
    const text = `int x, y; int *_Atomic top = &x;
      int main(void) {
        int *seen = &y;
        __atomic_compare_exchange_n(&top, &seen, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        assert(0);
      }`;
    expect(writes(text)).toEqual(['seen = &y', 'seen = &x']);
  });

  it('are enumerators and threads where the type says so', () => {
    const text = `enum state { IDLE, BUSY } state; pthread_t t;
      void *work(void *p) { state = BUSY; pthread_t me = pthread_self(); return 0; }
      int main(void) { pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(0); }`;
    expect(writes(text)).toEqual(['state = BUSY', 'me = thread 1']);
    const read = traceOf(text).steps.flatMap(({ values }) => values.find(({ name }) => name === 't')?.value ?? []);
    expect(read).toContain('thread 1');
  });

  it('marks what a declared variable happens to hold', () => {
    const { steps } = traceOf('int main(void) { int x, y; x = 1; y = x; assert(0); }');
    const described = steps.flatMap(({ values }) => values.map((each) => `${each.name} ${each.isUninitialised}`));
    expect(described).toEqual(['x true', 'y true', 'x false', 'y false']);
  });

  it('quotes strings, and leaves out what the user has not named', () => {
    const text = `#include <stdio.h>
      int main(void) { const char *s = "alpha"; s++; printf("%d", 3); assert(0); }`;
    expect(writes(text)).toEqual(['s = "alpha"', 's = &"alpha"[1]']);
  });

  it('leaves the words of a mutex to the models', () => {
    const text = 'int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); assert(0); }';
    expect(writes(text)).toEqual([]);
  });
});

describe('events', () => {
  it('tell of memory that comes and goes', () => {
    const trace = traceOf('int main(void) { char *p = malloc(3), *q = malloc(1); free(p); return 0; }');
    expect(eventsOf(trace, 'allocate').map(({ object, bytes }) => [object, bytes])).toEqual([
      ['allocated#1', 3],
      ['allocated#2', 1],
    ]);
    expect(eventsOf(trace, 'free')).toEqual([{ kind: 'free', object: 'allocated#1' }]);
    expect(eventsOf(trace, 'leak')).toEqual([{ kind: 'leak', object: 'allocated#2' }]);
  });

  it('tell when a thread routine has no success', () => {
    const text = `pthread_mutex_t m;
      int main(void) { pthread_mutex_lock(&m); if (pthread_mutex_trylock(&m)) assert(0); }`;
    expect(eventsOf(traceOf(text), 'result')).toEqual([
      { kind: 'result', function: 'pthread_mutex_trylock', value: '16' },
    ]);
  });
});

describe('where', () => {
  it('is the line that goes wrong, also when nothing was seen to happen there', () => {
    const trace = traceOf('int main(void) {\n  int *p = 0;\n  int q = 1;\n  *p = q;\n}');
    expect(trace.steps.at(-1)?.statement).toBe('*p = q;');
    expect(trace.violation.place?.line).toBe(8);
  });

  it('comes with the variables that the line mentions', () => {
    const trace = traceOf('int main(void) {\n  int x = 3, y = 4, z = 5;\n  assert(x == y);\n}');
    expect(trace.steps.at(-1)?.values.map(({ name, value }) => `${name} is ${value}`)).toEqual(['x is 3', 'y is 4']);
  });

  it("is the user's call for what goes wrong in a model", () => {
    const trace = traceOf('int main(void) {\n  char *p = malloc(3);\n  free(p);\n  free(p);\n}');
    expect(trace.violation.place).toEqual({ file: 'test.c', line: 8, column: 3 });
    expect(trace.steps.at(-1)?.statement).toBe('free(p);');
  });

  it('names the routine of a C11 thread', () => {
    const text = `int work(void *p) { return 0; }
      int main(void) { thrd_t t; thrd_create(&t, work, 0); thrd_join(t, 0); assert(0); }`;
    expect(traceOf(text).threads.map(({ start }) => start)).toEqual(['main', 'work']);
  });
});

describe('a start routine that does not fit', () => {
  it('is shown where its thread is created', () => {
    const { violation, steps } = traceOf(`void *start(void *a, int b) { return a; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, (void *(*)(void *))start, 0);
  pthread_join(thread, 0);
}`);
    expect(violation).toMatchObject({ check: 'pointer', thread: 1, place: { line: 8 } });
    expect(steps.at(-1)?.statement).toMatch(/^pthread_create/);
  });
});
