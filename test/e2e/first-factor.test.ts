import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthenticatorApp, challengeOf, enrol } from '../support/authenticator-app.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { PASSKEY_ENV, registerPasskey } from '../support/passkey-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor, signInOf } from '../support/step-up-client.js';
import type { TestUser } from '../support/test-users.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});
afterAll(() => service.stop());

const me = (token: string) => service.api('GET', '/auth/me', { token });

const WAYS: Record<string, (user: TestUser, token: string) => Promise<unknown>> = {
  'an app': (_user, token) => enrol(service, token),
  'a passkey': (user, token) => registerPasskey(service, { ...user, token }, new SoftwareAuthenticator()),
};

describe('the first second factor of a user', () => {
  it.each(Object.keys(WAYS))('%s ends the other sessions with one factor, and not its own', async (way) => {
    const user = await service.createUser();
    const [own, thief, strong] = [
      await service.signIn(user),
      await service.signIn(user),
      await service.signIn(user),
    ];
    // A session from a time when the user had a factor.
    const { token } = await provedByFactor(service, { ...strong, token: strong.accessToken });
    await WAYS[way]?.(user, own.accessToken);
    expect((await me(own.accessToken)).status).toBe(200);
    expect((await me(token)).status).toBe(200);
    expect(await me(thief.accessToken)).toMatchObject({ status: 401, code: 'session_revoked' });
    const refreshed = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: thief.refreshToken },
    });
    expect(refreshed).toMatchObject({ status: 401, code: 'session_revoked' });
    const feed = await service.sql('SELECT 1 FROM revocations WHERE session_id = $1', [
      signInOf(thief.accessToken).sid,
    ]);
    expect(feed).toHaveLength(1);
    const audited = await service.sql(
      `SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'session_revoked'`,
      [user.id],
    );
    expect(audited).toEqual([{ details: { reason: 'factor_added', revoked: 1 } }]);
  });

  it('one that is set up at the sign-in ends the others, too', async () => {
    const all = await serviceForThisTest({ env: { SECOND_FACTOR: 'all' } });
    const user = await all.createUser();
    const minted = await all.machine('POST', `/internal/admin/users/${user.id}/sessions`);
    const { challenge } = await challengeOf(all, user);
    const begun = await all.api('POST', '/auth/login/second-factor/enrol', { body: { challenge } });
    const { id = '', secret = '' } = begun.data as unknown as Record<string, string>;
    const body = { challenge, id, code: new AuthenticatorApp(secret).next() };
    const { data } = await all.api('POST', '/auth/login/second-factor/enrol/confirm', { body });
    expect((await all.api('GET', '/auth/me', { token: data.accessToken })).status).toBe(200);
    const other = await all.api('GET', '/auth/me', { token: minted.data.accessToken });
    expect(other).toMatchObject({ status: 401, code: 'session_revoked' });
  });

  it('a second one ends no session', async () => {
    const user = await service.signedIn();
    const { token } = await provedByFactor(service, { ...user, token: user.accessToken });
    await enrol(service, token);
    const minted = await service.machine('POST', `/internal/admin/users/${user.id}/sessions`);
    await registerPasskey(service, { ...user, token }, new SoftwareAuthenticator());
    expect((await me(minted.data.accessToken)).status).toBe(200);
  });

  it('a pending change of the address ends that another session requested', async () => {
    const changes = new EmailChangeClient(service);
    const user = await service.createUser();
    const [own, thief] = [await service.signIn(user), await service.signIn(user)];
    const { token } = await changes.requested(thief.accessToken);
    await enrol(service, own.accessToken);
    expect(await changes.confirm(token)).toMatchObject({ status: 400, code: 'validation_error' });
    const other = await service.signedIn();
    const mine = await changes.requested(other.accessToken);
    await enrol(service, other.accessToken);
    expect((await changes.confirm(mine.token)).status).toBe(200);
  });
});
