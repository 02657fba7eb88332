/**
 * The typed tree: a C program whose names are resolved to symbols, whose expressions have types, and whose implicit
 * conversions are explicit `cast` nodes (with `implicit: true`, which the printer leaves out). It is still C: every
 * node can be printed back, and the passes that work from C to C rewrite this tree.
 *
 * Conventions that every consumer relies on:
 * - The lvalues are `variable`, `dereference`, `index`, `member` (of an lvalue), `string`, `compound-literal`. An
 *   lvalue used as an operand denotes the value stored there, except as operand of `address`, as `target` of an
 *   assignment or increment, as `object` of a `member`, and under a cast of castKind `array-to-pointer` or
 *   `function-to-pointer`.
 * - Operands of arithmetic have already been converted to the common type; the `value` of an assignment to the target's
 *   type; arguments to the parameters' types (or promoted); conditions stay of any scalar type and mean "!= 0".
 * - The type of an rvalue is unqualified. Comparison and logical operators have type int.
 * - Labels, `case` and `default` are statements without a body, as in the syntax tree.
 * - Trees are immutable; passes build new nodes and share what they keep. Symbols are compared by identity.
 */

import type { Loc, SourceMap } from '../support/source.ts';
import type { DataModel } from './data-model.ts';
import type { EnumDeclaration, Field, RecordDeclaration, Type } from './types.ts';

// ---------------------------------------------------------------- symbols

export type StorageDuration = 'static' | 'thread' | 'automatic';
export type Linkage = 'external' | 'internal' | 'none';

export interface VariableSymbol {
  readonly kind: 'variable-symbol';
  readonly id: number;
  readonly name: string;
  /** The name in the source, where the linker gave another one to tell files apart. */
  readonly sourceName?: string;
  /** Completed by later declarations or by the initializer (`int a[] = {…}`). */
  type: Type;
  readonly duration: StorageDuration;
  linkage: Linkage;
  readonly isParameter: boolean;
  /** What `_Alignas` or an attribute asked for, or null. */
  alignment: number | null;
  /** `&x` (or an array's decay) occurs, so that the object needs an address. */
  addressTaken: boolean;
  /**
   * Only for static and thread duration: whether a definition (also a tentative one) was seen; otherwise `extern` only.
   */
  defined: boolean;
  initializer: Initializer | null;
  /**
   * GNU `cleanup(f)`, only for automatic duration: the call `f(&x)`, made on every normal way out of the variable's
   * scope.
   */
  cleanup: CallExpression | null;
  readonly loc: Loc;
}

export interface FunctionSymbol {
  readonly kind: 'function-symbol';
  readonly id: number;
  readonly name: string;
  /** The name in the source, where the linker gave another one to tell files apart. */
  readonly sourceName?: string;
  type: Type; // a FunctionType; composite of all declarations
  linkage: Linkage;
  isInline: boolean;
  isNoreturn: boolean;
  /** null until defined. */
  definition: FunctionDefinition | null;
  readonly loc: Loc;
}

export interface TypedefSymbol {
  readonly kind: 'typedef-symbol';
  readonly id: number;
  readonly name: string;
  readonly type: Type;
  /** What an `aligned` attribute asked for, or null: it counts for objects whose type was named by this typedef. */
  readonly alignment: number | null;
  readonly loc: Loc;
}

export interface LabelSymbol {
  readonly kind: 'label-symbol';
  readonly id: number;
  readonly name: string;
  readonly loc: Loc;
}

export interface FunctionDefinition {
  readonly symbol: FunctionSymbol;
  readonly parameters: readonly VariableSymbol[];
  readonly body: BlockStatement;
  readonly loc: Loc;
}

// ---------------------------------------------------------------- declarations

/** In the order of the source, at file scope and in blocks alike. A record or enum is listed where it is defined. */
export type DeclarationItem =
  | { readonly kind: 'record'; readonly declaration: RecordDeclaration; readonly loc: Loc }
  /** `struct s;`: only announced here. */
  | { readonly kind: 'record-announcement'; readonly declaration: RecordDeclaration; readonly loc: Loc }
  | { readonly kind: 'enum'; readonly declaration: EnumDeclaration; readonly loc: Loc }
  | { readonly kind: 'typedef'; readonly symbol: TypedefSymbol; readonly loc: Loc }
  /** The initializer stands in the symbol; only the item with `isDefinition` prints it. */
  | { readonly kind: 'variable'; readonly symbol: VariableSymbol; readonly isDefinition: boolean; readonly loc: Loc }
  | { readonly kind: 'function-prototype'; readonly symbol: FunctionSymbol; readonly loc: Loc };

export type TopLevelItem =
  | DeclarationItem
  | { readonly kind: 'function'; readonly definition: FunctionDefinition; readonly loc: Loc }
  | { readonly kind: 'asm'; readonly text: string; readonly loc: Loc };

