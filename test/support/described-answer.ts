import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { allRoutes, openApiDocument, type Route } from '@latchkey/express-adapter';
import type { Answer } from './api-client.js';
import { closedDocument } from './closed-document.js';

const facts = { version: 'test', serverUrl: 'http://localhost' };
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closedDocument(openApiDocument(allRoutes, facts)), 'latchkey');
ajv.addSchema(
  closedDocument(openApiDocument(allRoutes, { ...facts, cookieMode: true })),
  'latchkey-cookie-mode',
);

const compiled = new Map<string, ValidateFunction>();
const patterns = allRoutes.map((route) => ({
  route,
  // A literal segment wins over a parameter, as it does in the router, by standing first in the table.
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
}));

/** Holds a success to what the OpenAPI document says of it; a path that is not described is left alone. */
export function assertDescribed(answer: Answer, method: string, path: string): void {
  const bare = path.split('?')[0] ?? '';
  const route = patterns.find(
    (entry) => entry.route.method === method.toLowerCase() && entry.pattern.test(bare),
  )?.route;
  if (!route || answer.status >= 400) return;
  // Only who gets cookies may do without tokens in the body.
  const document = answer.headers['set-cookie'] ? 'latchkey-cookie-mode' : 'latchkey';
  const validate = validatorOf(route, document);
  const fits = validate(answer.body);
  expect(fits, `${method} ${bare} ${answer.text}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  expect(answer.status, `${method} ${bare}`).toBe(route.status);
}

function validatorOf(route: Route, document: string): ValidateFunction {
  const name = `${document} ${route.method} ${route.path}`;
  const known = compiled.get(name);
  if (known) return known;
  const path = route.path.replaceAll('~', '~0').replaceAll('/', '~1');
  const pointer = `/paths/${path}/${route.method}/responses/${route.status}/content/application~1json/schema`;
  const validate = ajv.compile({ $ref: `${document}#${encodeURI(pointer)}` });
  compiled.set(name, validate);
  return validate;
}
