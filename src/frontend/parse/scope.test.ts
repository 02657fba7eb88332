import { describe, expect, it } from 'vitest';
import { NameKinds } from './scope.ts';

describe('Scope', () => {
  it('shadows a typedef name until the scope closes', () => {
    const scope = new NameKinds();
    scope.declare('T', 'typedef');
    scope.open();
    scope.declare('T', 'ordinary');
    expect(scope.isTypedef('T')).toBe(false);
    scope.open();
    scope.declare('T', 'typedef');
    expect(scope.isTypedef('T')).toBe(true);
    scope.close();
    expect(scope.isTypedef('T')).toBe(false);
    scope.close();
    expect(scope.isTypedef('T')).toBe(true);
  });

  it('forgets what a scope declared', () => {
    const scope = new NameKinds();
    scope.open();
    scope.declare('x', 'ordinary');
    scope.open();
    scope.declare('x', 'typedef');
    scope.closeTo(0);
    expect(scope.isKnown('x')).toBe(false);
    expect(scope.level).toBe(0);
  });

  it('knows the types that GNU C declares by itself', () => {
    expect(new NameKinds().isTypedef('__uint128_t')).toBe(true);
  });
});
