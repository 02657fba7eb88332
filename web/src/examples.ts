/** The examples of the repository, each with its name; the first one is what the page begins with. */

const texts = import.meta.glob<string>('../../examples/*.c', { query: '?raw', import: 'default', eager: true });

export interface Example {
  readonly name: string;
  readonly text: string;
}

export const EXAMPLES: readonly Example[] = Object.entries(texts).map(([path, text]) => ({
  name: path.replace(/^.*\/|\.c$/g, ''),
  text,
}));

export const FIRST_EXAMPLE = 'bank-account-unsafe';
