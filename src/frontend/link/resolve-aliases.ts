/**
 * Other names of functions and objects: `__attribute__((alias("target")))` and `#pragma weak name = target`. The name
 * becomes the target itself, in all units, unless another unit defines it and this one is weak. The target is one of
 * the same unit, as the assembler wants it.
 */

import { compatible } from '../../program/type-operations.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { CheckedUnit } from '../types/check-types.ts';
import type { LinkedSymbol, Resolution } from './resolve-symbols.ts';

export function resolveAliases(units: readonly CheckedUnit[], resolution: Resolution, sink: DiagnosticSink): void {
  for (const unit of units) {
    for (const [symbol, { target, loc }] of unit.aliases) {
      if (resolution.external.get(symbol.name) !== symbol) continue;
      const found = followAliases(target, unit);
      if (found === null) {
        sink.error(loc, 'link', `'${symbol.name}' is another name of '${target}', which this file does not define`);
      } else if (!compatible(symbol.type, found.type)) {
        sink.error(loc, 'unsupported', `another name of '${target}' with another type is not supported`);
      } else replace(symbol, resolution.symbols.get(found) ?? found, resolution);
    }
  }
}

function followAliases(name: string, unit: CheckedUnit): LinkedSymbol | null {
  const seen = new Set<LinkedSymbol>();
  let found = unit.external.get(name);
  while (found && !seen.has(found)) {
    seen.add(found);
    const next = unit.aliases.get(found);
    if (!next) break;
    found = unit.external.get(next.target);
  }
  if (!found || unit.aliases.has(found)) return null;
  return (found.kind === 'function-symbol' ? found.definition !== null : found.defined) ? found : null;
}

function replace(symbol: LinkedSymbol, by: LinkedSymbol, { symbols, external }: Resolution): void {
  for (const [each, chosen] of symbols) if (chosen === symbol) symbols.set(each, by);
  symbols.set(symbol, by);
  external.set(symbol.name, by);
  if (by.kind === 'variable-symbol') by.addressTaken ||= symbol.kind === 'variable-symbol' && symbol.addressTaken;
}
