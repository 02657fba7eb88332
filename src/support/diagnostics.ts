/**
 * Diagnostics: what Lazuli tells the user about their program or their use of it. A `Diagnostic` is a value; the front
 * end collects them in a `DiagnosticSink` and goes on as far as it sensibly can. How they are printed (caret, colours,
 * JSON) is the business of print-diagnostics.ts.
 */

import type { Loc } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

export interface DiagnosticNote {
  readonly loc: Loc;
  readonly message: string;
}

export interface Diagnostic {
  readonly severity: Severity;
  readonly loc: Loc;
  readonly message: string;
  /** A stable kebab-case name: `syntax`, `undeclared`, `type-mismatch`, `unsupported`, … */
  readonly code: string;
  readonly notes: readonly DiagnosticNote[];
}

/** More errors than this help nobody: the front end stops there and says so. */
export const ERROR_LIMIT = 50;

/** Thrown by `DiagnosticSink.error` past ERROR_LIMIT, caught by the front end's entry point. */
export class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors';
}

/** Collects diagnostics, drops repeated ones at the same place. */
export class DiagnosticSink {
  readonly #list: Diagnostic[] = [];
  readonly #seen = new Set<string>();
  #errors = 0;

  get all(): readonly Diagnostic[] {
    return this.#list;
  }

  get errorCount(): number {
    return this.#errors;
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  error(loc: Loc, code: string, message: string, notes: readonly DiagnosticNote[] = []): void {
    if (!this.#add({ severity: 'error', loc, code, message, notes })) return;
    if (++this.#errors >= ERROR_LIMIT) throw new TooManyErrors(`more than ${ERROR_LIMIT} errors`);
  }

  warning(loc: Loc, code: string, message: string, notes: readonly DiagnosticNote[] = []): void {
    this.#add({ severity: 'warning', loc, code, message, notes });
  }

  /** Takes over what another sink has collected. */
  take(diagnostics: readonly Diagnostic[]): void {
    for (const { severity, loc, code, message, notes } of diagnostics) {
      if (severity === 'error') this.error(loc, code, message, notes);
      else this.#add({ severity, loc, code, message, notes });
    }
  }

  #add(diagnostic: Diagnostic): boolean {
    const key = `${diagnostic.severity} ${diagnostic.loc} ${diagnostic.message}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#list.push(diagnostic);
    return true;
  }
}
