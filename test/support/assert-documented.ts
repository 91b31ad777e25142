import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
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
 * Holds an answer to what the OpenAPI document says of it: its status is named for the operation, and its body fits. A path
 * or a method that is not described is left alone.
 */
export function assertDocumented(answer: Answer, method: string, path: string): void {
  const bare = path.split('?')[0] ?? '';
  const route = patterns.find(
    (entry) => entry.route.method === method.toLowerCase() && entry.pattern.test(bare),
  )?.route;
  if (!route) return;
  const name = usesCookies(answer) ? 'latchkey-cookie-mode' : 'latchkey';
  const description = `${method} ${bare} ${answer.status} ${answer.text}`;
  const validate = validatorOf(name, pointerTo(name, route, answer, description));
  expect(validate(answer.body), `${description}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

/** Only clients that get cookies may do without tokens in the body; origins are refused in cookie mode alone. */
const usesCookies = ({ status, headers }: Answer): boolean =>
  status >= 400 || headers['set-cookie'] !== undefined;

function pointerTo(name: DocumentName, { method, path }: Route, answer: Answer, description: string): string {
  const operation = DOCUMENTS[name].paths[path]?.[method] as unknown as {
    responses: Record<string, Response>;
  };
  const response = operation.responses[answer.status];
  expect(response, `${description}: the document does not name this status`).toBeDefined();
  const base = response?.$ref ?? `#/paths/${escaped(path)}/${method}/responses/${answer.status}`;
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
