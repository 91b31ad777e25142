import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import { isSecretField, type Answer, type ApiOptions } from '../support/api-client.js';
import { OFFERED_ENV } from '../support/offered-env.js';
import { bodyFieldsOf, nameOf, requestFor } from '../support/route-request.js';
import { runsOf, shareOf } from '../support/scale.js';
import { startTestService, type TestService } from '../support/service.js';

const WITH_BODY = allRoutes
  // A form has tests of its own.
  .filter(({ body, bodyType }) => body !== undefined && bodyType === 'json')
  .map((route, index) => [nameOf(route), route, index] as const);

const EMAIL = 'ada@example.com';

// `PROOF_SCALE=full` sends every body to every route; the suite, a share of them.
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: OFFERED_ENV });
});

afterAll(() => service.stop());

/** Sends a body to a route with valid credentials. */
async function send(route: Route, options: ApiOptions): Promise<Answer> {
  const { method, path, headers } = await requestFor(route, service, randomUUID());
  return service.api(method, path, { ...options, headers: { ...headers, ...options.headers } });
}

const REFUSED = { status: 400, code: 'validation_error' };
const json = (text: string): ApiOptions => ({ raw: text });
const typed = (type: string | undefined, text: string | Buffer): ApiOptions => ({
  raw: text,
  headers: { 'content-type': type ?? '' },
});
const fieldOf = (route: Route): string => bodyFieldsOf(route)[0] ?? 'x';

describe.each(WITH_BODY)('%s', (_name, route, index) => {
  it('a route refuses a body that is no JSON object', async () => {
    const field = fieldOf(route);
    const texts = [
      `{"${field}":1`,
      `{"${field}":"x",}`,
      `{"${field}":"x"}{"${field}":"y"}`,
      `{'${field}':'x'}`,
      `{"${field}":"x"} // comment`,
      `{"${field}":NaN}`,
      `{"${field}":01}`,
      '[]',
      `[{"${field}":"x"}]`,
      '"x"',
      '1',
      'null',
      'true',
      ' ',
    ];
    for (const text of shareOf(texts, index)) {
      expect([text, (await send(route, json(text))).code]).toEqual([text, 'validation_error']);
    }
  });

  it('a route refuses text that cannot be stored, in values, names and any depth', async () => {
    const field = fieldOf(route);
    const texts = [
      `{"${field}":"a\\u0000b"}`,
      `{"${field}":"\\ud800"}`,
      `{"${field}":"\\udfff\\ud800"}`,
      `{"${field}":{"a":["\\u0000"]}}`,
      `{"unknown":"\\u0000"}`,
      `{"a\\u0000":1}`,
      `{"__proto__":{"x":"\\u0000"}}`,
    ];
    for (const text of shareOf(texts, index)) {
      expect([text, (await send(route, json(text))).code]).toEqual([text, 'validation_error']);
    }
  });

  it('a route refuses bytes that are no UTF-8', async () => {
    for (const bytes of shareOf(['ff', 'c080', 'eda080', 'f4908080', 'e282'], index)) {
      const raw = Buffer.concat([
        Buffer.from(`{"${fieldOf(route)}":"`),
        Buffer.from(bytes, 'hex'),
        Buffer.from('"}'),
      ]);
      expect(await send(route, { raw })).toMatchObject(REFUSED);
    }
  });

  it('a route refuses UTF-16, UTF-32 and all but UTF-8', async () => {
    const utf16 = Buffer.from('{}', 'utf16le');
    const charsets = ['utf-16', 'utf-16le', 'utf-32', 'iso-8859-1', 'nonsense'];
    for (const charset of shareOf(charsets, index)) {
      expect(await send(route, typed(`application/json; charset=${charset}`, utf16))).toMatchObject(REFUSED);
    }
    expect(await send(route, { raw: utf16 })).toMatchObject(REFUSED);
  });

  it('a route refuses other types of content, and executes nothing of them', async () => {
    const types: [string | undefined, string][] = [
      ['text/plain', '{}'],
      ['application/x-www-form-urlencoded', 'email=a%40b.de&password=x'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n--x--',
      ],
      ['application/xml', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
      ['application/json, text/plain', '{}'],
      ['application/jsonx', '{}'],
      ['garbage', '{}'],
      [undefined, '{}'],
    ];
    for (const [type, text] of shareOf(types, index)) {
      expect([type, (await send(route, typed(type, text))).code]).toEqual([type, 'validation_error']);
    }
  });

  it('a route refuses a compressed body, whatever its encoding is called', async () => {
    const encodings = ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'nonsense'];
    for (const encoding of shareOf(encodings, index)) {
      const options = { raw: gzipSync('{}'), headers: { 'content-encoding': encoding } };
      expect(await send(route, options)).toMatchObject(REFUSED);
    }
  });

  it('a route refuses a body of more than 100 KiB, before it has arrived completely', async () => {
    const raw = `{"x":"${'a'.repeat(102_401 - 8)}"}`;
    expect(await send(route, { raw })).toMatchObject({ status: 413, code: 'validation_error' });
    expect(await send(route, { raw: `{"x":"${'a'.repeat(1_000_000)}"}` })).toMatchObject({ status: 413 });
  });

  it('a route refuses deep nesting', async () => {
    for (const raw of [
      `{"x":${'['.repeat(40)}${']'.repeat(40)}}`,
      `${'{"x":'.repeat(9000)}1${'}'.repeat(9000)}`,
    ]) {
      expect(await send(route, { raw })).toMatchObject(REFUSED);
    }
  });

  it('a route refuses every field of a wrong kind, naming it', async () => {
    for (const [place, field] of bodyFieldsOf(route).entries()) {
      for (const value of shareOf([[['x']], 1.5, 2 ** 53 + 2], index + place)) {
        const answer = await send(route, { body: { [field]: value } });
        expect([field, answer.status]).toEqual([field, 400]);
        expect(answer.message).toContain(field);
      }
      expect(await send(route, { body: { [field]: { $ne: 1 } } })).toMatchObject(REFUSED);
    }
  });
});

