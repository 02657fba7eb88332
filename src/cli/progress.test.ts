import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function terminal(columns: number | null) {
  const written: string[] = [];
  return { err: { write: (text: string) => void written.push(text), colours: false, columns }, written };
}

describe('progress', () => {
  it('is one line that is overwritten and erased', () => {
    const { err, written } = terminal(20);
    const progress = createProgress({ err });
    progress.show('solving\na formula that is long');
    progress.clear();
    progress.clear();
    expect(written).toEqual(['\r\x1b[Ksolving a formula t', '\r\x1b[K']);
  });

  it('is a line of a log where somebody wants it without a terminal, and none where nobody does', () => {
    const { err, written } = terminal(null);
    const log = createProgress({ err }, true);
    log.show('solving');
    log.show('at once again');
    log.clear();
    expect(written).toEqual(['lazuli: solving\n']);
    const quiet = terminal(80);
    createProgress({ err: quiet.err }, false).show('solving');
    expect(quiet.written).toEqual([]);
  });

  it('is silent where there is no terminal', () => {
    const { err, written } = terminal(null);
    const progress = createProgress({ err });
    progress.show('solving');
    progress.clear();
    expect(written).toEqual([]);
  });
});
