/**
 * What lies in new memory, as a backend chose it: a list of fields in the order of their places, each with its bits.
 * `layOutContents` makes bytes of them for the interpreter.
 *
 * CBMC tells neither the size of a union nor where a pointer goes that leads into the middle of an object. Of a union
 * it is what the other fields leave of the object; the pointer is one that leads nowhere.
 */

export type ContentField =
  | { readonly kind: 'number'; readonly bits: number; readonly value: bigint }
  /** `target` is NULL or the name of the object whose address it is; null when the backend does not say. */
  | { readonly kind: 'pointer'; readonly target: string | null }
  /** Of a union only one member is told. */
  | { readonly kind: 'union'; readonly member: readonly ContentField[] };

export interface ContentLayout {
  /** In bytes. */
  readonly size: number;
  readonly pointerSize: number;
  /** Where an object lies, by the backend's name of it; null for what is not known. */
  readonly addressOf: (name: string) => bigint | null;
}

/** The bytes of an object; zeros behind the last field. */
export function layOutContents(fields: readonly ContentField[], layout: ContentLayout): Uint8Array {
  const bytes = new Uint8Array(layout.size);
  const unions = fields.filter(({ kind }) => kind === 'union').length;
  const known = fields.reduce((sum, field) => sum + (field.kind === 'union' ? 0 : widthOf(field, layout)), 0);
  const unionBits = unions === 0 ? 0 : Math.max(0, Math.floor((8 * layout.size - known) / unions));
  let at = 0;
  for (const field of fields) {
    writeField(bytes, at, field, layout);
    at += field.kind === 'union' ? unionBits : widthOf(field, layout);
  }
  return bytes;
}

function widthOf(field: Exclude<ContentField, { kind: 'union' }>, { pointerSize }: ContentLayout): number {
  return field.kind === 'number' ? field.bits : 8 * pointerSize;
}

function writeField(bytes: Uint8Array, at: number, field: ContentField, layout: ContentLayout): void {
  switch (field.kind) {
    case 'number':
      writeBits(bytes, at, field.bits, field.value);
      return;
    case 'pointer':
      writeBits(bytes, at, widthOf(field, layout), addressOf(field.target, layout));
      return;
    case 'union': {
      let inside = at;
      for (const part of field.member) {
        // What follows a union in a union is not known.
        if (part.kind === 'union') return;
        writeField(bytes, inside, part, layout);
        inside += widthOf(part, layout);
      }
    }
  }
}

/** An address at which nothing lies. */
const NOWHERE = -1n;

function addressOf(target: string | null, { addressOf: find }: ContentLayout): bigint {
  if (target === 'NULL') return 0n;
  return (target === null ? null : find(target)) ?? NOWHERE;
}

/** Little-endian; what does not fit is left out. */
function writeBits(bytes: Uint8Array, at: number, count: number, value: bigint): void {
  for (let bit = 0; bit < count; bit++) {
    const index = (at + bit) >> 3;
    const isSet = (value >> BigInt(bit)) & 1n;
    if (isSet && index < bytes.length) bytes[index] = (bytes[index] as number) | (1 << ((at + bit) & 7));
  }
}
