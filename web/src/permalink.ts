/**
 * Links that carry program and options in their fragment, which browsers send to nobody: `#1.` and the compressed JSON
 * in the letters of base64url. The number is the version of the form.
 */

import { fromParameters, type PageOptions, toParameters } from './options.ts';

const VERSION = '1.';
/** A link that unpacks to more than this is none of ours. */
const LONGEST_TEXT = 4_000_000;

export interface Shared {
  readonly text: string;
  readonly options: PageOptions;
}

export type ReadLink =
  | ({ readonly kind: 'shared'; readonly ignored: readonly string[] } & Shared)
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly message: string };

export async function toFragment({ text, options }: Shared): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify({ text, ...toParameters(options) }));
  const packed = await collect(stream(json).pipeThrough(new CompressionStream('deflate-raw')));
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return `#${VERSION}${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

export async function fromFragment(fragment: string): Promise<ReadLink> {
  if (fragment.length <= 1) return { kind: 'none' };
  if (!fragment.startsWith(`#${VERSION}`)) return { kind: 'broken', message: 'the link has a form that is not known' };
  try {
    const letters = atob(
      fragment
        .slice(1 + VERSION.length)
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    );
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const unpacked = await collect(stream(bytes).pipeThrough(new DecompressionStream('deflate-raw')));
    const { text, ...parameters } = JSON.parse(new TextDecoder().decode(unpacked));
    if (typeof text !== 'string') return { kind: 'broken', message: 'the link has no program' };
    return { kind: 'shared', text, ...fromParameters(parameters) };
  } catch {
    return { kind: 'broken', message: 'the link is damaged: perhaps its end is missing' };
  }
}

function stream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream();
}

async function collect(source: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const reader = source.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > LONGEST_TEXT) throw new Error('too long');
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
