/** Short names of files, as parts of C names: `queue` for `lib/queue.c`, and `lib_queue` if there are two of them. */

export function nameUnits(fileNames: readonly string[]): string[] {
  const short = fileNames.map((fileName) => toName(fileName.split('/').at(-1) ?? fileName));
  return short.map((name, i) => {
    const isUnique = short.indexOf(name) === i && short.lastIndexOf(name) === i;
    return isUnique ? name : toName(fileNames[i] ?? name);
  });
}

function toName(text: string): string {
  const stem = text.replace(/\.[^./]*$/, '').replace(/^[./]+/, '');
  return stem.replace(/\W+/g, '_') || 'file';
}
