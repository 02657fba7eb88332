/**
 * The service worker of the built page, as a plugin of Vite: it keeps all files of the build at the first visit, and
 * from then on the page comes from there. A new build has another name for its store, and takes the old ones away.
 */

import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

export function offline(): Plugin {
  return {
    name: 'lazuli-offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).sort();
      const hash = createHash('sha256');
      for (const file of files) {
        const part = bundle[file];
        hash.update(file).update(part?.type === 'chunk' ? part.code : (part?.source ?? ''));
      }
      const source = printServiceWorker(hash.digest('hex').slice(0, 16), ['./', ...files]);
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

function printServiceWorker(version: string, files: readonly string[]): string {
  return `const STORE = 'lazuli-${version}';
const FILES = ${JSON.stringify(files)};
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('lazuli-') && name !== STORE;
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const wanted = new URL(event.request.url);
  if (event.request.method !== 'GET' || wanted.origin !== location.origin) return;
  const key = event.request.mode === 'navigate' ? './' : event.request;
  event.respondWith(caches.open(STORE).then((store) => store.match(key)).then((kept) => kept ?? fetch(event.request)));
});
`;
}
