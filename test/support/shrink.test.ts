import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.ts';

describe('shrink', () => {
  it('drops lines and blocks that the failure does not need', async () => {
    const text = [
      'int g;',
      'void f(void) {',
      '  if (g) {',
      '    g = 7 + 2;',
      '  }',
      '  bad();',
      '}',
      'int main() { f(); }',
    ].join('\n');
    const small = await shrink(text, async (candidate) => candidate.includes('bad();'));
    expect(small).toBe('  bad();');
  });

  it('takes blocks apart and simplifies what it keeps', async () => {
    const text = 'while (x < 5) {\n  y = x + 3;\n}';
    const small = await shrink(text, async (candidate) => candidate.includes('y = '));
    expect(small).toBe('  y = 0;');
  });

  it('leaves what does not fail any more', async () => {
    expect(await shrink('a;\nb;', async () => false)).toBe('a;\nb;');
  });

  it('stops at the limit of attempts', async () => {
    let attempts = 0;
    const neverFails = async () => {
      attempts++;
      return false;
    };
    await shrink('a;\n'.repeat(100), neverFails, 10);
    expect(attempts).toBe(10);
  });
});
