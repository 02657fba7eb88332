import { describe, expect, it } from 'vitest';
import { readProgram } from '../front-end.ts';

const messagesOf = (text: string) =>
  readProgram({ fileName: 'a.c', text, dataModel: 'LP64' }).diagnostics.map(({ message }) => message);

describe('lengths of array parameters', () => {
  it('are refused where evaluating them does something, because the parameter is a pointer', () => {
    expect(messagesOf('int n; int f(int a[n++]) { return a[0]; }')).toEqual([
      'the length of an array parameter that does something when it is evaluated is not supported',
    ]);
  });

  it('may name other parameters', () => {
    expect(messagesOf('int f(int n, int a[n], int b[n + 1]) { return a[0] + b[n]; }')).toEqual([]);
  });
});