export interface Program {
  readonly dataModel: DataModel;
  readonly sources: SourceMap;
  readonly items: readonly TopLevelItem[];
}

/**
 * Sub-objects that are not mentioned are zero. Items are in increasing order of place, ranges are expanded unless all
 * equal.
 */
export type Initializer =
  | { readonly kind: 'scalar'; readonly value: Expression }
  /** A string literal that fills a character array (the terminating NUL may be cut off). */
  | { readonly kind: 'characters'; readonly value: StringExpression; readonly type: Type }
  /** Elements `first`..`last` (inclusive) of an array. */
  | {
      readonly kind: 'array';
      readonly type: Type;
      readonly items: readonly { readonly first: number; readonly last: number; readonly value: Initializer }[];
      readonly loc: Loc;
    }
  /** For a union, at most one item. */
  | {
      readonly kind: 'record';
      readonly type: Type;
      readonly items: readonly { readonly field: Field; readonly value: Initializer }[];
      readonly loc: Loc;
    };

// ---------------------------------------------------------------- expressions

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^';
export type ComparisonOperator = '==' | '!=' | '<' | '>' | '<=' | '>=';

export type CastKind =
  | 'array-to-pointer'
  | 'function-to-pointer'
  | 'integer' // between integer types (enums and _Bool as source included)
  | 'to-bool' // any scalar to _Bool
  | 'integer-to-float'
  | 'float-to-integer'
  | 'float'
  | 'pointer' // between pointer types
  | 'pointer-to-integer'
  | 'integer-to-pointer'
  | 'null-to-pointer' // a null pointer constant
  | 'to-void'
  | 'qualification' // same type but for qualifiers or alias
  | 'record' // explicit cast to the same record or union type
  | 'to-union' // GNU cast to a union type that has a member of the operand's type
  | 'complex';

interface ExpressionBase {
  readonly type: Type;
  readonly loc: Loc;
}

export interface IntegerExpression extends ExpressionBase {
  readonly kind: 'integer';
  /** In the range of its type. */
  readonly value: bigint;
  /** The enumerator, character constant or `sizeof` text that the user wrote, for printing; null for a plain number. */
  readonly spelling: string | null;
}

export interface FloatExpression extends ExpressionBase {
  readonly kind: 'float';
  readonly value: number;
  /** As written (exact for types wider than double), for printing. */
  readonly spelling: string | null;
}

export interface StringExpression extends ExpressionBase {
  readonly kind: 'string';
  /** Its type is an array; `units` includes the terminating 0. Elements of 1, 2 or 4 bytes by the type. */
  readonly units: readonly number[];
  /** Identity: each literal in the source is an object of its own. */
  readonly id: number;
}

export interface VariableExpression extends ExpressionBase {
  readonly kind: 'variable';
  readonly symbol: VariableSymbol;
}

export interface FunctionExpression extends ExpressionBase {
  readonly kind: 'function';
  readonly symbol: FunctionSymbol;
}

/** `callee` is a pointer to function, or a `function` node for a direct call. */
export interface CallExpression extends ExpressionBase {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
}

