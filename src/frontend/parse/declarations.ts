/**
 * Declarations and function definitions. A name is in scope from the end of its declarator on, so that its own
 * initializer sees it; the parameters of a function are in scope in its body, together with the body's own names.
 */

import { parseAsmDeclaration, parseAsmLabel, parseAsmText } from './asm.ts';
import type {
  Attribute,
  Declaration,
  Declarator,
  ExternalDeclaration,
  FunctionDefinition,
  InitDeclarator,
  Specifiers,
  StaticAssertion,
} from './ast.ts';
import { joinAttributes, parseAttributes } from './attributes.ts';
import { functionNode, locOf, nameOf, parseDeclarator, refuseNameLists } from './declarators.ts';
import { parseConditionalExpression } from './expressions.ts';
import { parseInitializer } from './initializers.ts';
import { type Parser, SyntaxFault } from './parser.ts';
import { startsNextConstruct } from './recover.ts';
import { parseSpecifiers, startsDeclaration, startsStaticAssertion } from './specifiers.ts';
import { parseFunctionBody } from './statements.ts';

/** `external-declaration`. */
export function parseExternalDeclaration(p: Parser): ExternalDeclaration {
  if (p.atKeyword('asm')) {
    const declaration = parseAsmDeclaration(p);
    expectSemicolon(p, "after 'asm'");
    return declaration;
  }
  if (startsStaticAssertion(p)) return parseStaticAssertion(p);
  return parseDeclarationOrFunction(p, 'external', parseAttributes(p));
}

/** A declaration inside a function, or a nested function of GNU C. */
export function parseBlockDeclaration(
  p: Parser,
  attributes: readonly Attribute[],
): Declaration | FunctionDefinition | StaticAssertion {
  return startsStaticAssertion(p) ? parseStaticAssertion(p) : parseDeclarationOrFunction(p, 'block', attributes);
}

/** `declaration: declaration-specifiers init-declarators? ;` or `function-definition`. */
function parseDeclarationOrFunction(
  p: Parser,
  context: 'external' | 'block',
  attributes: readonly Attribute[],
): Declaration | FunctionDefinition {
  const { loc, position } = p;
  const specifiers = parseSpecifiers(p, context, attributes);
  if (p.position === position && !p.isName(p.token) && !p.at('*') && !p.at('(')) p.failExpected('declaration');
  if (p.accept(';')) return { kind: 'declaration', specifiers, declarators: [], loc };
  const declarators: InitDeclarator[] = [];
  do {
    const before = parseAttributes(p);
    const declarator = parseDeclarator(p, 'named');
    const asmLabel = parseAsmLabel(p);
    const after = joinAttributes(before, parseAttributes(p));
    if (declarators.length === 0 && startsFunctionBody(p, declarator)) {
      return parseFunctionDefinition(p, specifiers, declarator, after);
    }
    declarators.push(parseInitDeclarator(p, specifiers, declarator, asmLabel, after));
  } while (p.accept(','));
  expectSemicolon(p, 'at end of declaration');
  return { kind: 'declaration', specifiers, declarators, loc };
}

/** The rest of `init-declarator: declarator asm-label? attributes (= initializer)?`. */
function parseInitDeclarator(
  p: Parser,
  specifiers: Specifiers,
  declarator: Declarator,
  label: string | null,
  before: readonly Attribute[],
): InitDeclarator {
  const asmLabel = label ?? parseAsmLabel(p);
  const attributes = joinAttributes(before, parseAttributes(p));
  const loc = locOf(declarator);
  const name = nameOf(declarator);
  if (name !== null) p.scope.declare(name, specifiers.storage === 'typedef' ? 'typedef' : 'ordinary');
  refuseNameLists(p, declarator);
  const initializer = p.accept('=') ? parseInitializer(p) : null;
  return { declarator, initializer, asmLabel, attributes, loc };
}

function startsFunctionBody(p: Parser, declarator: Declarator): boolean {
  const node = functionNode(declarator);
  if (node === null) return false;
  if (p.at('{')) return true;
  return node.oldStyleNames !== null && node.oldStyleNames.length > 0 && startsDeclaration(p);
}

/** The rest of `function-definition: specifiers declarator declarations? compound-statement`. */
function parseFunctionDefinition(
  p: Parser,
  specifiers: Specifiers,
  declarator: Declarator,
  attributes: readonly Attribute[],
): FunctionDefinition {
  p.scope.declare(nameOf(declarator) ?? '', 'ordinary');
  p.scope.open();
  const node = functionNode(declarator);
  for (const name of node?.oldStyleNames ?? []) p.scope.declare(name, 'ordinary');
  for (const parameter of node?.parameters ?? []) {
    const name = nameOf(parameter.declarator);
    if (name !== null) p.scope.declare(name, 'ordinary');
  }
  const oldStyleDeclarations: Declaration[] = [];
  while (!p.at('{') && startsDeclaration(p)) {
    const declaration = parseDeclarationOrFunction(p, 'block', []);
    if (declaration.kind === 'declaration') oldStyleDeclarations.push(declaration);
    else p.errorAt(declaration.loc, 'expected declaration of a parameter');
  }
  if (!p.at('{')) p.failExpected("'{'");
  const body = parseFunctionBody(p);
  p.scope.close();
  const loc = locOf(declarator);
  return { kind: 'function-definition', specifiers, declarator, oldStyleDeclarations, attributes, body, loc };
}

/** `_Static_assert ( constant-expression , string-literal ) ;`, the message being optional. */
export function parseStaticAssertion(p: Parser): StaticAssertion {
  const { loc, text } = p.next();
  const opening = p.expect('(', `after '${text}'`);
  p.enter();
  const condition = parseConditionalExpression(p);
  p.leave();
  const message = p.accept(',') ? parseAsmText(p) : null;
  p.expectClosing(')', opening);
  expectSemicolon(p, `after '${text}'`);
  return { kind: 'static-assert', condition, message, loc };
}

/** A missing `;` is reported where it should stand; if something new starts after it, nothing is skipped. */
export function expectSemicolon(p: Parser, context: string): void {
  if (p.accept(';')) return;
  p.errorHere(`expected ';' ${context}`, [], p.locAfterPrevious());
  if (!startsNextConstruct(p)) throw new SyntaxFault(false);
}
