import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import { KEEPS_HEADERS_APART, ON_NEXT, ON_THE_SERVER } from '../support/binding.js';
import { startHostApp } from '../support/host-app.js';
import { allowedSince } from '../support/machine-lag.js';
import { exchangeBytes } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

const TOO_MANY_HEADERS = expect.stringContaining('header: too many headers') as string;

/** Returns the answer of an app that mounts the router, and the number of requests that Node passed on to it. */
async function answerOfHost(bytes: string) {
  let reached = 0;
  const host = await startHostApp((app) => {
    app.use((_request, _response, next) => {
      reached += 1;
      next();
    });
    app.use(createAuthRouter(service.auth));
  });
  onTestFinished(host.stop);
  const { status, body } = await exchangeBytes(host.url, bytes);
  return { status, body, reached };
}

/** Asks a server without any code of ours: newer versions of Node refuse what older ones truncate silently. */
async function isRefusedByNode(bytes: string): Promise<boolean> {
  const bare = await startHostApp((app) => app.use((_request, response) => response.end()));
  onTestFinished(bare.stop);
  const { status } = await exchangeBytes(bare.url, bytes);
  expect([200, 431]).toContain(status);
  return status === 431;
}

describe('the host of a request', () => {
  const statusOf = async (...hosts: readonly string[]) => {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
    const { status } = await exchangeBytes(
      service.url,
      `GET /health HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`,
    );
    return status;
  };

  it
    .runIf(ON_THE_SERVER)
    .each(['example.com', 'example.com:3097', '[::1]:3097', '127.0.0.1', 'my_host', 'a:65535', ''])(
    'the host %j is accepted',
    async (host) => {
      expect(await statusOf(host)).toBe(200);
    },
  );

  it
    .runIf(ON_THE_SERVER)
    .each([
      '<script>',
      'a b',
      'a@b',
      'http://example.com',
      'example.com:x',
      'a,b',
      '[::1',
      'a/b',
      'a:65536',
      'a:99999',
    ])('the host %j is rejected', async (host) => {
    expect(await statusOf(host)).toBe(400);
  });

  it.runIf(ON_THE_SERVER)('two hosts are rejected, also equal ones', async () => {
    expect(await statusOf('example.com', 'example.com')).toBe(400);
    expect(await statusOf('example.com', 'evil.example')).toBe(400);
  });
});

describe('a request that breaks HTTP itself', () => {
  const post = (headers: string, body: string) =>
    `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
  const refusal = async (bytes: string, end = true) => {
    const answer = await exchangeBytes(service.url, Buffer.from(bytes, 'latin1'), { end });
    expect(answer.head).toMatch(/content-type: application\/json; charset=utf-8/i);
    const content = JSON.parse(answer.body) as { success: boolean; error: { code: string; message: string } };
    expect(content).toEqual({
      success: false,
      error: { code: expect.any(String) as string, message: expect.any(String) as string },
    });
    return [answer.status, content.error.code];
  };

  it.runIf(ON_THE_SERVER).each([
    ['a body shorter than its length', post('Content-Length: 100', '{"a"')],
    ['a body longer than its length', post('Content-Length: 2', '{}and more\r\n\r\n')],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', '{}')],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
    ['a negative length', post('Content-Length: -1', '{}')],
    ['a length that is no number', post('Content-Length: two', '{}')],
    ['a chunk that is none', post('Transfer-Encoding: chunked', 'zz\r\n{}')],
    ['an unknown encoding', post('Transfer-Encoding: cow', '{}')],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['a NUL in the path', 'GET /he\0alth HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
    ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a folded header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n'],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('a request with %s is refused in the envelope', async (_what, bytes) => {
    expect(await refusal(bytes)).toEqual([400, 'validation_error']);
  });

  it.runIf(ON_THE_SERVER)(
    'a request with headers of more than 16 KiB is refused in the envelope',
    async () => {
      const bytes = `GET /health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`;
      expect(await refusal(bytes)).toEqual([431, 'validation_error']);
    },
  );

  it.skipIf(ON_NEXT)(
    'a request with a body that is announced too large is refused before the body arrives',
    async () => {
      const bytes = post('Content-Length: 99999999999\r\nConnection: close', '{');
      expect(await refusal(bytes, false)).toEqual([413, 'validation_error']);
    },
  );

  it.skipIf(ON_NEXT)(
    'a request whose body stops arriving is refused within five seconds, as the fault of the client',
    async () => {
      const start = performance.now();
      expect(await refusal(post('Content-Length: 100', '{"email"'), false)).toEqual([
        400,
        'validation_error',
      ]);
      expect(performance.now() - start).toBeLessThan(allowedSince(start, 5_000));
    },
  );

  it.runIf(KEEPS_HEADERS_APART).each([
    ['Authorization: Bearer x', '/auth/me'],
    ['X-Internal-API-Key: x', '/internal/admin/users'],
    ['X-Service-Token: x', '/internal/admin/users'],
  ])('a request that hides a second %s behind a thousand empty headers is refused', async (header, path) => {
    const filler = 'a:\r\n'.repeat(1_100);
    const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n${filler}${header}\r\n\r\n`;
    const refused = await exchangeBytes(service.url, bytes);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('more than once');
    const ofHost = await answerOfHost(bytes);
    if (await isRefusedByNode(bytes)) expect(ofHost).toEqual({ status: 431, body: '', reached: 0 });
    else expect(ofHost).toEqual({ status: 400, body: TOO_MANY_HEADERS, reached: 1 });
  });

  it.runIf(ON_THE_SERVER)('a request with an unknown expectation is served', async () => {
    const bytes = 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n';
    expect((await exchangeBytes(service.url, bytes)).status).toBe(200);
  });
});

describe.runIf(ON_THE_SERVER)('malformed data on one connection', () => {
  const signIn = ({ email, password }: { email: string; password: string }): string => {
    const body = JSON.stringify({ email, password });
    const head = `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    return `${head}\r\n\r\n${body}`;
  };

  it.each([
    ['bytes that are no HTTP', 'GARBAGE\r\n\r\n'],
    ['a request without a host', 'GET /health HTTP/1.1\r\n\r\n'],
  ])('%s behind a sign-in do not replace its response, which comes first', async (_what, bytes) => {
    const user = await service.createUser();
    const answer = await exchangeBytes(service.url, signIn(user) + bytes);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"accessToken"');
    expect(answer.body.indexOf('HTTP/1.1 400')).not.toBe(0);
  });

  it('bytes that are no HTTP behind two requests wait for both answers, and the connection ends', async () => {
    const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await exchangeBytes(
      service.url,
      `${signIn(await service.createUser())}${health}GARBAGE\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(answer.body.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(answer.body).toContain('"accessToken"');
    expect(answer.body).toContain('"status":"ok"');
  });

  it('a broken body behind a sign-in waits for its answer as well', async () => {
    const broken = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n';
    const answer = await exchangeBytes(service.url, signIn(await service.createUser()) + broken);
    expect([answer.status, answer.body.includes('"accessToken"')]).toEqual([200, true]);
  });
});
