import { describe, expect, it } from 'vitest';
import type { Answer } from './api-client.js';
import { assertResponse } from './assert-response.js';
import { startTestService } from './service.js';

describe('the test service', () => {
  it('serves users made by fixtures and is gone after its test', async () => {
    const service = await startTestService();
    const user = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const me = await service.api('GET', '/auth/me', { token: user.accessToken });
    expect(me.data).toMatchObject({ id: user.id, globalRole: 'PLATFORM_ADMIN' });
    await service.stop();
    await expect(service.api('GET', '/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('does not stop quietly when a secret was logged', async () => {
    const service = await startTestService();
    const { accessToken } = await service.signedIn();
    service.auth.logger.info({ headers: { authorization: `Bearer ${accessToken}` } }, 'a careless line');
    await expect(service.stop()).rejects.toThrow('was logged');
  });
});

describe('an answer is unsound', () => {
  const sound = async (): Promise<Answer> => {
    const service = await startTestService();
    try {
      return await service.api('GET', '/nope');
    } finally {
      await service.stop();
    }
  };
  const failure = { success: false, error: { code: 'internal_error', message: 'Something went wrong.' } };

  it('when it is late, unforeseen, outside the envelope, without a guarding header or names what serves it', async () => {
    const answer = await sound();
    const { 'x-request-id': _, ...headers } = answer.headers;
    const unsound: Partial<Answer>[] = [
      { milliseconds: 600_000 },
      { status: 500, code: 'internal_error', body: failure },
      { status: 403 },
      { body: { error: 'Not Found' } },
      { body: { ...(answer.body as object), stack: 'at …' } },
      { headers },
      { headers: { ...answer.headers, 'x-powered-by': 'Express' } },
      { headers: { ...answer.headers, 'content-type': 'text/html' } },
      { text: '$argon2id$v=19' },
    ];
    expect(() => assertResponse(answer, 'GET /nope')).not.toThrow();
    for (const change of unsound) {
      expect(() => assertResponse({ ...answer, ...change }, 'GET /nope')).toThrow();
    }
  });
});
