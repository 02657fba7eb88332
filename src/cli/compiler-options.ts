// Options of C compilers. What they say about the meaning of a program is translated into options of ours, or refused;
// everything else (warnings, optimisation, debugging, linking) is accepted and ignored, so that `lazuli check $CFLAGS
// *.c` works. Used for command lines, where our own options come first, and for compilation databases.

import { isKnownStandard } from '../frontend/preprocess/standard.ts';

export type CompilerOption =
  | { readonly kind: 'ignored'; readonly takesNext: boolean }
  /** An option of ours, with its value or null if the next argument is it. */
  | { readonly kind: 'translated'; readonly option: string; readonly value: string | null }
  /** A flag of ours. */
  | { readonly kind: 'flag'; readonly option: string }
  | { readonly kind: 'refused'; readonly message: string };

const PATHS: readonly (readonly [prefix: string, option: string])[] = [
  ['-isystem', '--isystem'],
  ['-idirafter', '--isystem'],
  ['-iquote', '--iquote'],
  ['-include', '--include-file'],
  ['-imacros', '--macros-file'],
];

/** They change sizes, signs or threads. */
const REFUSED =
  /^-(funsigned-char|fno-signed-char|funsigned-bitfields|fshort-enums|fshort-wchar|fpack-struct(=.*)?|fopenmp.*|fopenacc|mx32|m16|malign-double|mlong-double-64|mms-bitfields)$/;

const IGNORED_WITH_NEXT =
  /^-(o|x|l|L|MF|MT|MQ|z|T|e|Xlinker|Xpreprocessor|Xassembler|Xclang|isysroot|arch|aux-info|wrapper|-param|-sysroot|target)$/;

const IGNORED =
  /^(-[WOg].*|-f[A-Za-z].*|-m[a-z].*|-M(M|D|MD|P|G)?|-[cSspPHQ]|-pg|-pipe|-pedantic(-errors)?|-[lLBox].+|-M[FTQ].+|-Xlinker.+|-ansi|-shared|-static(-.*)?|-rdynamic|-pie|-no-pie|-nostdlib|-nostartfiles|-nodefaultlibs|-nostdinc|-no-canonical-prefixes|-pthreads|-trigraphs|-dumpbase.*|-save-temps.*|--coverage|--param=.*|--sysroot=.*|--target=.*)$/;

/** What an argument means to a compiler; null for what is no such option, and for -D, -I and -U, which are ours too. */
export function readCompilerOption(argument: string): CompilerOption | null {
  if (argument === '-m32' || argument === '-m64') return { kind: 'flag', option: `--${argument.slice(2)}` };
  if (argument === '-pthread') return { kind: 'translated', option: '--define', value: '_REENTRANT=1' };
  for (const [prefix, option] of PATHS) {
    if (argument === prefix) return { kind: 'translated', option, value: null };
    if (argument.startsWith(prefix)) return { kind: 'translated', option, value: argument.slice(prefix.length) };
  }
  if (argument === '-ansi') return { kind: 'translated', option: '--std', value: 'c89' };
  if (argument.startsWith('-std=')) return readStandard(argument.slice('-std='.length));
  if (argument === '-fgnu89-inline') return { kind: 'flag', option: '--gnu89-inline' };
  if (REFUSED.test(argument))
    return { kind: 'refused', message: `${argument} changes the meaning of C and is not supported` };
  if (IGNORED_WITH_NEXT.test(argument)) return { kind: 'ignored', takesNext: true };
  return IGNORED.test(argument) ? { kind: 'ignored', takesNext: false } : null;
}

function readStandard(standard: string): CompilerOption {
  if (isKnownStandard(standard)) return { kind: 'translated', option: '--std', value: standard };
  return { kind: 'refused', message: `-std=${standard} is no standard of C that Lazuli knows` };
}
