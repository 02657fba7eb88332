// The official schema of SARIF 2.1.0.

import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import Ajv from 'ajv';
import draft04 from 'ajv/lib/refs/json-schema-draft-04.json' with { type: 'json' };

const ajv = new Ajv({ schemaId: 'auto', unknownFormats: 'ignore', allErrors: true, meta: false });
ajv.addMetaSchema(draft04);
const isSarif = ajv.compile(schema);

/** What is wrong with a document; nothing where it is valid. */
export function validateSarif(document: unknown): string[] {
  if (isSarif(document)) return [];
  return (isSarif.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message ?? ''}`);
}
