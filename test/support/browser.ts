// A real browser for tests of pages: Debian's Chromium, driven by playwright-core, and a server for static files.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { requireTool } from './tools.ts';

/** Null where there is no Chromium and none is required. The container's root has no sandbox. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = requireTool('chromium');
  if (executablePath === null) return null;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

export interface StaticServer {
  readonly url: string;
  close(): void;
}

/** Serves a folder as any server for static files would. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  const server: Server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = path.join(folder, path.normalize(name.endsWith('/') ? `${name}index.html` : name));
    readFile(file).then(
      (bytes) => response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' }).end(bytes),
      () => response.writeHead(404).end('not there'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
