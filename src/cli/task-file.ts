// Task definitions (`.yml`), as competitions and BenchExec write them: input files, properties, options. What is there
// and not understood is a problem told by name: a task that is half read would be another task.

import path from 'node:path';

export interface TaskDefinition {
  readonly kind: 'task';
  readonly inputFiles: readonly string[];
  readonly dataModel: '32' | '64' | null;
  readonly properties: readonly TaskProperty[];
}

export interface TaskProperty {
  readonly file: string;
  /** What its authors say that the answer is; null where they do not. */
  readonly expected: boolean | null;
}

export type ReadTask = TaskDefinition | { readonly kind: 'problem'; readonly message: string };

const FORMAT_VERSIONS: readonly unknown[] = ['1.0', '2.0', 1, 2];
const DATA_MODELS: ReadonlyMap<unknown, TaskDefinition['dataModel']> = new Map([
  [undefined, null],
  ['ILP32', '32'],
  ['LP64', '64'],
]);

/** Reads a task definition; file names in it are relative to it. */
export async function readTask(file: string, text: string): Promise<ReadTask> {
  const near = (name: string) => (path.isAbsolute(name) ? name : path.join(path.dirname(file), name));
  const task = readFields(await readDocument(text), near);
  return typeof task === 'string' ? { kind: 'problem', message: `${file}: ${task}` } : task;
}

/**
 * What is wrong, as a text, or the document. Unknown tags are only warnings of the parser. It is loaded when there is
 * something to read: most runs start without.
 */
async function readDocument(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { logLevel: 'silent' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) return `no YAML: ${fault.message.split('\n')[0] ?? ''}`;
  try {
    return document.toJS();
  } catch (error) {
    // Aliases without an anchor, or far too many of them.
    return `no YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`;
  }
}

function readFields(document: unknown, near: (name: string) => string): TaskDefinition | string {
  if (!isRecord(document)) return typeof document === 'string' ? document : 'no task definition';
  const { format_version: version, input_files: inputs, properties = [], options = {} } = document;
  if (version !== undefined && !FORMAT_VERSIONS.includes(version)) {
    return `format_version ${show(version)} is not known (1.0 and 2.0 are)`;
  }
  const inputFiles = Array.isArray(inputs) ? inputs : [inputs];
  if (inputFiles.length === 0 || !inputFiles.every(isFileName)) return `input_files is ${show(inputs)}`;
  if (!isRecord(options)) return `options are ${show(options)}`;
  const { language, data_model: model } = options;
  if (language !== undefined && language !== 'C') return `the language is ${show(language)}`;
  const dataModel = DATA_MODELS.get(model);
  if (dataModel === undefined) return `data_model ${show(model)} is not known (ILP32 and LP64 are)`;
  if (!Array.isArray(properties)) return `properties are ${show(properties)}, no list`;
  const known: TaskProperty[] = [];
  for (const property of properties as readonly unknown[]) {
    const name = isRecord(property) ? property.property_file : undefined;
    if (!isFileName(name)) return `a property is ${show(property)}, which names no property_file`;
    const expected = isRecord(property) ? property.expected_verdict : undefined;
    known.push({ file: near(name), expected: typeof expected === 'boolean' ? expected : null });
  }
  return { kind: 'task', inputFiles: inputFiles.map(near), dataModel, properties: known };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFileName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

/** A value in a message, cut to a reasonable length. */
function show(value: unknown): string {
  const text = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
