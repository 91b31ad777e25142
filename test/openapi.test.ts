import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allRoutes, openApiDocument, type OpenApiDocument } from '@latchkey/express-adapter';

const facts = { version: '0.0.0', serverUrl: 'http://localhost:3097' };
const plain = openApiDocument(allRoutes, facts);
const withCookieMode = openApiDocument(allRoutes, { ...facts, cookieMode: true });

describe.each([
  ['the OpenAPI document', plain],
  ['the OpenAPI document with cookie mode', withCookieMode],
])('%s', (_which, document) => {
  it('is valid OpenAPI 3.1 in the eyes of an independent validator', async () => {
    const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    const result = await new Validator().validate(copy);

    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('describes every route once, under a name of its own', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const names = operations.map((operation) => operation.operationId);

    expect(operations).toHaveLength(allRoutes.length);
    expect(new Set(names).size).toBe(names.length);
  });

  it('refers only to schemas that it holds', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
    const { schemas } = document.components as { schemas: Record<string, unknown> };

    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((name) => !(name in schemas))).toEqual([]);
  });

  it('leaves room in every answer for fields to come', () => {
    const answers = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ responses }) => responses),
    );
    expect(JSON.stringify([answers, document.components])).not.toContain('"additionalProperties":false');
  });

  it('defines every property that it requires', () => {
    expect(undefinedProperties(document)).toEqual([]);
  });

  it('gives numbers no bounds that are only those of JavaScript', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('never mentions a password hash', () => {
    expect(JSON.stringify(document)).not.toMatch(/password_?hash/i);
  });
});

describe('cookie mode', () => {
  const TOKEN_ROUTES = [
    'post /auth/handoff/exchange',
    'post /auth/invitations/accept',
    'post /auth/login',
    'post /auth/passkeys/login/verify',
    'post /auth/refresh',
  ];

  it('may leave the tokens out of exactly those answers that sign somebody in', () => {
    const tokenless = operationsOf(withCookieMode).filter(([, text]) =>
      text.includes('tokens are in cookies'),
    );
    expect(tokenless.map(([name]) => name).sort()).toEqual(TOKEN_ROUTES);
  });

  it('is not spoken of where it is off', () => {
    expect(JSON.stringify(plain)).not.toMatch(/cookie/i);
  });
});

/** The names that objects require without describing them. */
function undefinedProperties(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(undefinedProperties);
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties = {}, required } = node as Record<string, unknown>;
  const names = type === 'object' && Array.isArray(required) ? (required as string[]) : [];
  const missing = names.filter((name) => !(name in (properties as object)));
  return [...missing, ...Object.values(node).flatMap(undefinedProperties)];
}

function operationsOf({ paths }: OpenApiDocument): [string, string][] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, string] => [
      `${method} ${path}`,
      JSON.stringify(operation),
    ]),
  );
}
