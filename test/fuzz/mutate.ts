/**
 * Mutations of C text: of its tokens (delete, repeat, swap, move in from elsewhere) and of its bytes. What comes out is
 * mostly wrong C that is nearly right, which is where a front end has its gaps.
 */

import type { Random } from '../../src/support/random.ts';

/** Texts that cause trouble when they come to stand anywhere. */
const TROUBLE = [
  ...'( ) { } [ ] ; , : = * & # ## ... \\ ?: -> ++ " \' /* */ // ({ }) (int) [[ ]]'.split(' '),
  ...'struct enum typedef typeof( __attribute__(( asm( _Generic( case default if else for sizeof __extension__'.split(
    ' ',
  ),
  ...'int static _Atomic( _Static_assert( __builtin_va_arg( __builtin_offsetof( 0x 1e+ 0 1 L"x" __VA_ARGS__'.split(' '),
  ...['\n', '\n#define x(a, ...) #a ## __VA_ARGS__ x(a)\n', '\n#if 1 /\n', '\n#include "x"\n', '\n#pragma pack(', '\0'],
];

/** A rough split into tokens and the white space between them; joined, it gives the text again. */
function split(text: string): string[] {
  return text.match(/[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\s+|[^\w\s]/g) ?? [];
}

/** One to a dozen mutations, one after the other. `donor` is another text, from which tokens may come. */
export function mutate(text: string, donor: string, random: Random): string {
  const tokens = split(text);
  const donated = split(donor);
  const rounds = 1 + random.below(random.chance(1, 4) ? 12 : 3);
  for (let i = 0; i < rounds; i++) mutateTokens(tokens, donated, random);
  const mutated = tokens.join('');
  return random.chance(1, 4) ? flipBytes(mutated, random) : mutated;
}

function mutateTokens(tokens: string[], donated: readonly string[], random: Random): void {
  const at = random.below(tokens.length + 1);
  const length = 1 + random.below(random.chance(1, 5) ? 40 : 3);
  const other = random.below(tokens.length + 1);
  switch (random.below(7)) {
    case 0:
      tokens.splice(at, length);
      break;
    case 1:
      tokens.splice(at, 0, ...tokens.slice(at, at + length));
      break;
    case 2:
      [tokens[at], tokens[other]] = [tokens[other] ?? '', tokens[at] ?? ''];
      break;
    case 3:
      tokens.splice(at, 0, ...tokens.slice(other, other + length));
      break;
    case 4: {
      const from = random.below(donated.length + 1);
      tokens.splice(at, random.below(3), ...donated.slice(from, from + length));
      break;
    }
    case 5:
      tokens.splice(at, random.below(2), random.pick(TROUBLE));
      break;
    default:
      tokens.splice(at, 0, random.pick(TROUBLE).repeat(random.chance(1, 20) ? 2_000 : 1 + random.below(8)));
  }
}

/** Changes, drops or inserts a few characters. */
function flipBytes(text: string, random: Random): string {
  let result = text;
  for (let i = 1 + random.below(5); i > 0; i--) {
    const at = random.below(result.length + 1);
    const character = String.fromCharCode(random.chance(1, 8) ? random.below(0x10000) : random.below(128));
    result = result.slice(0, at) + (random.chance(1, 3) ? '' : character) + result.slice(at + random.below(2));
  }
  return result;
}
