/** Blanks out what is no code in a text of C, so that the rest can be looked through by regular expressions. */

const NO_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*/gm;

/** The text with blanks in place of comments, of what is quoted, and of directives: as long as it was. */
export function maskCText(text: string): string {
  return text.replace(NO_CODE, (part) => {
    const inside = part.replace(/[^\n]/g, ' ');
    return /^["']/.test(part) ? `${part[0]}${inside.slice(2)}${part[0]}` : inside;
  });
}
