import { describe, expect, it } from 'vitest';
import { checkText, violatedCheck } from '../../../test/support/check-text.ts';
import { isKnownStandard, standardText } from './standard.ts';

describe('a standard', () => {
  it('is told by the version', () => {
    expect(standardText({ standard: 'gnu17' })).toContain('#define __STDC_VERSION__ 201710L');
    expect(standardText({ standard: 'c90' })).not.toContain('#define __STDC_VERSION__');
    expect(isKnownStandard('c++17')).toBe(false);
  });

  it('has the words of C23 where it is C23, beside those of the headers', async () => {
    const program = `#include <assert.h>
#include <stdbool.h>
int main(void) {
  auto half = 0.5;
  thread_local static bool is_set = true;
  alignas(8) char bytes[2];
  static_assert(alignof(int) == 4 && sizeof bytes == 2);
  constexpr int *none = nullptr;
  assert(half == 0.5 && is_set && none == nullptr);
  return 0;
}`;
    const words = standardText({ standard: 'gnu23' });
    expect(standardText({ standard: 'gnu17' })).not.toContain('nullptr');
    expect(violatedCheck(await checkText(words + program, { explore: false, checks: ['assertion'] }))).toBe('safe');
  });
});
