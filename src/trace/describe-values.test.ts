import { describe, expect, it } from 'vitest';
import { checkText } from '../../test/support/check-text.ts';
import { lowerText } from '../../test/support/lower-text.ts';
import type { ScalarType } from '../program/code.ts';
import { Describer } from './describe-values.ts';
import { layoutOf, Memory } from './interpreter/memory.ts';

const POINTER: ScalarType = { kind: 'integer', bits: 64, signed: false, pointer: true };

describe('Describer', () => {
  it('calls the halves of an integer that is read in two steps so', async () => {
    const text = `#include <pthread.h>
#include <assert.h>
struct { int a; long long b; } s;
void *write(void *p) { s.b = 0x100000002LL; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, write, 0); long long r = s.b; assert(r == 0 || r == 0x100000002LL); }
`;
    const outcome = await checkText(text, { dataModel: 'ILP32', explore: true });
    const steps = outcome.kind === 'unsafe' ? (outcome.trace?.steps ?? []) : [];
    const names = steps.flatMap(({ values }) => values.map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(['s.b (lower half)', 's.b (upper half)']));
  });

  it('calls a unit of bit-fields by the first of them, however much of the declared type it takes', async () => {
    const text = `#include <pthread.h>
struct { int a : 7; int b : 9; char c; } s;
void *write(void *p) { s.b = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, write, 0); return s.a; }
`;
    const outcome = await checkText(text, { explore: true, checks: ['race'] });
    expect(outcome.kind === 'unsafe' && outcome.trace?.violation.race?.object).toBe('s.a');
  });

  it('shows all bits of an address that is none', () => {
    const code = lowerText('int main(void) { return 0; }', {});
    const memory = new Memory(layoutOf(code));
    const describer = new Describer(code, memory);
    expect(describer.value(POINTER, 0n)).toBe('NULL');
    expect(describer.value(POINTER, 9n)).toBe('0x9');
    expect(describer.value(POINTER, 0xffff_ffff_ffff_ffffn)).toBe('0xffffffffffffffff');
  });
});
