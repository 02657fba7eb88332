/**
 * The parser's entry: tokens in, syntax tree and diagnostics out. Recursive descent, one function for each rule of the
 * grammar, one token of lookahead nearly everywhere and never more than a few; whether `(` opens a cast and whether a
 * statement is a declaration follow from the names in scope.
 *
 * It never throws for what the tokens are (only the sink does, past its limit of errors): after an error it goes on at
 * the next statement, member or declaration, and what it gave up is missing from the tree.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Token } from '../lex/token.ts';
import type { ExternalDeclaration, TranslationUnit } from './ast.ts';
import { parseExternalDeclaration } from './declarations.ts';
import { Parser, SyntaxFault } from './parser.ts';
import { recovering, skipExternalDeclaration, skipToNextStatement } from './recover.ts';
import { NameKinds } from './scope.ts';

/** `scope`: the names at file scope so far, to which those of these tokens are added. */
export function parse(tokens: readonly Token[], sink: DiagnosticSink, scope = new NameKinds()): TranslationUnit {
  const p = new Parser(tokens, sink, scope);
  const declarations: ExternalDeclaration[] = [];
  while (!p.atEnd()) {
    if (p.accept(';')) continue;
    if (p.at('}')) {
      p.errorHere("extraneous closing brace ('}')");
      while (p.accept('}'));
      continue;
    }
    const { position } = p;
    try {
      const declaration = recovering(p, () => parseExternalDeclaration(p), skipToNextStatement);
      if (declaration) declarations.push(declaration);
    } catch (fault) {
      if (!(fault instanceof SyntaxFault)) throw fault;
      p.scope.closeTo(0);
      p.restoreDepth(0);
      p.resetTo(position);
      skipExternalDeclaration(p);
    }
  }
  return p.weakPragmas.length > 0 ? { declarations, weakPragmas: p.weakPragmas } : { declarations };
}
