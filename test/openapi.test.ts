import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { allRoutes, openApiDocument, type OpenApiDocument } from '@latchkey/express-adapter';
import { closedDocument } from './support/closed-document.js';

const facts = { version: '0.0.0', serverUrl: 'http://localhost:3097' };
const plain = openApiDocument(allRoutes, facts);
const withCookieMode = openApiDocument(allRoutes, { ...facts, cookieMode: true });

describe.each([
  ['the OpenAPI document', plain],
  ['the OpenAPI document with cookie mode', withCookieMode],
])('%s', (_which, document) => {
  it('the document is valid OpenAPI 3.1 for an independent validator', async () => {
    const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    const result = await new Validator().validate(copy);

    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('the document describes every route once, under a name of its own', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const names = operations.map((operation) => operation.operationId);

    expect(operations).toHaveLength(allRoutes.length);
    expect(new Set(names).size).toBe(names.length);
  });

  it('the document refers only to components that it holds', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
    const components = document.components as Record<string, Record<string, unknown>>;

    expect(references.length).toBeGreaterThan(0);
    const missing = references.filter(([, kind = '', name = '']) => !(name in (components[kind] ?? {})));
    expect(missing.map(([reference]) => reference)).toEqual([]);
  });

  it('the document names operations as generated clients call their methods', () => {
    const names = describedIn(document).map(({ operationId }) => operationId);
    expect(names.filter((name) => !/^[a-z][A-Za-z]{2,39}$/.test(name))).toEqual([]);
  });

  it('the document puts every operation into a group that it describes, and every group has one', () => {
    const used = new Set(describedIn(document).flatMap(({ tags }) => tags));
    expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort());
  });

  it('the document describes every operation, parameter and response', () => {
    const silent = describedIn(document).filter(
      ({ summary, description, parameters }) =>
        !summary || !description || parameters.some((parameter) => !parameter.description),
    );
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('the document names the errors of each operation, and omits none', () => {
    for (const { operationId, responses } of describedIn(document)) {
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['400', '500', '503']));
      expect(Object.keys(responses), operationId).not.toContain('default');
    }
  });

  it('the document shows an example of every body and every success, and each is valid', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(closedDocument(document), 'document');
    const shown = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => mediaTypesOf(document, path, method)),
    );
    for (const { pointer, values } of shown) {
      expect(values.length, pointer).toBeGreaterThan(0);
      const validate = ajv.compile({ $ref: encodeURI(`document#${pointer}/schema`) });
      for (const value of values)
        expect(validate(value), `${pointer}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  it('the document allows further fields in every answer', () => {
    const answers = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ responses }) => responses),
    );
    expect(JSON.stringify([answers, document.components])).not.toContain('"additionalProperties":false');
  });

  it('the document defines every property that it requires', () => {
    expect(undefinedProperties(document)).toEqual([]);
  });

  it('the document gives numbers no bounds that are only those of JavaScript', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('the document never mentions a password hash', () => {
    expect(JSON.stringify(document)).not.toMatch(/password_?hash/i);
  });
});

describe('cookie mode', () => {
  const TOKEN_ROUTES = [
    'post /auth/external/finish',
    'post /auth/handoff/exchange',
    'post /auth/invitations/accept',
    'post /auth/login',
    'post /auth/login/mail/finish',
    'post /auth/login/second-factor',
    'post /auth/login/second-factor/enrol/confirm',
    'post /auth/passkeys/login/verify',
    'post /auth/refresh',
    'post /auth/step-up',
  ];

  it('cookie mode may leave the tokens out of exactly those answers that hold an access token', () => {
    const tokenless = operationsOf(withCookieMode).filter(([, text]) => text.includes('InCookies'));
    expect(tokenless.map(([name]) => name).sort()).toEqual(TOKEN_ROUTES);
  });

  it('cookie mode is not mentioned where it is off', () => {
    expect(JSON.stringify(plain)).not.toMatch(/cookie/i);
  });
});

/** Returns the names that objects require without describing them. */
function undefinedProperties(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(undefinedProperties);
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties = {}, required } = node as Record<string, unknown>;
  const names = type === 'object' && Array.isArray(required) ? (required as string[]) : [];
  const missing = names.filter((name) => !(name in (properties as object)));
  return [...missing, ...Object.values(node).flatMap(undefinedProperties)];
}

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { description?: string }[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
}

interface MediaType {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

const describedIn = ({ paths }: OpenApiDocument): Described[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods) as unknown as Described[]);

/** Returns the descriptions of body and success of an operation, with their examples. */
function mediaTypesOf(document: OpenApiDocument, path: string, method: string) {
  const { requestBody, responses } = document.paths[path]![method] as unknown as Described;
  const base = `/paths/${escaped(path)}/${method}`;
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const contents = Object.entries(responses[success]?.content ?? {});
  // Every body is JSON, but for the form of a standard of others.
  const bodies = Object.entries(requestBody?.content ?? {});
  return [
    ...bodies.map(([type, media]) => ({ pointer: `${base}/requestBody/content/${escaped(type)}`, media })),
    // An event stream has its own test, and a file has no example in JSON.
    ...contents
      .filter(([type]) => type !== 'text/event-stream' && !type.startsWith('image/'))
      .map(([type, media]) => ({ pointer: `${base}/responses/${success}/content/${escaped(type)}`, media })),
  ].map(({ pointer, media }) => ({
    pointer,
    values:
      'example' in media ? [media.example] : Object.values(media.examples ?? {}).map(({ value }) => value),
  }));
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function operationsOf({ paths }: OpenApiDocument): [string, string][] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, string] => [
      `${method} ${path}`,
      JSON.stringify(operation),
    ]),
  );
}
