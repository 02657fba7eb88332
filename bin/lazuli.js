#!/usr/bin/env node
// The executable: starts the bundle, or says how to build it.

import { existsSync } from 'node:fs';

const bundle = new URL('../dist/lazuli.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  process.stderr.write("lazuli: not built yet; run 'npm install' or 'npm run build' in its folder\n");
  process.exitCode = 5;
}
