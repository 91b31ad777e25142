import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExternalIdentityView } from '@latchkey/core';
import { ExternalClient, externalEnv, googlePerson } from '../support/external-client.js';
import { HostileProvider, type Person } from '../support/hostile-provider.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';

let provider: HostileProvider;
let service: TestService;
let external: ExternalClient;
let operator: OperatorClient;

beforeAll(async () => {
  provider = await HostileProvider.start();
  service = await startTestService({ env: externalEnv(provider) });
  external = new ExternalClient(service, provider);
  // Its settings name no provider.
  operator = new OperatorClient(service);
});

afterAll(async () => {
  await service.stop();
  provider.stop();
});

async function linkedUser(...connections: string[]) {
  const { accessToken: token, ...user } = await service.signedIn();
  const people = connections.map(() => googlePerson());
  const ids: string[] = [];
  for (const [index, connection] of connections.entries())
    ids.push(await external.linked(connection, people[index] as Person, token));
  return { ...user, token, ids, people };
}

/** Leaves the user without a password, as one who has registered by another service. */
const withoutPassword = ({ id }: { id: string }) =>
  service.sql('UPDATE users SET password_hash = NULL WHERE id = $1', [id]);

describe('latchkey identities list', () => {
  it('shows what the user sees, without the names of connections that its settings do not have', async () => {
    const user = await linkedUser('google', 'plain');
    const own = await service.api('GET', '/auth/external/identities', { token: user.token });
    const listed = await operator.json<ExternalIdentityView[]>(['identities', 'list', user.email]);
    expect(own.items).toHaveLength(2);
    expect(listed).toEqual(own.items.map((each) => ({ ...each, label: null })));
    const { stdout } = await operator.run(['identities', 'list', user.id, '--quiet']);
    expect(stdout.trimEnd().split('\n')).toEqual(user.ids);
  });

  it('an unknown user exits with 3', async () => {
    const result = await operator.run(['identities', 'list', 'nobody-there@example.com']);
    expect(result).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('latchkey identities unlink', () => {
  it('needs confirmation, ends the sessions of the identity only, is audited and notifies the user', async () => {
    const user = await linkedUser('plain');
    const opened = await external.signIn('plain', user.people[0] as Person);
    expect(opened.status, opened.text).toBe(200);
    const args = ['identities', 'unlink', user.email];
    expect(await operator.run(args)).toMatchObject({ code: 2, stdout: '' });
    expect(await operator.json([...args, '--yes'])).toEqual({ status: 'ok', revoked: 1 });
    const meOf = async (token: unknown) =>
      (await service.api('GET', '/auth/me', { token: String(token) })).status;
    expect([await meOf(opened.data.accessToken), await meOf(user.token)]).toEqual([401, 200]);
    const unlinked = (await operator.auditOf(user.id)).filter(({ event }) => event !== 'login');
    const details = { identityId: user.ids[0], connectionId: 'plain' };
    expect(unlinked).toContainEqual({ event: 'external_identity_unlinked', actor: operator.actor, details });
    expect((await service.mailTo(user.email, 2)).text).toContain('plain');
    expect(await operator.run([...args, '--yes'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('the only way to sign in stays, whatever else is said', async () => {
    const user = await linkedUser('plain');
    await withoutPassword(user);
    const result = await operator.run(['identities', 'unlink', user.email, '--yes']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('Set a password first');
    expect(await operator.json(['identities', 'list', user.email])).toHaveLength(1);
  });

  it('an account at a service that is no longer configured is no other way to sign in', async () => {
    const user = await linkedUser('google', 'plain');
    await withoutPassword(user);
    const { EXTERNAL_PROVIDERS = '' } = externalEnv(provider);
    const onlyGoogle = (JSON.parse(EXTERNAL_PROVIDERS) as { id: string }[]).filter(
      ({ id }) => id === 'google',
    );
    const narrowed = new OperatorClient(service, { EXTERNAL_PROVIDERS: JSON.stringify(onlyGoogle) });
    const args = ['identities', 'unlink', user.email, '--yes', '--identity'];
    expect(await narrowed.run([...args, 'google'])).toMatchObject({ code: 1 });
    expect(await narrowed.json([...args, 'plain'])).toEqual({ status: 'ok', revoked: 0 });
  });

  it('of several accounts one must be named', async () => {
    const user = await linkedUser('google', 'plain');
    const args = ['identities', 'unlink', user.email, '--yes'];
    const { code, stderr } = await operator.run(args);
    expect(code).toBe(2);
    for (const text of [...user.ids, '--identity']) expect(stderr).toContain(text);
    await operator.json([...args, '--identity', String(user.ids[1]).slice(0, -3)]);
    const left = await operator.json<ExternalIdentityView[]>(['identities', 'list', user.email]);
    expect(left.map(({ connectionId }) => connectionId)).toEqual(['google']);
  });
});
