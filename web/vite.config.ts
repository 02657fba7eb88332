/**
 * Builds the playground: static files that can lie in any folder of any server. `npm run web` serves it while it is
 * worked on, `npm run build:web` writes it to web/dist.
 */

import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { THEME_STYLE } from '../src/report/theme.ts';
import { offline } from './offline.ts';

/** The look that the page shares with the report, before its own. */
function theme(): Plugin {
  return {
    name: 'lazuli-theme',
    transformIndexHtml: () => [{ tag: 'style', children: THEME_STYLE, injectTo: 'head-prepend' }],
  };
}

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root,
  base: './',
  plugins: [theme(), offline()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] } },
});
