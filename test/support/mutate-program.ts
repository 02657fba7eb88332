/**
 * Mutants of a C text, for the prover: assertions negated or weakened, locks, joins, fences and atomic sections
 * dropped, constants changed. One change each; some break the program, some do not.
 */

interface Mutation {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replace: (match: string, ...groups: string[]) => string;
}

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'negated assertion',
    pattern: /\bassert\(([^;]*)\);/g,
    replace: (_, condition = '') => `assert(!(${condition}));`,
  },
  {
    name: 'dropped synchronisation',
    pattern:
      /\b(?:pthread_(?:mutex|spin|rwlock)_\w*lock|pthread_join|pthread_barrier_wait|pthread_cond_wait|sem_wait|sem_post|__VERIFIER_atomic_(?:begin|end)|atomic_thread_fence|__sync_synchronize)\([^;]*\);/g,
    replace: () => ';',
  },
  { name: 'other comparison', pattern: / (==|!=|<=|>=|<|>) /g, replace: (_, operator = '') => ` ${OTHER[operator]} ` },
  {
    name: 'other constant',
    pattern: /(?<=[=(] ?)\b([0-9]+)\b(?=[;)])/g,
    replace: (_, digits = '') => `${Number(digits) + 1}`,
  },
  { name: 'other sign', pattern: /\+\+(?=[;)])/g, replace: () => '--' },
];

const OTHER: Readonly<Record<string, string>> = { '==': '!=', '!=': '==', '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

export interface Mutant {
  readonly name: string;
  readonly text: string;
}

/** Preprocessor lines stay. */
export function mutantsOf(text: string): Mutant[] {
  return MUTATIONS.flatMap(({ name, pattern, replace }) =>
    [...text.matchAll(pattern)].flatMap((match): Mutant[] => {
      const at = match.index;
      const lineStart = text.lastIndexOf('\n', at) + 1;
      if (text.startsWith('#', lineStart)) return [];
      const changed = replace(match[0], ...match.slice(1));
      const line = text.slice(0, at).split('\n').length;
      return [
        {
          name: `${name} at line ${line}: ${match[0].trim()} → ${changed.trim()}`,
          text: text.slice(0, at) + changed + text.slice(at + match[0].length),
        },
      ];
    }),
  );
}
