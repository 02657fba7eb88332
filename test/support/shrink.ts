// Makes a failing C program small: drops lines and blocks, takes the braces off blocks, replaces loops' bounds and
// expressions by simpler ones, as long as it still fails in the same way. Purely textual: whatever is no longer C does
// not fail in that way.

export type StillFails = (text: string) => Promise<boolean>;

/** The smallest text found that still fails. `attemptLimit` bounds the work. */
export async function shrink(text: string, stillFails: StillFails, attemptLimit = 2000): Promise<string> {
  let best = text;
  let attempts = 0;
  const tryText = async (candidate: string): Promise<boolean> => {
    if (candidate === best || attempts >= attemptLimit) return false;
    attempts++;
    if (!(await stillFails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let before = ''; before !== best && attempts < attemptLimit; ) {
    before = best;
    await dropLines(() => best, tryText);
    await simplifyLines(() => best, tryText);
  }
  return best;
}

type TryText = (candidate: string) => Promise<boolean>;

/** Drops blocks first, then single lines, from the end to the beginning. */
async function dropLines(current: () => string, tryText: TryText): Promise<void> {
  for (let at = current().split('\n').length - 1; at >= 0; at--) {
    const lines = current().split('\n');
    if (at >= lines.length) continue;
    const end = blockEnd(lines, at);
    if (end > at) {
      const without = [...lines.slice(0, at), ...lines.slice(end + 1)];
      if (await tryText(without.join('\n'))) continue;
      const opened = [...lines.slice(0, at), ...lines.slice(at + 1, end), ...lines.slice(end + 1)];
      if (await tryText(opened.join('\n'))) continue;
    }
    await tryText([...lines.slice(0, at), ...lines.slice(at + 1)].join('\n'));
  }
}

/** The line of the brace that closes the block that a line opens; the line itself when it opens none. */
function blockEnd(lines: readonly string[], at: number): number {
  let depth = 0;
  for (let line = at; line < lines.length; line++) {
    for (const character of lines[line] as string) {
      if (character === '{') depth++;
      else if (character === '}') depth--;
    }
    if (depth <= 0) return line;
  }
  return at;
}

/** What a piece of a line may become. */
const SIMPLER: readonly (readonly [RegExp, string])[] = [
  [/ = (?![01];)[^;=]+;/, ' = 0;'],
  [/ = (?![01];)[^;=]+;/, ' = 1;'],
  [/if \(.*\) (?=[a-z{*])/, ''],
  [/ (&&|\|\|) [^;)]+/, ''],
  [/ [-+*^|&%] (\w+|\d+)/, ''],
  [/\((\w+) & \d+\)/, '($1)'],
  [/\[[^\]]*\]/, '[0]'],
  [/\b[2-9]\b/, '1'],
  [/^\s*\{ (.*) \}$/, '$1'],
];

async function simplifyLines(current: () => string, tryText: TryText): Promise<void> {
  for (let at = current().split('\n').length - 1; at >= 0; at--) {
    for (const [pattern, replacement] of SIMPLER) {
      const lines = current().split('\n');
      const line = lines[at];
      if (line === undefined || !pattern.test(line)) continue;
      lines[at] = line.replace(pattern, replacement);
      await tryText(lines.join('\n'));
    }
  }
}
