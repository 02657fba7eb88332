#!/usr/bin/env node
// The executable: starts the bundle, or says how to build it.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../dist/lazuli.cjs', import.meta.url));
if (existsSync(entry)) {
  createRequire(import.meta.url)(entry);
} else {
  process.stderr.write("lazuli: not built yet; run 'npm install' or 'npm run build' in its folder\n");
  process.exitCode = 5;
}