describe('a body', () => {
  const create = (raw: string) => service.machine('POST', '/internal/admin/users', { raw });

  it('a body that names a field twice counts its last value, as JSON parsers do', async () => {
    const answer = await create('{"email":"first@example.com","email":"last@example.com"}');
    expect(answer.data.email).toBe('last@example.com');
  });

  it('a body cannot set anything through a prototype', async () => {
    const answer = await create(
      '{"email":"proto@example.com","__proto__":{"globalRole":"PLATFORM_ADMIN","isActive":false},' +
        '"constructor":{"prototype":{"approvalStatus":"PENDING"}}}',
    );
    expect(answer.data).toMatchObject({ globalRole: 'NONE', isActive: true, approvalStatus: 'APPROVED' });
    expect(({} as Record<string, unknown>).globalRole).toBeUndefined();
  });

  it('a body may start with a byte order mark, which is skipped (RFC 8259 section 8.1)', async () => {
    expect((await create('\ufeff{"email":"bom@example.com"}')).status).toBe(201);
  });

  it('a body may contain any text as a name, which is returned as it was', async () => {
    const names = [
      '\u202egnirts',
      'a\u200bb',
      '👩‍💻',
      '{{7*7}}${x}',
      `'; DROP TABLE users;--`,
      '=cmd|calc',
      '<script>alert(1)</script>',
      '../../etc/passwd',
      '%s%n%00',
      'null',
      '\ufdfa',
      '\\"',
    ];
    const { id } = await service.createUser();
    for (const fullName of names) {
      const answer = await service.machine('PATCH', `/internal/admin/users/${id}`, { body: { fullName } });
      expect(answer.data).toMatchObject({ fullName, name: fullName });
    }
    expect((await service.machine('GET', '/internal/admin/users')).status).toBe(200);
  });
});

const STRANGE_STRINGS = [
  '',
  ' ',
  '\0',
  '\ufeff',
  '\u202e',
  '\u200b',
  '\ud800',
  '\ufdfa',
  'ﬀ',
  '👩‍💻',
  'a'.repeat(20_000),
  'null',
  'undefined',
  '[object Object]',
  '%s%n',
  '../../etc/passwd',
  `'; DROP TABLE users;--`,
  '\\',
  '"',
  'a@b',
  'a@b.c..d',
  '"a b"@c.d',
  'a@[127.0.0.1]',
  'ü@x.de',
  'a@münchen.de',
  'a@x.de\r\nBcc: b@x.de',
  '2026-02-30',
  '-271821-04-20',
  '+49',
  '12345',
  'https://x.de',
];
const STRANGE_NUMBERS = [-1, 0, -0, 1.5, 2 ** 31, 2 ** 53 + 2, -(2 ** 63), Number.MAX_VALUE, 5e-324];

const strangeValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...STRANGE_STRINGS) },
  { weight: 2, arbitrary: fc.constantFrom(...STRANGE_NUMBERS, true, false, null) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Bodies made of the route's own fields, mostly strange ones, with enough good values to get deeper. */
const bodyFor = (route: Route): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .dictionary(
      fc.constantFrom(...bodyFieldsOf(route), ...bodyFieldsOf(route), '__proto__', 'toString', 'unknown'),
      fc.oneof(
        { weight: 3, arbitrary: strangeValue },
        { weight: 2, arbitrary: fc.constantFrom(EMAIL, GOOD_PASSWORD, 'Ada', true) },
      ),
      { maxKeys: 8 },
    )
    .map(withSecretsTurnedRound);

/** Some fields are kept in the audit log, where a text that is the password of another request would look like a leak. */
const withSecretsTurnedRound = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      isSecretField(field) && typeof value === 'string' ? Array.from(value).toReversed().join('') : value,
    ]),
  );

const GOOD_PASSWORD = 'a fine long password';

describe('random bodies', () => {
  it.each(WITH_BODY)(
    '%s answers in the envelope, and never with a failure of its own',
    async (_name, route) => {
      const { id } = await service.createUser();
      const { method, path, headers } = await requestFor(route, service, id);
      await fc.assert(
        // `api` checks each answer for the envelope, the statuses of its code, and five seconds.
        fc.asyncProperty(bodyFor(route), async (body) => {
          const answer = await service.api(method, path, { body, headers });
          expect(answer.status).toBeLessThan(500);
        }),
        { numRuns: runsOf(30) },
      );
    },
  );
});

it('after all malformed input the service is healthy', async () => {
  expect((await service.api('GET', '/ready')).status).toBe(200);
  expect(service.log()).not.toContain('unforeseen failure');
});
