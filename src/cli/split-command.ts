// A command line as words, without a shell.

/** Splits at spaces; quotes keep them. With `escapes`, a backslash takes the next character as it is, as in a shell. */
export function splitCommand(command: string, escapes = false): string[] {
  const words: string[] = [];
  const pattern = escapes ? /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs : /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;
  for (const match of command.matchAll(pattern)) words.push(unquote(match[0], escapes));
  return words;
}

function unquote(word: string, escapes: boolean): string {
  if (!escapes) return word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single);
  return word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_, double, single, plain) => {
    if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
    return single ?? plain;
  });
}
