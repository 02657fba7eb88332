/**
 * The syntax tree: what the parser makes of the tokens, before names are resolved and types are known. It keeps C's own
 * shape (specifiers and declarators, not types). The parser tracks scopes only as far as it needs to tell typedef names
 * from other identifiers. The type checker turns this tree into the typed tree (program/tree.ts).
 *
 * Labels, `case` and `default` are statements of their own, without a body: what they label is what follows them in the
 * enclosing list. Where C allows a labelled statement outside a list (`if (x) L: f();`), the parser makes a block.
 */

import type { FloatName, IntegerName } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';

// ---------------------------------------------------------------- declarations

export interface Qualifiers {
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly atomic: boolean;
}

/** `__attribute__((name(args)))` or `[[name(args)]]`; leading and trailing underscores of the name are stripped. */
export interface Attribute {
  readonly name: string;
  readonly args: readonly Expression[];
  readonly loc: Loc;
}

export type StorageClass = 'typedef' | 'extern' | 'static' | 'auto' | 'register';

/** The basic types by their canonical spelling. */
export type BasicTypeName = 'void' | IntegerName | FloatName | `${FloatName} _Complex` | '__builtin_va_list';

export type TypeSpecifier =
  | { readonly kind: 'basic'; readonly name: BasicTypeName }
  | { readonly kind: 'implicit-int' }
  | { readonly kind: 'auto-type' }
  | { readonly kind: 'typedef-name'; readonly name: string; readonly loc: Loc }
  | RecordSpecifier
  | EnumSpecifier
  /** `unqualified`: spelled `typeof_unqual`. */
  | { readonly kind: 'typeof-expression'; readonly operand: Expression; readonly unqualified: boolean }
  | { readonly kind: 'typeof-type'; readonly operand: TypeName; readonly unqualified: boolean }
  | { readonly kind: 'atomic-type'; readonly operand: TypeName };

export interface RecordSpecifier {
  readonly kind: 'struct' | 'union';
  readonly tag: string | null;
  /** null: only mentioned, not defined here. */
  readonly members: readonly MemberDeclaration[] | null;
  readonly attributes: readonly Attribute[];
  /** The alignment in force from `#pragma pack`, or null. */
  readonly pack: number | null;
  readonly loc: Loc;
}

export type MemberDeclaration =
  | {
      readonly kind: 'members';
      readonly specifiers: Specifiers;
      /** Empty for an anonymous struct or union member. */
      readonly declarators: readonly MemberDeclarator[];
      readonly loc: Loc;
    }
  | StaticAssertion;

export interface MemberDeclarator {
  /** null for an unnamed bit-field. */
  readonly declarator: Declarator | null;
  readonly bitWidth: Expression | null;
  readonly attributes: readonly Attribute[];
}

export interface EnumSpecifier {
  readonly kind: 'enum';
  readonly tag: string | null;
  readonly enumerators: readonly Enumerator[] | null;
  readonly attributes: readonly Attribute[];
  readonly loc: Loc;
}

export interface Enumerator {
  readonly name: string;
  readonly value: Expression | null;
  readonly loc: Loc;
}

export interface Specifiers {
  readonly storage: StorageClass | null;
  readonly threadLocal: boolean;
  readonly inline: boolean;
  readonly noreturn: boolean;
  readonly qualifiers: Qualifiers;
  readonly alignments: readonly (TypeName | Expression)[];
  readonly attributes: readonly Attribute[];
  readonly type: TypeSpecifier;
  readonly loc: Loc;
}

/** C reads declarators inside out: `inner` is nearer to the name. `int *a[3]` is
 *  `{pointer, inner: {array 3, inner: {name a}}}`; the outermost node applies first to the type of the specifiers. */
export type Declarator =
  | { readonly kind: 'name'; readonly name: string | null; readonly loc: Loc }
  | {
      readonly kind: 'pointer';
      readonly qualifiers: Qualifiers;
      readonly attributes: readonly Attribute[];
      readonly inner: Declarator;
    }
  | {
      readonly kind: 'array';
      /** null: `[]`; 'star': `[*]`. */
      readonly size: Expression | 'star' | null;
      readonly isStatic: boolean;
      readonly qualifiers: Qualifiers;
      readonly inner: Declarator;
      readonly loc: Loc;
    }
  | {
      readonly kind: 'function';
      readonly parameters: readonly ParameterDeclaration[];
      readonly variadic: boolean;
      /** `f()` or `f(a, b)` of old C; the names of the latter. null for a prototype. */
      readonly oldStyleNames: readonly string[] | null;
      readonly inner: Declarator;
      readonly loc: Loc;
    }
  | { readonly kind: 'attributed'; readonly attributes: readonly Attribute[]; readonly inner: Declarator };

