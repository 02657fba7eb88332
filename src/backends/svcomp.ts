/** Plain `__VERIFIER_*`, as the verification competition asks for: for any verifier that takes part in it. */

import type { Backend } from './backend.ts';
import { verifierSpelling } from './verifier-names.ts';

export const svcomp: Backend = {
  name: 'svcomp',
  title: 'SV-COMP',
  spelling: verifierSpelling,
  verifier: null,
};
