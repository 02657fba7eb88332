#!/usr/bin/env node
// The executable: starts the bundle, or says how to build it.

const { existsSync } = require('node:fs');
const path = require('node:path');

const entry = path.join(__dirname, '../dist/lazuli.cjs');
if (existsSync(entry)) {
  require(entry);
} else {
  process.stderr.write("lazuli: not built yet; run 'npm install' or 'npm run build' in its folder\n");
  process.exitCode = 5;
}
