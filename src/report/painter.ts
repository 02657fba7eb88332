/** Colours of a terminal, or none. */

export type Colour = 'bad' | 'good' | 'unclear' | 'strong' | 'faint' | 'switch' | 'narrow';
export type Painter = (colour: Colour, text: string) => string;

const COLOURS: Readonly<Record<Colour, string>> = {
  bad: '\x1b[1;31m',
  good: '\x1b[1;32m',
  unclear: '\x1b[1;33m',
  strong: '\x1b[1m',
  faint: '\x1b[2m',
  switch: '\x1b[36m',
  narrow: '\x1b[32m',
};

export function createPainter(colours: boolean): Painter {
  return (colour, text) => (colours ? `${COLOURS[colour]}${text}\x1b[0m` : text);
}
