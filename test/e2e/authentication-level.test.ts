import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

const MACHINE = { kind: 'machine', name: 'tests' } as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});
afterAll(() => service.stop());

const claimsOf = (accessToken = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

async function passkeyUser() {
  const user = await signedInUser(service);
  const authenticator = new SoftwareAuthenticator();
  expect((await registerPasskey(service, user, authenticator)).status).toBe(201);
  const { data } = await signInWithPasskey(service, authenticator);
  return { id: user.id, accessToken: data.accessToken, refreshToken: data.refreshToken };
}

const refreshed = async (refreshToken: string): Promise<Record<string, unknown>> => {
  const answer = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
  expect(answer.status, answer.text).toBe(200);
  return claimsOf(answer.data.accessToken);
};

/** Hands a session over to another client and returns the tokens of that. */
async function handedOff(userId: string, accessToken: string) {
  const companyId = randomUUID();
  await service.auth.memberships.upsertCompany(MACHINE, companyId, { userId });
  const caller = await service.auth.authenticator.authenticate(accessToken);
  const { code } = await service.auth.handoff.create(caller, companyId);
  return service.auth.handoff.exchange(code);
}

describe('the level of a sign-in', () => {
  it('a sign-in by password has one factor, also after a refresh', async () => {
    const { accessToken, refreshToken } = await service.signedIn();
    expect(claimsOf(accessToken)).toMatchObject({ amr: ['pwd'], acr: 'aal1' });
    expect(await refreshed(refreshToken)).toMatchObject({ amr: ['pwd'], acr: 'aal1' });
  });

  it('a sign-in by passkey has two factors, also after a refresh', async () => {
    const { accessToken, refreshToken } = await passkeyUser();
    const expected = { amr: ['hwk', 'user', 'mfa'], acr: 'aal2' };
    expect(claimsOf(accessToken)).toMatchObject(expected);
    expect(await service.auth.authenticator.authenticate(accessToken)).toMatchObject(expected);
    expect(await refreshed(refreshToken)).toMatchObject(expected);
  });

  it('a minted session has one factor', async () => {
    const { id } = await service.createUser();
    const { accessToken } = await service.auth.sessionMinting.mint(MACHINE, id);
    expect(claimsOf(accessToken)).toMatchObject({ amr: ['mca'], acr: 'aal1' });
  });

  it('a hand-off has the level of its parent: its one-time code is no factor', async () => {
    const one = await service.signedIn();
    const child = await handedOff(one.id, one.accessToken);
    expect(claimsOf(child.accessToken)).toMatchObject({ amr: ['pwd', 'otp'], acr: 'aal1' });
    expect(await refreshed(child.refreshToken)).toMatchObject({ acr: 'aal1' });
    const two = await passkeyUser();
    const strongChild = await handedOff(two.id, two.accessToken);
    expect(claimsOf(strongChild.accessToken)).toMatchObject({ acr: 'aal2' });
    const grandchild = await handedOff(two.id, strongChild.accessToken);
    expect(await refreshed(grandchild.refreshToken)).toMatchObject({ acr: 'aal2' });
  });

  it('a session of a version without levels has two factors only if it began with a passkey', async () => {
    const [byPassword, byPasskey] = [await service.signedIn(), await passkeyUser()];
    const older = await handedOff(byPassword.id, byPassword.accessToken);
    await service.sql('UPDATE sessions SET acr = NULL');
    expect(await refreshed(byPassword.refreshToken)).toMatchObject({ acr: 'aal1' });
    expect(await refreshed(older.refreshToken)).toMatchObject({ amr: ['pwd', 'otp'], acr: 'aal1' });
    expect(await refreshed(byPasskey.refreshToken)).toMatchObject({ acr: 'aal2' });
  });
});