export interface ParameterDeclaration {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly attributes: readonly Attribute[];
  readonly loc: Loc;
}

export interface TypeName {
  readonly kind: 'type-name';
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly loc: Loc;
}

export interface InitDeclarator {
  readonly declarator: Declarator;
  readonly initializer: Initializer | null;
  /** The text of `asm("name")`, or null. */
  readonly asmLabel: string | null;
  readonly attributes: readonly Attribute[];
  readonly loc: Loc;
}

export interface Declaration {
  readonly kind: 'declaration';
  readonly specifiers: Specifiers;
  readonly declarators: readonly InitDeclarator[];
  readonly loc: Loc;
}

export interface StaticAssertion {
  readonly kind: 'static-assert';
  readonly condition: Expression;
  readonly message: string | null;
  readonly loc: Loc;
}

export interface FunctionDefinition {
  readonly kind: 'function-definition';
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  /** The declarations between `)` and `{` of a K&R definition. */
  readonly oldStyleDeclarations: readonly Declaration[];
  readonly attributes: readonly Attribute[];
  readonly body: BlockStatement;
  readonly loc: Loc;
}

export interface AsmDeclaration {
  readonly kind: 'asm-declaration';
  readonly text: string;
  readonly loc: Loc;
}

export type ExternalDeclaration = Declaration | FunctionDefinition | StaticAssertion | AsmDeclaration;

export interface TranslationUnit {
  readonly declarations: readonly ExternalDeclaration[];
  readonly weakPragmas?: readonly WeakPragma[];
}

/** `#pragma weak name`, or `#pragma weak name = target`. */
export interface WeakPragma {
  readonly name: string;
  readonly target: string | null;
  readonly loc: Loc;
}

export type Initializer = { readonly kind: 'expression-initializer'; readonly value: Expression } | InitializerList;

export interface InitializerList {
  readonly kind: 'initializer-list';
  readonly items: readonly InitializerItem[];
  readonly loc: Loc;
}

export interface InitializerItem {
  readonly designators: readonly Designator[];
  readonly initializer: Initializer;
  readonly loc: Loc;
}

export type Designator =
  | { readonly kind: 'member'; readonly name: string; readonly loc: Loc }
  | { readonly kind: 'index'; readonly index: Expression; readonly loc: Loc }
  | { readonly kind: 'range'; readonly low: Expression; readonly high: Expression; readonly loc: Loc };

// ---------------------------------------------------------------- statements

export type Statement =
  | BlockStatement
  | Declaration
  | StaticAssertion
  /** A nested function is a GNU extension: parsed, refused by the type checker. */
  | FunctionDefinition
  | { readonly kind: 'expression'; readonly expression: Expression; readonly loc: Loc }
  | { readonly kind: 'empty'; readonly attributes: readonly Attribute[]; readonly loc: Loc }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Statement;
      readonly otherwise: Statement | null;
      readonly loc: Loc;
    }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Statement; readonly loc: Loc }
  | { readonly kind: 'do'; readonly body: Statement; readonly condition: Expression; readonly loc: Loc }
  | {
      readonly kind: 'for';
      readonly init: Declaration | StaticAssertion | Expression | null;
      readonly condition: Expression | null;
      readonly step: Expression | null;
      readonly body: Statement;
      readonly loc: Loc;
    }
  | { readonly kind: 'switch'; readonly value: Expression; readonly body: Statement; readonly loc: Loc }
  | { readonly kind: 'case'; readonly low: Expression; readonly high: Expression | null; readonly loc: Loc }
  | { readonly kind: 'default'; readonly loc: Loc }
  | { readonly kind: 'label'; readonly name: string; readonly attributes: readonly Attribute[]; readonly loc: Loc }
  /** `__label__ a, b;` */
  | { readonly kind: 'local-labels'; readonly names: readonly string[]; readonly loc: Loc }
  | { readonly kind: 'goto'; readonly label: string; readonly loc: Loc }
  | { readonly kind: 'computed-goto'; readonly target: Expression; readonly loc: Loc }
  | { readonly kind: 'break'; readonly loc: Loc }
  | { readonly kind: 'continue'; readonly loc: Loc }
  | { readonly kind: 'return'; readonly value: Expression | null; readonly loc: Loc }
  | AsmStatement;

