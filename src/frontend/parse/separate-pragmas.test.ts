import { describe, expect, it } from 'vitest';
import { parseText } from '../../../test/support/parse-text.ts';

/** The pack value of each struct defined in a text, in order. */
function packs(text: string): (number | null)[] {
  return parseText(text).unit.declarations.flatMap((declaration) => {
    const type = declaration.kind === 'declaration' ? declaration.specifiers.type : null;
    return type?.kind === 'struct' ? [type.pack] : [];
  });
}

const S = 'struct { int x; };\n';

describe('#pragma pack', () => {
  it('holds from where it stands, and is taken back by pack()', () => {
    expect(packs(`${S}#pragma pack(2)\n${S}#pragma pack()\n${S}`)).toEqual([null, 2, null]);
  });

  it('pushes and pops, also by name', () => {
    expect(
      packs(`#pragma pack(push, 1)\n${S}#pragma pack(push)\n#pragma pack(4)\n${S}#pragma pack(pop)\n${S}`),
    ).toEqual([1, 4, 1]);
    const named = `#pragma pack(push, a, 1)\n#pragma pack(push, 2)\n${S}#pragma pack(pop, a)\n${S}`;
    expect(packs(named)).toEqual([2, null]);
  });

  it('may stand in the middle of a declaration: the end of the struct counts', () => {
    expect(packs('struct {\n#pragma pack(1)\nint x;\n};')).toEqual([1]);
  });

  it('warns about what it does not understand and ignores it', () => {
    const { diagnostics } = parseText(`#pragma pack(3)\n#pragma pack(pop)\n#pragma pack\n${S}`);
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(Array(3).fill('warning pragma'));
    expect(packs(`#pragma pack(3)\n${S}`)).toEqual([null]);
  });
});
