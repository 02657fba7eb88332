/**
 * Where a queue is and who asks: read from a URL such as `rediss://user:password@host:6379/2`. Nothing but the
 * connection itself gets the password: messages show the address without user and password.
 */

import { readFileSync } from 'node:fs';

export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly user: string | null;
  readonly password: string | null;
  readonly tls: QueueTls | null;
  /** For messages. */
  readonly shown: string;
  /** A server that went away is waited for so long. */
  readonly patienceMs: number;
}

/** Texts of certificates; null: those of the system, and none of our own. */
export interface QueueTls {
  readonly authority: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

export interface TlsFiles {
  readonly authority?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

export type ReadAddress =
  | { readonly kind: 'address'; readonly address: QueueAddress }
  | { readonly kind: 'problem'; readonly message: string };

const DEFAULT_PORT = 6379;
const MOST_DATABASES = 1_000_000;

/** Throws what the file system throws when certificates cannot be read. The text itself is never part of a message. */
export function readQueueAddress(text: string, files: TlsFiles, patienceMs: number): ReadAddress {
  const problem = (message: string): ReadAddress => ({ kind: 'problem', message });
  if (!URL.canParse(text)) return problem('the queue is no URL such as redis://user:password@host:6379');
  const url = new URL(text);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    return problem(`a queue is at redis:// or rediss://, not ${url.protocol}//`);
  if (url.hostname === '') return problem('the URL of the queue names no host');
  if (url.search !== '' || url.hash !== '') return problem('the URL of the queue has nothing behind its database');
  const path = /^\/?(\d{0,7})$/.exec(url.pathname);
  const database = Number(path?.[1] ?? Number.NaN);
  if (!(database < MOST_DATABASES))
    return problem('behind the host, the URL of the queue has the number of a database');
  const isTls = url.protocol === 'rediss:';
  if (!isTls && Object.values(files).some((file) => file !== undefined))
    return problem('certificates are for rediss://');
  if ((files.certificate === undefined) !== (files.key === undefined))
    return problem('a certificate of our own needs its key, and a key its certificate');
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === undefined || password === undefined)
    return problem('user or password have a % that encodes nothing; a % itself is %25');
  const read = (file: string | undefined) => (file === undefined ? null : readFileSync(file, 'utf8'));
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    kind: 'address',
    address: {
      host,
      port,
      database,
      user: user === '' ? null : user,
      password: password === '' ? null : password,
      tls: isTls
        ? { authority: read(files.authority), certificate: read(files.certificate), key: read(files.key) }
        : null,
      shown: `${url.protocol}//${url.hostname}:${port}${database === 0 ? '' : `/${database}`}`,
      patienceMs,
    },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