export interface BlockStatement {
  readonly kind: 'block';
  readonly items: readonly Statement[];
  readonly loc: Loc;
  /** The place of the closing brace. */
  readonly endLoc: Loc;
}

export interface AsmStatement {
  readonly kind: 'asm';
  readonly isVolatile: boolean;
  readonly isGoto: boolean;
  readonly template: string;
  /** True for the basic form `asm("text")`, without colons. */
  readonly isBasic: boolean;
  readonly outputs: readonly AsmOperand[];
  readonly inputs: readonly AsmOperand[];
  readonly clobbers: readonly string[];
  readonly labels: readonly string[];
  readonly loc: Loc;
}

export interface AsmOperand {
  readonly name: string | null;
  readonly constraint: string;
  readonly value: Expression;
}

// ---------------------------------------------------------------- expressions

export type UnaryOperator = '+' | '-' | '~' | '!' | '*' | '&' | '++' | '--' | '__real__' | '__imag__';

export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '<'
  | '>'
  | '<='
  | '>='
  | '=='
  | '!='
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||'
  | ',';

export type AssignmentOperator = '=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|=';

export type Expression =
  | { readonly kind: 'identifier'; readonly name: string; readonly loc: Loc }
  /** A number or character constant by its text; the type checker interprets it. */
  | { readonly kind: 'number'; readonly text: string; readonly loc: Loc }
  | { readonly kind: 'character'; readonly text: string; readonly loc: Loc }
  /** Adjacent literals, each with its prefix and quotes. */
  | { readonly kind: 'string'; readonly parts: readonly string[]; readonly loc: Loc }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression; readonly loc: Loc }
  | { readonly kind: 'postfix'; readonly operator: '++' | '--'; readonly operand: Expression; readonly loc: Loc }
  /** `loc` is the place of the operator. */
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly loc: Loc;
    }
  | {
      readonly kind: 'assignment';
      readonly operator: AssignmentOperator;
      readonly target: Expression;
      readonly value: Expression;
      readonly loc: Loc;
    }
  /** `then` is null in GNU `a ?: b`. */
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly then: Expression | null;
      readonly otherwise: Expression;
      readonly loc: Loc;
    }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Expression[]; readonly loc: Loc }
  | { readonly kind: 'index'; readonly base: Expression; readonly index: Expression; readonly loc: Loc }
  | {
      readonly kind: 'member';
      readonly object: Expression;
      readonly name: string;
      readonly arrow: boolean;
      readonly loc: Loc;
    }
  | { readonly kind: 'cast'; readonly type: TypeName; readonly operand: Expression; readonly loc: Loc }
  | {
      readonly kind: 'compound-literal';
      readonly type: TypeName;
      readonly initializer: InitializerList;
      readonly loc: Loc;
    }
  | { readonly kind: 'sizeof-expression' | 'alignof-expression'; readonly operand: Expression; readonly loc: Loc }
  | { readonly kind: 'sizeof-type' | 'alignof-type'; readonly operand: TypeName; readonly loc: Loc }
  | {
      readonly kind: 'generic';
      readonly control: Expression;
      readonly associations: readonly {
        readonly type: TypeName | null;
        readonly value: Expression;
        readonly loc: Loc;
      }[];
      readonly loc: Loc;
    }
  | { readonly kind: 'statement-expression'; readonly body: BlockStatement; readonly loc: Loc }
  | { readonly kind: 'label-address'; readonly label: string; readonly loc: Loc }
  | {
      readonly kind: 'offsetof';
      readonly type: TypeName;
      readonly path: readonly Designator[];
      readonly loc: Loc;
    }
  | { readonly kind: 'va-arg'; readonly list: Expression; readonly type: TypeName; readonly loc: Loc }
  | { readonly kind: 'types-compatible'; readonly left: TypeName; readonly right: TypeName; readonly loc: Loc }
  | {
      readonly kind: 'choose-expression';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly loc: Loc;
    };
