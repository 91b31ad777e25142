import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { allRoutes, openApiDocument, type Route } from '@latchkey/express-adapter';
import type { Answer } from './api-client.js';
import { closedDocument } from './closed-document.js';

const facts = { version: 'test', serverUrl: 'http://localhost' };
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const DOCUMENTS = {
  latchkey: openApiDocument(allRoutes, facts),
  'latchkey-cookie-mode': openApiDocument(allRoutes, { ...facts, cookieMode: true }),
};
type DocumentName = keyof typeof DOCUMENTS;
for (const [name, document] of Object.entries(DOCUMENTS)) ajv.addSchema(closedDocument(document), name);

const compiled = new Map<string, ValidateFunction>();
const patterns = allRoutes.map((route) => ({
  route,
  // A literal segment wins over a parameter, as it does in the router, because it comes first in the table.
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
}));

/**
 * Returns what the OpenAPI document says otherwise about a response: its status is listed for the operation, and its body
 * fits. A path or a method that is not described has no faults.
 */
export function documentFaults(answer: Answer, method: string, path: string): string[] {
  const route = patterns.find(
    (entry) => entry.route.method === method.toLowerCase() && entry.pattern.test(path),
  )?.route;
  if (!route) return [];
  const name = usesCookies(answer) ? 'latchkey-cookie-mode' : 'latchkey';
  const pointer = pointerTo(name, route, answer);
  if (pointer === undefined) return ['the document does not name this status'];
  const validate = validatorOf(name, pointer);
  return validate(answer.body) ? [] : [`the document: ${ajv.errorsText(validate.errors)}`];
}

/** Only clients that get cookies may do without tokens in the body; origins are refused in cookie mode alone. */
const usesCookies = ({ status, headers }: Answer): boolean =>
  status >= 400 || headers['set-cookie'] !== undefined;

function pointerTo(name: DocumentName, { method, path }: Route, answer: Answer): string | undefined {
  const operation = DOCUMENTS[name].paths[path]?.[method] as unknown as {
    responses: Partial<Record<number, Response>>;
  };
  const response = operation.responses[answer.status];
  if (response === undefined) return undefined;
  const base = response.$ref ?? `#/paths/${escaped(path)}/${method}/responses/${answer.status}`;
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  return `${base}/content/${escaped(type)}/schema`;
}

interface Response {
  $ref?: string;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function validatorOf(document: DocumentName, pointer: string): ValidateFunction {
  const name = `${document}${pointer}`;
  const known = compiled.get(name);
  if (known) return known;
  const validate = ajv.compile({ $ref: encodeURI(name) });
  compiled.set(name, validate);
  return validate;
}
