import { describe, expect, it } from 'vitest';
import { wantsColours } from './io.ts';

describe('wantsColours', () => {
  it('follows the terminal where nobody says otherwise', () => {
    expect(wantsColours({}, true)).toBe(true);
    expect(wantsColours({}, false)).toBe(false);
    expect(wantsColours({ TERM: 'dumb' }, true)).toBe(false);
  });

  it('obeys NO_COLOR unless it is empty', () => {
    expect(wantsColours({ NO_COLOR: '1' }, true)).toBe(false);
    expect(wantsColours({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false);
    expect(wantsColours({ NO_COLOR: '' }, true)).toBe(true);
  });

  it('obeys FORCE_COLOR, and takes 0 for no', () => {
    expect(wantsColours({ FORCE_COLOR: '1' }, false)).toBe(true);
    expect(wantsColours({ FORCE_COLOR: '0' }, true)).toBe(false);
  });
});