export type Expression =
  | IntegerExpression
  | FloatExpression
  | StringExpression
  | VariableExpression
  | FunctionExpression
  | CallExpression
  | (ExpressionBase & {
      readonly kind: 'unary';
      readonly operator: '+' | '-' | '~' | '!';
      readonly operand: Expression;
    })
  | (ExpressionBase & { readonly kind: 'address'; readonly operand: Expression })
  | (ExpressionBase & { readonly kind: 'dereference'; readonly operand: Expression })
  /** `base` is a pointer (a decayed array has its explicit cast), `index` an integer of any type. */
  | (ExpressionBase & { readonly kind: 'index'; readonly base: Expression; readonly index: Expression })
  /** `p->f` is a member of a dereference; the printer writes the arrow. Anonymous members on the way are explicit. */
  | (ExpressionBase & { readonly kind: 'member'; readonly object: Expression; readonly field: Field })
  | (ExpressionBase & {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  /** Pointer plus or minus an integer of any integer type, in elements. GNU: void and function count as one byte. */
  | (ExpressionBase & {
      readonly kind: 'pointer-offset';
      readonly operator: '+' | '-';
      readonly pointer: Expression;
      readonly offset: Expression;
    })
  /** In elements, of type ptrdiff_t. */
  | (ExpressionBase & { readonly kind: 'pointer-difference'; readonly left: Expression; readonly right: Expression })
  | (ExpressionBase & {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (ExpressionBase & {
      readonly kind: 'logical';
      readonly operator: '&&' | '||';
      readonly left: Expression;
      readonly right: Expression;
    })
  /** `then` is null in GNU `a ?: b`: the value of the condition, converted to the type. */
  | (ExpressionBase & {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly then: Expression | null;
      readonly otherwise: Expression;
    })
  | (ExpressionBase & { readonly kind: 'assignment'; readonly target: Expression; readonly value: Expression })
  /**
   * `target op= value`: target is converted to `computation`, the operation done there, the result converted back. For
   * a pointer target, `value` is the offset in elements and `computation` the pointer type. `value` has been converted
   * to `computation` (for shifts: promoted on its own).
   */
  | (ExpressionBase & {
      readonly kind: 'compound-assignment';
      readonly operator: ArithmeticOperator;
      readonly target: Expression;
      readonly value: Expression;
      readonly computation: Type;
    })
  | (ExpressionBase & {
      readonly kind: 'increment';
      readonly operator: '++' | '--';
      readonly isPrefix: boolean;
      readonly target: Expression;
    })
  | (ExpressionBase & { readonly kind: 'comma'; readonly left: Expression; readonly right: Expression })
  /** A compiler builtin that is not an ordinary function: `__builtin_va_start`, `__builtin_expect`, `__atomic_load_n`,
   *  `__sync_fetch_and_add`, `__builtin_unreachable`, … Atomic builtins are generic: operands carry the types. */
  | (ExpressionBase & { readonly kind: 'builtin'; readonly name: string; readonly args: readonly Expression[] })
  | (ExpressionBase & { readonly kind: 'va-arg'; readonly list: Expression })
  | (ExpressionBase & {
      readonly kind: 'cast';
      readonly castKind: CastKind;
      readonly operand: Expression;
      readonly implicit: boolean;
    })
  /** An unnamed object; at file scope static, in a block automatic, made anew each time it is reached. */
  | (ExpressionBase & { readonly kind: 'compound-literal'; readonly symbol: VariableSymbol })
  /** The value is that of the last statement if it is an expression statement. */
  | (ExpressionBase & { readonly kind: 'statement-expression'; readonly body: BlockStatement })
  /** `sizeof` of a variable-length array type; all other sizes are integers already. */
  | (ExpressionBase & { readonly kind: 'variable-size'; readonly measured: Type })
  | (ExpressionBase & { readonly kind: 'label-address'; readonly label: LabelSymbol });

// ---------------------------------------------------------------- statements

export interface BlockStatement {
  readonly kind: 'block';
  readonly items: readonly Statement[];
  readonly loc: Loc;
  readonly endLoc: Loc;
}

export type Statement =
  | BlockStatement
  | { readonly kind: 'declaration'; readonly item: DeclarationItem; readonly loc: Loc }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly loc: Loc }
  | { readonly kind: 'empty'; readonly loc: Loc }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Statement;
      readonly otherwise: Statement | null;
      readonly loc: Loc;
    }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Statement; readonly loc: Loc }
  | { readonly kind: 'do'; readonly body: Statement; readonly condition: Expression; readonly loc: Loc }
  /**
   * `init` is a list of declaration statements (all in the scope of the loop) or one expression statement, or empty.
   */
  | {
      readonly kind: 'for';
      readonly init: readonly Statement[];
      readonly condition: Expression | null;
      readonly step: Expression | null;
      readonly body: Statement;
      readonly loc: Loc;
    }
  /** The value is promoted; case values are converted to its type. */
  | { readonly kind: 'switch'; readonly value: Expression; readonly body: Statement; readonly loc: Loc }
  | {
      readonly kind: 'case';
      readonly low: bigint;
      readonly high: bigint;
      readonly spelling: string | null;
      readonly loc: Loc;
    }
  | { readonly kind: 'default'; readonly loc: Loc }
  | { readonly kind: 'label'; readonly label: LabelSymbol; readonly loc: Loc }
  | { readonly kind: 'goto'; readonly label: LabelSymbol; readonly loc: Loc }
  | { readonly kind: 'computed-goto'; readonly target: Expression; readonly loc: Loc }
  | { readonly kind: 'break'; readonly loc: Loc }
  | { readonly kind: 'continue'; readonly loc: Loc }
  | { readonly kind: 'return'; readonly value: Expression | null; readonly loc: Loc }
  | AsmStatement;

export interface AsmStatement {
  readonly kind: 'asm';
  readonly isVolatile: boolean;
  readonly isBasic: boolean;
  readonly template: string;
  readonly outputs: readonly AsmOperand[];
  readonly inputs: readonly AsmOperand[];
  readonly clobbers: readonly string[];
  readonly labels: readonly LabelSymbol[];
  readonly loc: Loc;
}

export interface AsmOperand {
  readonly name: string | null;
  readonly constraint: string;
  readonly value: Expression;
}
