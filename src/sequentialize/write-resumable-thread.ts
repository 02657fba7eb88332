/**
 * Writes the function of a thread that can be left at any of its labels and entered again there, without jumps (the
 * rules of Fig. 5.1 of the thesis; ul.ts tells of the modes). Before a labelled statement, `CONTR` ends the search for
 * the label where the thread stopped, if this is it, and may stop the thread. Statements run in EXECUTE mode only.
 * Branches and loops are also entered in search of a label inside of them, whatever their conditions say: labels have
 * numbers in the order of the text, and those before a statement have been looked at, so that the label is inside if
 * its number is not greater than the last one's there.
 *
 * Jumps of the program are taken in EXECUTE mode, so that they may lead anywhere. What has no labels inside is written
 * as it was, under a test of the mode that statements next to each other share.
 */

import type { BodyWriter } from '../frontend/print/write-body.ts';
import type { LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain, itemsOf, statementsOf } from '../program/visit-tree.ts';
import type { ThreadText } from './schema.ts';

export function writeResumableThread(text: ThreadText, out: BodyWriter): void {
  new ResumableWriter(text, out).run();
}

type If = Extract<Statement, { kind: 'if' }>;
type While = Extract<Statement, { kind: 'while' }>;

class ResumableWriter {
  readonly #out: BodyWriter;
  readonly #thread: number;
  readonly #labels: ReadonlySet<LabelSymbol>;
  readonly #body: Statement;
  readonly #counts = new Map<Statement, number>();
  readonly #last: number;
  /** How many labels have been passed: the number of the next one. */
  #passed = 0;

  constructor({ definition, thread, labels }: ThreadText, out: BodyWriter) {
    this.#out = out;
    this.#thread = thread;
    this.#labels = labels;
    this.#body = definition.body;
    this.#last = this.#countLabels(definition.body) - 1;
  }

  run(): void {
    this.#items(itemsOf(this.#body));
    this.#out.end();
  }

  /** How many labels of ours there are in a statement. */
  #countLabels(statement: Statement): number {
    if (statement.kind === 'label') return this.#labels.has(statement.label) ? 1 : 0;
    const known = this.#counts.get(statement);
    if (known !== undefined) return known;
    let count = 0;
    let at: Statement | null = statement;
    for (; at?.kind === 'if'; at = at.otherwise) count += this.#countLabels(at.then);
    for (const part of at ? statementsOf(at) : []) count += this.#countLabels(part);
    this.#counts.set(statement, count);
    return count;
  }

  #items(items: readonly Statement[]): void {
    let plain: Statement[] = [];
    const flush = () => {
      if (plain.length > 0) this.#plain(plain);
      plain = [];
    };
    for (const item of flatten(items)) {
      const isPlain = item.kind !== 'label' && item.kind !== 'declaration' && this.#countLabels(item) === 0;
      if (isPlain) plain.push(item);
      else {
        flush();
        this.#statement(item);
      }
    }
    flush();
  }

  #plain(items: readonly Statement[]): void {
    const { loc } = items[0] as Statement;
    this.#out.line('if (__lazuli_EXEC) {', loc);
    this.#out.indented(() => {
      for (const item of items) this.#out.statement(item);
    });
    this.#out.line('}', loc);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'label':
        if (this.#labels.has(statement.label)) this.#control(statement);
        else this.#out.label(this.#out.nameOf(statement.label), statement.loc);
        break;
      case 'if':
        this.#if(statement);
        break;
      case 'while':
        this.#while(statement);
        break;
      default:
        this.#out.statement(statement);
    }
  }

  #control({ loc }: Statement): void {
    const number = this.#passed++;
    const isLast = number === this.#last;
    // Who looks for the last label has nothing left to do.
    this.#out.line(`__lazuli_${isLast ? 'END' : 'CONTR'}(${this.#thread}, ${number})${isLast ? '' : ';'}`, loc);
  }

  /** The condition for entering a part: to look for a label in it, or to run it where `test` holds. */
  #entry(part: Statement, test: string | null): string {
    const count = this.#countLabels(part);
    const runs = test === null ? '__lazuli_EXEC' : `__lazuli_EXEC && ${test}`;
    if (count === 0) return runs;
    const looks = `__lazuli_WITHIN(${this.#thread}, ${this.#passed + count - 1})`;
    return `${looks} || ${test === null ? runs : `(${runs})`}`;
  }

  #if(statement: If): void {
    const { arms, last } = ifChain(statement);
    for (const arm of arms) {
      const word = arm === statement ? 'if' : '} else if';
      this.#out.line(`${word} (${this.#entry(arm.then, this.#testOf(arm))}) {`, arm.loc);
      this.#out.indented(() => this.#items(itemsOf(arm.then)));
    }
    if (last) {
      this.#out.line(`} else if (${this.#entry(last, null)}) {`, last.loc);
      this.#out.indented(() => this.#items(itemsOf(last)));
    }
    const end = last ?? (arms.at(-1) ?? statement).then;
    this.#out.line('}', end.kind === 'block' ? end.endLoc : end.loc);
  }

  #while(statement: While): void {
    const { condition, body, loc } = statement;
    const isEndless = condition.kind === 'integer' && condition.value !== 0n;
    this.#out.line(`while (${this.#entry(body, isEndless ? null : this.#testOf(statement))}) {`, loc);
    this.#out.indented(() => this.#items(itemsOf(body)));
    this.#out.line('}', body.kind === 'block' ? body.endLoc : loc);
  }

  #testOf({ condition }: If | While): string {
    return `(${this.#out.condition(condition)})`;
  }
}

/** Blocks are spliced into the list that they stand in, for all declarations stand at the top. */
function flatten(items: readonly Statement[]): Statement[] {
  return items.flatMap((item) => (item.kind === 'block' ? flatten(item.items) : [item]));
}
