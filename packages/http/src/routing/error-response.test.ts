import { describe, expect, it } from 'vitest';
import { AuthError, ERROR_CODES, silentLogger, type Logger } from '@latchkey/core';
import { exchangeServer } from '../../../../test/support/exchange-server.js';
import { errorResponse, type ErrorContext } from './error-response.js';

interface LogEntry {
  level: string;
  details: object;
  message: string;
}

function recordingLogger(entries: LogEntry[]): Logger {
  const record = (level: string) => (details: object, message: string) =>
    void entries.push({ level, details, message });
  return { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') };
}

/** Returns the response to a request that ends in `thrown`. */
async function answerTo(thrown: unknown, context: Partial<ErrorContext> = {}): Promise<Response> {
  const url = await exchangeServer((exchange) =>
    errorResponse(exchange, thrown, { logger: silentLogger, ...context }),
  );
  return fetch(url, { headers: { 'x-request-id': 'request-1' } });
}

describe('the status of an error', () => {
  it.each([
    ['validation_error', 400],
    ['unauthorized', 401],
    ['session_revoked', 401],
    ['reauthentication_required', 401],
    ['forbidden', 403],
    ['pending_approval', 403],
    ['registration_rejected', 403],
    ['account_inactive', 403],
    ['registration_disabled', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['rate_limited', 429],
    ['not_implemented', 501],
    ['finance_db_not_configured', 503],
    ['service_unavailable', 503],
    ['not_ready', 503],
    ['internal_error', 500],
  ] as const)('the status of %s is %i', async (code, status) => {
    const answer = await answerTo(new AuthError(code, 'What people read.'));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ success: false, error: { code, message: 'What people read.' } });
  });

  it('the status of an error is defined for every error code', async () => {
    const statuses = await Promise.all(
      ERROR_CODES.map(async (code) => (await answerTo(new AuthError(code, 'x'))).status),
    );
    expect(statuses.every((status) => status >= 400)).toBe(true);
  });
});

describe('the headers of an error', () => {
  it('the headers of an error contain Retry-After', async () => {
    const answer = await answerTo(new AuthError('rate_limited', 'Slowly.', { retryAfterSeconds: 30 }));
    expect(answer.headers.get('retry-after')).toBe('30');
    expect((await answerTo(AuthError.unavailable('Away.'))).headers.get('retry-after')).toBe('1');
    expect((await answerTo(AuthError.notFound('It'))).headers.get('retry-after')).toBeNull();
  });

  it('the headers of an error challenge for a Bearer token at 401 only, and only where one is accepted', async () => {
    const challenge = async (thrown: unknown, challengesBearer: boolean) =>
      (await answerTo(thrown, { challengesBearer })).headers.get('www-authenticate');
    expect(await challenge(AuthError.unauthorized(), true)).toBe('Bearer');
    expect(await challenge(AuthError.unauthorized(), false)).toBeNull();
    expect(await challenge(AuthError.forbidden(), true)).toBeNull();
  });

  it('the headers of an error challenge for a newer sign-in as in RFC 9470, with its maximum age if known', async () => {
    const challenge = async (context: Partial<ErrorContext>) =>
      (await answerTo(new AuthError('reauthentication_required', 'Again.'), context)).headers.get(
        'www-authenticate',
      );
    const newer = 'Bearer error="insufficient_user_authentication"';
    expect(await challenge({ challengesBearer: true })).toBe(newer);
    expect(await challenge({ challengesBearer: true, maxAgeSeconds: 60 })).toBe(`${newer}, max_age=60`);
    expect(await challenge({ maxAgeSeconds: 60 })).toBeNull();
  });
});

describe('an unforeseen failure', () => {
  const inner = new Error('relation "users" does not exist at /srv/app/db.ts:1');

  it.each([
    inner,
    'a text',
    null,
    undefined,
    { status: 418 },
    Object.assign(new Error('x'), { status: 502 }),
  ])('%#: an unforeseen failure is an internal error that discloses no internals', async (thrown) => {
    const answer = await answerTo(thrown);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      success: false,
      error: { code: 'internal_error', message: 'Something went wrong on our side.' },
    });
  });

  it('an unforeseen failure is logged with the request id', async () => {
    const entries: LogEntry[] = [];
    await answerTo(inner, { logger: recordingLogger(entries) });
    expect(entries).toEqual([
      { level: 'error', details: { err: inner, requestId: 'request-1' }, message: 'unforeseen failure' },
    ]);
  });

  it('the cause of an unavailable dependency is logged, not returned', async () => {
    const entries: LogEntry[] = [];
    const answer = await answerTo(AuthError.unavailable('The database is unavailable.', inner), {
      logger: recordingLogger(entries),
    });
    expect(await answer.text()).not.toContain('relation');
    expect(entries).toMatchObject([{ level: 'warn', details: { err: inner } }]);
  });

  it('a client error is not logged', async () => {
    const entries: LogEntry[] = [];
    await answerTo(AuthError.validation('email: is required'), { logger: recordingLogger(entries) });
    expect(entries).toEqual([]);
  });
});

describe('an error of the body parser', () => {
  const fault = (status: number, type: string) => Object.assign(new Error('parser detail'), { status, type });

  it.each([
    [fault(413, 'entity.too.large'), 413, 'The body is larger than 100 KiB.'],
    [fault(400, 'entity.parse.failed'), 400, 'The body is not valid JSON.'],
    [fault(415, 'encoding.unsupported'), 400, 'Content-Encoding is not supported. Send the body without it.'],
    [fault(415, 'charset.unsupported'), 400, 'The body must be UTF-8.'],
    [fault(403, 'entity.verify.failed'), 400, 'The body must be UTF-8.'],
    [fault(400, 'something.new'), 400, 'The request is malformed.'],
  ])(
    '%#: an error of the body parser becomes a validation error with our own message',
    async (thrown, status, message) => {
      const answer = await answerTo(thrown);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({ success: false, error: { code: 'validation_error', message } });
    },
  );
});
