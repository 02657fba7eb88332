// "Did you mean …?": the known word nearest to a mistyped one, by edits and swaps of neighbours, or none when every
// known word is too far to be what was meant.

/** The nearest of the known words, or null. Ties go to the one that is listed first. */
export function suggest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours cost 1. */
function editDistance(from: string, to: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replace = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, replace);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, older[column - 2]! + 1);
      current.push(cost);
    }
    older = previous;
    previous = current;
  }
  return previous[to.length]!;
}
