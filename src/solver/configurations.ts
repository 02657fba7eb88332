/**
 * Named ways to run CaDiCaL. On formulas of interleavings the time of one configuration varies five-fold and more with
 * the seed, and none was best throughout; so a portfolio takes several, each with its own seed, those first that did
 * best over the seeds tried. A native solver of another version spells some options otherwise, therefore its arguments
 * are written separately.
 */

export interface SolverConfiguration {
  readonly name: string;
  /** Options of the embedded CaDiCaL, fixed at its creation. */
  readonly options: Readonly<Record<string, number>>;
  /** Arguments for a native `cadical` on the command line. */
  readonly nativeArguments: readonly string[];
}

export const CONFIGURATIONS = {
  default: { name: 'default', options: {}, nativeArguments: [] },
  /** CaDiCaL's preset for satisfiable formulas. */
  sat: {
    name: 'sat',
    options: { elimeffort: 10, stabilizeonly: 1, subsumeeffort: 60 },
    nativeArguments: ['--sat'],
  },
  /** CaDiCaL's preset for unsatisfiable formulas: always in focused mode. */
  unsat: { name: 'unsat', options: { stabilize: 0, walk: 0 }, nativeArguments: ['--unsat'] },
  /** Fewer restarts in focused mode. */
  calm: { name: 'calm', options: { restartint: 20 }, nativeArguments: ['--restartint=20'] },
  /** Tries false first. */
  negative: { name: 'negative', options: { phase: 0 }, nativeArguments: ['--phase=0'] },
} as const satisfies Record<string, SolverConfiguration>;

export type ConfigurationName = keyof typeof CONFIGURATIONS;

const PORTFOLIO_ORDER: readonly ConfigurationName[] = ['default', 'unsat', 'calm', 'negative', 'sat'];

/** The configuration and seed for each of `count` solvers side by side. */
export function choosePortfolio(
  count: number,
  seed: number,
): readonly { readonly configuration: SolverConfiguration; readonly seed: number }[] {
  return Array.from({ length: count }, (_, i) => {
    const name = PORTFOLIO_ORDER[i % PORTFOLIO_ORDER.length] as ConfigurationName;
    return { configuration: CONFIGURATIONS[name], seed: seed + i };
  });
}
