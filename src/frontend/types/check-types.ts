/**
 * The type checker: from the syntax tree to the typed tree. Resolves names, builds types, checks every expression,
 * makes implicit conversions explicit, evaluates what must be constant, and reports what gcc reports: its errors as
 * errors, its default warnings as warnings. Never throws on user input but for the sink's limit of errors; after an
 * error the program exists but must not be used.
 *
 * The files of this folder call one another in circles, as the grammar does: types contain expressions (array sizes),
 * expressions contain types (casts) and statements (GNU statement expressions).
 */

import type { Program } from '../../program/tree.ts';
import type { TranslationUnit } from '../parse/ast.ts';
import { type CheckOptions, createChecker } from './checker.ts';
import { checkExternalDeclaration, completeTentativeDefinitions } from './declarations.ts';
import { surroundMain } from './surround-main.ts';

export function checkTypes(unit: TranslationUnit, options: CheckOptions): Program {
  const c = createChecker(options);
  for (const declaration of unit.declarations) checkExternalDeclaration(c, declaration);
  completeTentativeDefinitions(c);
  surroundMain(c);
  return { dataModel: options.dataModel, sources: options.sources, items: c.items };
}
