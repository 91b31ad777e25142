import { expect, it } from 'vitest';
import { expectWithin } from '../support/assert-response.js';
import { signedInUser } from '../support/minted-token.js';
import {
  PASSKEY_ENV,
  passkeysOf,
  registerPasskey,
  registrationOptions,
  SIGN_IN_REFUSED,
  signInOptions,
  signInWithPasskey,
  verifyRegistration,
  verifySignIn,
} from '../support/passkey-client.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { serviceForThisTest } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';
import { waitUntil } from '../support/wait-until.js';

const AWAY = { status: 503, code: 'service_unavailable' };

async function serviceWithPasskey(env: Record<string, string> = {}) {
  const service = await serviceForThisTest({ redis: true, env: { ...PASSKEY_ENV, ...env } });
  const user = await provedByFactor(service, await signedInUser(service));
  const authenticator = new SoftwareAuthenticator();
  const answer = await registerPasskey(service, user, authenticator);
  expect(answer.status, answer.text).toBe(201);
  return { service, user, authenticator, passkeyId: answer.data.id };
}

describeWithRedis('passkeys without Redis', () => {
  it('without Redis passkeys create no session and are not added, while passwords sign in and passkeys are managed', async () => {
    const { service, user, authenticator, passkeyId } = await serviceWithPasskey();
    const { token, email, password } = user;
    const assertion = await authenticator.authenticate(await signInOptions(service));
    const attestation = await new SoftwareAuthenticator().register(await registrationOptions(service, user));
    service.redis?.kill();

    const body = { currentPassword: password };
    const path = '/auth/passkeys/register/options';
    expect(await service.api('POST', '/auth/passkeys/login/options', { body: {} })).toMatchObject(AWAY);
    expect(await verifySignIn(service, assertion)).toMatchObject(AWAY);
    expect(await service.api('POST', path, { token, body })).toMatchObject(AWAY);
    expect(await verifyRegistration(service, user, attestation)).toMatchObject(AWAY);

    const signedIn = await service.api('POST', '/auth/login', { body: { email, password } });
    expect(signedIn.status).toBe(200);
    expect(await passkeysOf(service, user)).toEqual([passkeyId]);
    const one = `/auth/passkeys/${passkeyId}`;
    expect((await service.api('PATCH', one, { token, body: { name: 'Key ring' } })).status).toBe(200);
    // A passkey cannot be proved now; its owner has signed in with it lately.
    expect((await service.api('DELETE', one, { token })).status).toBe(200);
    const { data } = await service.machine('GET', '/internal/admin/passkey-metrics');
    expect(data.operations).toMatchObject({
      loginVerify: { success: 0, failure: 1, statuses: { '503': 1 } },
      remove: { success: 1 },
    });
  });

  it('passkeys are unavailable while Redis hangs, and work again with it', async () => {
    const { service, authenticator } = await serviceWithPasskey();
    service.redis?.pause();
    const answer = await service.api('POST', '/auth/passkeys/login/options', { body: {} });
    expect(answer).toMatchObject(AWAY);
    expectWithin(5_000, answer);
    service.redis?.resume();
    await waitUntil(async () => (await service.api('GET', '/ready')).status === 200, {
      what: 'the service to be ready',
    });
    expect((await signInWithPasskey(service, authenticator)).status).toBe(200);
  });

  it('running ceremonies are lost when Redis is replaced, and new ones work', async () => {
    const { service, authenticator } = await serviceWithPasskey();
    const options = await signInOptions(service);
    service.redis?.kill();
    const again = await startRedis([], service.redis?.port);
    await waitUntil(async () => (await service.api('GET', '/ready')).status === 200, {
      what: 'the service to be ready',
    });
    expect(await verifySignIn(service, await authenticator.authenticate(options))).toMatchObject(
      SIGN_IN_REFUSED,
    );
    expect((await signInWithPasskey(service, authenticator)).status).toBe(200);
    await again.stop();
  });
});
