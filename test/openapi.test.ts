import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allRoutes, openApiDocument } from '@latchkey/express-adapter';

const document = openApiDocument(allRoutes, { version: '0.0.0', serverUrl: 'http://localhost:3097' });

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 in the eyes of an independent validator', async () => {
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    const result = await new Validator().validate(plain);

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

  it('never mentions a password hash', () => {
    expect(JSON.stringify(document)).not.toMatch(/password_?hash/i);
  });
});
