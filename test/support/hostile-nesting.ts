/**
 * C texts that nest one construct of the grammar many times, and texts that are long without being nested: what a
 * recursive program over syntax trees must refuse or get through without overflowing its stack.
 */

/** Each construct that can contain itself, `times` times around itself. */
export function nestedTexts(times: number): Record<string, string> {
  const nest = (open: string, middle: string, close: string) => open.repeat(times) + middle + close.repeat(times);
  const value = (open: string, middle = '1', close = '') => `int x = ${nest(open, middle, close)};`;
  const body = (open: string, middle = ';', close = '') => `void f(int *p) { ${nest(open, middle, close)} }`;
  const everyLevel = '1||1&&1|1^1&1==1<1<<1+1*';
  return {
    ...{ parentheses: value('(', '1', ')'), signs: value('- '), casts: value('(int)'), sizes: value('sizeof ') },
    ...{ extensions: value('__extension__ '), dereferences: body('*', 'p;'), assignments: body('a = ', '1;') },
    ...{ 'sizes of arrays': value('sizeof(int[', '1', '])'), calls: value('f(', '1', ')') },
    ...{ indices: value('a[', '1', ']'), 'postfix chain': value('', `a${'[1]'.repeat(times)}`) },
    'postfix chains in parentheses': `int x = ${'('.repeat(200)}a${`${'[1]'.repeat(200)})`.repeat(200)};`,
    ...{ 'conditions in the middle': value('1?', '1', ':1'), 'conditions at the end': value('1?1:') },
    ...{ 'all binary operators': value(`${everyLevel}(`, '1', ')'), generics: value('_Generic(1, int: ', '1', ')') },
    ...{ blocks: body('{', '', '}'), ifs: body('if (1) '), whiles: body('while (1) '), fors: body('for (;;) ') },
    ...{ dos: body('do ', ';', 'while (1);'), switches: body('switch (1) case 1: ') },
    ...{ 'statement expressions': body('({', '1;', '});'), 'in a declaration': body('int x = ({', '1;', '});') },
    'statement expressions in everything': body(`${everyLevel}({ if (1) for (;;) `, '1;', '});'),
    'statement expressions in lists': body('int x[] = {({', '1;', '})};'),
    ...{ declarators: `int ${nest('(', 'x', ')')};`, pointers: `int ${nest('*', 'x', '')};` },
    ...{ 'pointers to arrays': `int ${nest('(*', 'x', ')[3]')};`, arrays: `int x${'[1]'.repeat(times)};` },
    ...{ parameters: `int f${nest('(int x', '', ')')};`, 'abstract parameters': `int f${nest('(int (*)', '', ')')};` },
    ...{
      'array sizes': `int x${nest('[sizeof(int', '', ')]')};`,
      'nested functions': nest('void f(void) { ', '', '}'),
    },
    ...{ lists: value('{', '1', '}'), designated: value('{ .a = ', '1', '}'), literals: value('(int[]){', '1', '}') },
    ...{ structs: nest('struct {', 'int x;', '} x;'), enums: value('sizeof(enum { A = ', '1', '})') },
    ...{ typeofs: `${nest('typeof(', '1', ')')} x;`, atomics: `${nest('_Atomic(', 'int', ')')} x;` },
    ...{
      alignments: nest('_Alignas(struct{', 'int x;', '}) int y;'),
      offsets: value('__builtin_offsetof(struct s, a[', '1', '])'),
    },
    'bit-fields': `${nest('struct { int x : sizeof(', 'int', '); }')} y;`,
    attributes: `int x ${nest('__attribute__((a(sizeof(int ', '', '))))')};`,
    ...{
      'variable arguments': value('__builtin_va_arg(', '1', ', int)'),
      choices: value('__builtin_choose_expr(', '1', ', 1, 1)'),
    },
  };
}

/** Texts that open brackets and never close them. */
export function unclosedTexts(times: number): Record<string, string> {
  const openings = [
    '{',
    '(',
    '[',
    'int f(){ (',
    'struct { ',
    'x(',
    'if (',
    'int f(){ ({ if (',
    'int f(a) int a; { ',
    '(int[]){',
    '}',
  ];
  return Object.fromEntries(openings.map((opening) => [opening, opening.repeat(times)]));
}

/** Correct texts with a list or chain of `times` parts. */
export function longTexts(times: number): Record<string, string> {
  const body = (text: string) => `int f(int a) { ${text} }`;
  return {
    sum: `int x = 1${' + 1'.repeat(times)};`,
    'mixed operators': `int x = 1${' + 2 * 3 << 4'.repeat(times)};`,
    'comma operators': body(`1${', 1'.repeat(times)};`),
    'else if': body(`${'if (a) a = 1; else '.repeat(times)}a = 2;`),
    statements: body('a = a + 1;\n'.repeat(times)),
    cases: body(`switch (a) { ${Array.from({ length: times }, (_, i) => `case ${i}: `).join('')}; }`),
    labels: body(`if (a) ${Array.from({ length: times }, (_, i) => `l${i}: `).join('')};`),
    'initializer list': `int x[] = { ${'1, '.repeat(times)}};`,
    'string literal': `char *s = ${'"a" '.repeat(times)};`,
    declarators: `int x${Array.from({ length: times }, (_, i) => `, x${i}`).join('')};`,
    declarations: Array.from({ length: times }, (_, i) => `int x${i};\n`).join(''),
    members: `struct s { ${Array.from({ length: times }, (_, i) => `int x${i};`).join('\n')} };`,
    enumerators: `enum e { ${Array.from({ length: times }, (_, i) => `E${i},`).join('\n')} };`,
    qualifiers: `${'const '.repeat(times)}int x;`,
    arguments: body(`f(1${', 1'.repeat(times)});`),
    semicolons: body(';'.repeat(times)),
  };
}
