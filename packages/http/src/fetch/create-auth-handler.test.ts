import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { unknownAddress } from './client-address.js';
import { createAuthHandler, type AuthHandler } from './create-auth-handler.js';

let kit: TestAuth;
let handler: AuthHandler;

beforeAll(async () => {
  kit = await createTestAuth({ settings: { AUTH_BASE_URL: 'http://localhost/identity' } });
  handler = createAuthHandler(kit.auth, { clientAddress: unknownAddress });
});

afterAll(() => kit.close());

const requestTo = (path: string): Request => new Request(`http://localhost${path}`);

describe('the paths of a handler below a path', () => {
  it.each(['/identity/health', '/identity/auth/login', '/identity/health?verbose=1'])(
    'matches %s',
    (path) => {
      expect(handler.matches(requestTo(path))).toBe(true);
    },
  );

  it.each(['/health', '/auth/login', '/identity', '/identityhealth', '/identity/nothing-here'])(
    'leaves %s to the host',
    (path) => {
      expect(handler.matches(requestTo(path))).toBe(false);
    },
  );

  it('a host that has removed the path gets the same response', async () => {
    expect((await handler(requestTo('/health'))).status).toBe(200);
    expect((await handler(requestTo('/identity/health'))).status).toBe(200);
  });
});
