/** The schemas: each one file and one row. */

import { cav14 } from './cav14.ts';
import { lazy2 } from './lazy2.ts';
import type { Schema } from './schema.ts';
import { ul } from './ul.ts';

export const SCHEMAS: readonly Schema[] = [lazy2, cav14, ul];
