import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { hash } from 'argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_EVENTS, type AuthEvent } from '@latchkey/core';
import { newServiceSecret } from '@latchkey/operations';
import { newApiKeyText } from '../../packages/core/src/api-key-records/api-key-text.js';
import { actingCode } from '../support/acting.js';
import type { AnswerData } from '../support/api-client.js';
import { ApiKeyClient } from '../support/api-key-client.js';
import { answerChallenge, challengeOf, enrolledUser } from '../support/authenticator-app.js';
import { DeletionClient } from '../support/deletion-client.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { ExternalClient, externalEnv, googlePerson } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { InvitationClient } from '../support/invitation-client.js';
import { MailedSignInClient } from '../support/mailed-sign-in-client.js';
import { asSignedInByPassword, mintTokens, signedInUser } from '../support/minted-token.js';
import { OFFERED_ENV } from '../support/offered-env.js';
import { registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { PictureClient } from '../support/picture-client.js';
import { PICTURES } from '../support/pictures.js';
import { registerWithLink } from '../support/registration-client.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';
import { TestCompany } from '../support/test-company.js';
import { TrustedBrowser } from '../support/trusted-browser.js';
import { waitUntil } from '../support/wait-until.js';

const CLIENT = { ...newServiceSecret(), id: 'billing' };

/** What operators' tools write, a service writes never. */
const OF_OPERATORS: readonly string[] = ['cleanup', 'users_exported', 'users_imported'];
const OF_SERVICES = AUDIT_EVENTS.filter((event) => !OF_OPERATORS.includes(event));

let service: TestService;
let provider: HostileProvider;
/** Events that a listener received since the service started. */
const heard: AuthEvent[] = [];

beforeAll(async () => {
  provider = await HostileProvider.start();
  const clients = [
    { id: CLIENT.id, secretHashes: [`sha256:${CLIENT.hash}`], audiences: ['latchkey'], scopes: [] },
  ];
  const env = {
    ...OFFERED_ENV,
    EXTERNAL_PROVIDERS: externalEnv(provider).EXTERNAL_PROVIDERS ?? '',
    SERVICE_CLIENTS: JSON.stringify(clients),
    REGISTRATION_APPROVAL: 'verified',
  };
  service = await startTestService({ env });
  service.auth.on('*', (event) => void heard.push(event));
});
afterAll(async () => {
  await service.stop();
  provider.stop();
});

const post = (path: string, body?: unknown, token?: string) => service.api('POST', path, { body, token });

/** Returns all rows, in the shape and the order in which listeners receive them. */
const rows = () =>
  service.sql(
    `SELECT id, event, outcome, actor, actor_user_id AS "actorUserId", subject_user_id AS "subjectUserId",
       company_id AS "companyId", session_id AS "sessionId", ip_address AS "ipAddress", user_agent AS "userAgent",
       request_id AS "requestId", details, acted_by_user_id AS "actedByUserId", acted_by_name AS "actedByName"
     FROM auth_audit_logs`,
  );

const byId = <T extends { id?: unknown }>(entries: T[]): T[] =>
  entries.toSorted((a, b) => String(a.id).localeCompare(String(b.id)));

async function peopleSignInAndOut(): Promise<void> {
  const registered = { email: 'events@example.com', password: 'a fine long password', fullName: 'Ada' };
  await post('/auth/register', registered);
  const { token: proof } = await service.mailTo(registered.email);
  await post('/auth/email/verify', { token: proof, password: registered.password });
  const { email: disputed, rejection } = await registerWithLink(service);
  await post('/auth/email/verify/resend', { email: disputed });
  await post('/auth/email/verify/reject', { token: rejection });
  await post('/auth/login', registered);
  const user = await service.createUser();
  const other = await hash(user.password, { memoryCost: 19_456, timeCost: 3, parallelism: 1 });
  await service.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, other]);
  await post('/auth/login', { ...user, password: 'wrong' });
  const { refreshToken } = await service.signIn(user);
  await post('/auth/logout', { refreshToken });
  await post('/auth/logout', { refreshToken });
  const { token, refreshToken: spent } = await signedInUser(service);
  await post('/auth/logout-others', undefined, token);
  await service.api('PATCH', '/auth/me', { token, body: { fullName: 'Grace' } });
  await new PictureClient(service).kept(token, PICTURES.lossless);
  await new PictureClient(service).remove(token);
  await post('/auth/refresh', { refreshToken: spent });
  await sleep(100);
  await post('/auth/refresh', { refreshToken: spent });
  const moving = await service.signedIn();
  const changes = new EmailChangeClient(service);
  await changes.undo((await changes.changed(moving)).undo);
  await new MailedSignInClient(service).userWithMail();
  const leaving = await signedInUser(service);
  await post('/auth/logout-all', undefined, leaving.token);
}

async function peopleChangeTheirKeys(): Promise<void> {
  const owner = await provedByFactor(service, await signedInUser(service));
  const authenticator = new SoftwareAuthenticator();
  const { data } = await registerPasskey(service, owner, authenticator);
  await signInWithPasskey(service, authenticator);
  const path = `/auth/passkeys/${data.id}`;
  await service.api('PATCH', path, { token: owner.token, body: { name: 'Work laptop' } });
  await post('/auth/login', { email: owner.email, password: owner.password });
  await service.api('DELETE', path, { token: owner.token });
  const body = { currentPassword: owner.password, newPassword: 'another fine long password' };
  await post('/auth/step-up', { password: owner.password }, owner.token);
  await post('/auth/password/change', { ...body, currentPassword: 'a wrong password' }, owner.token);
  await post('/auth/password/change', body, owner.token);
  const invitations = new ResetClient(service);
  const forgetful = await invitations.userWithToken();
  await invitations.confirm(forgetful.token);
}

async function peopleChangeTheirFactors(): Promise<void> {
  const user = await enrolledUser(service);
  const { challenge } = await challengeOf(service, user);
  const [recoveryCode = ''] = user.recoveryCodes;
  const { data } = await answerChallenge(service, { challenge, recoveryCode });
  const { accessToken: token } = data;
  await post('/auth/factors/recovery-codes', undefined, token);
  const { data: begun } = await post('/auth/factors/totp', {}, token);
  await post(`/auth/factors/totp/${begun.id}/confirm`, { code: '000000' }, token);
  await service.api('DELETE', `/auth/factors/${user.factorId}`, { token });
  await service.api('GET', '/auth/me/export', { token });
  await service.machine('DELETE', `/internal/admin/users/${user.id}/factors`, { body: { reason: 'lost' } });
  const { browser } = await TrustedBrowser.ofTrustingUser(service);
  await browser.api('DELETE', '/auth/trusted-devices');
  // Of a user who did nothing: an erasure takes the address out of the rows of what its user did.
  const { id } = await service.createUser();
  await service.machine('DELETE', `/internal/admin/users/${id}/personal-data`, {
    body: { reason: 'request' },
  });
}

async function staffChangesUsers(): Promise<void> {
  const { token, id } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
  const created = await post('/internal/users', { email: 'by-staff@example.com' }, token);
  const patch = (userId: string, body: object) =>
    service.api('PATCH', `/internal/users/${userId}`, { token, body });
  for (const body of [
    { fullName: 'Grace' },
    { globalRole: 'PLATFORM_ADMIN' },
    { isActive: false },
    { isActive: true },
  ]) {
    await patch(created.data.id, body);
  }
  const pending = { approval: 'PENDING' } as const;
  await patch((await service.createUser(pending)).id, { approvalStatus: 'APPROVED', isActive: true });
  await patch((await service.createUser(pending)).id, { approvalStatus: 'REJECTED' });
  const { sessionId } = (
    await service.api('GET', '/auth/me', { token: (await mintTokens(service, id)).token })
  ).data;
  await post(`/internal/sessions/${String(sessionId)}/revoke`, undefined, token);
  await post(`/internal/users/${created.data.id}/revoke-all`, undefined, token);
  const plainUser = await signedInUser(service);
  await service.api('GET', '/internal/users', { token: plainUser.token });
  await service.api('GET', '/internal/admin/users', { headers: { 'x-internal-api-key': 'wrong' } });
}

async function companiesChange(): Promise<void> {
  const company = new TestCompany(service);
  const actor = await company.member({ role: 'ADMIN' });
  const member = await company.member({ unit: company.unit });
  const joining = await service.createUser();
  for (const role of ['MEMBER', 'ADMIN']) await company.upsert({ userId: joining.id, role });
  await company.machine('POST', `/business-units/${company.unit}/memberships`, { userId: joining.id });
  const financial = { financeRole: 'APPROVER', approvalLimit: '10.00' };
  const by = { 'x-actor-user-id': actor.id };
  await company.machine('PATCH', `/finance-memberships/${member.id}`, financial, by);
  const invitations = await InvitationClient.open(service);
  const { id, email } = await invitations.invite();
  await invitations.resend(id);
  await invitations.accept({
    token: (await service.mailTo(email, 2)).token,
    password: 'a fine long password',
  });
  await invitations.cancel((await invitations.invite()).id);
  const { data } = await service.api('POST', '/auth/handoff/create', invitations.as());
  for (let turn = 0; turn < 2; turn++) await post('/auth/handoff/exchange', { code: data.code });
}

/** People link and unlink an account elsewhere, and reclaim one that was registered with their address. */
async function peopleSignInElsewhere(): Promise<void> {
  const external = new ExternalClient(service, provider);
  const user = await service.signedIn();
  const identityId = await external.linked('plain', { sub: randomUUID() }, user.accessToken);
  await service.api('DELETE', `/auth/external/identities/${identityId}`, { token: user.accessToken });
  await external.signIn('plain', { sub: randomUUID(), email: user.email });
  const registered = await service.createUser({ email: `${randomUUID()}@gmail.com`, emailVerified: false });
  await external.signIn('google', googlePerson(registered.email));
  await external.finish({ state: 'lks_unknown', code: 'x', verifier: 'v'.repeat(43) });
}

async function peopleDeleteTheirAccount(): Promise<void> {
  const deletions = new DeletionClient(service);
  const user = await service.signedIn();
  await deletions.requested(user);
  await deletions.sendLink(user.email);
  await deletions.undo(await deletions.tokenTo(user.email, 2));
}

/** A member of staff acts for a user, and tries the code twice. */
async function staffActForAUser(): Promise<void> {
  const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
  const { data } = await actingCode(service, staff.token, (await service.createUser()).id);
  for (let turn = 0; turn < 2; turn++) await post('/auth/acting/exchange', { code: data.code });
}

async function machinesWork(): Promise<void> {
  const { id: clientId, secret: clientSecret } = CLIENT;
  await post('/auth/service-token', { clientId, clientSecret });
  await post('/auth/service-token', { clientId, clientSecret: 'wrong' });
  const [mail] = await service.sql(
    `INSERT INTO mail_outbox (id, kind, recipient, payload, status)
     VALUES ($1, 'pending_registration', 'x@example.com', '{}', 'DEAD') RETURNING id`,
    [randomUUID()],
  );
  const actor = { kind: 'operator', name: 'host' } as const;
  await service.auth.admin.mail.retry(actor, [String(mail?.id)]);
  await service.sql(
    `UPDATE sessions SET created_at = now() - interval '3 years', expires_at = now() - interval '2 years'`,
  );
}

async function programsGetKeys(): Promise<void> {
  const keys = new ApiKeyClient(service);
  const { token } = asSignedInByPassword(await signedInUser(service));
  const { id } = await keys.made(token);
  await service.api('PATCH', `/auth/api-keys/${id}`, { token, body: { name: 'Renamed' } });
  await post(`/auth/api-keys/${id}/rotate`, {}, token);
  await service.api('DELETE', `/auth/api-keys/${id}`, { token });
  await keys.with(newApiKeyText(), 'GET', '/auth/api-key');
}

async function companiesDefineRoles(): Promise<void> {
  const company = new TestCompany(service);
  const { token } = asSignedInByPassword(await company.member());
  await service.api('DELETE', `/auth/me/memberships/${company.id}`, { token });
  const role = { name: 'Accountant', modules: ['crm'], permissions: [] };
  for (const modules of [['crm'], ['stock']])
    await company.machine('PUT', '/roles/ACCOUNTANT', { ...role, modules });
  await company.machine('DELETE', '/roles/ACCOUNTANT', {});
}

/** The receiver is gone: an attempt disables the webhook. */
async function receiversAreGone(): Promise<void> {
  let isGone = true;
  const receiver = createServer((_request, response) => response.writeHead(isGone ? 410 : 204).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const webhooks = (method: string, path: string, body?: object) =>
    service.machine(method, `/internal/admin/webhooks${path}`, { body });
  const created = await webhooks('POST', '', { url, events: ['user.erased'] });
  const { id } = created.data.webhook as AnswerData;
  await webhooks('PATCH', `/${id}`, { description: 'CRM' });
  await webhooks('POST', `/${id}/rotate-secret`, {});
  await webhooks('POST', `/${id}/replay`, { from: new Date(Date.now() - 1000).toISOString() });
  await webhooks('POST', `/${id}/test`, {});
  await waitUntil(() => heard.some(({ event }) => event === 'webhook_disabled'), {
    what: 'the end of a webhook',
  });
  // Another message that waits must not disable it again before the retry.
  isGone = false;
  await webhooks('PATCH', `/${id}`, { isActive: true });
  const [delivery] = await service.sql('SELECT id FROM webhook_deliveries WHERE endpoint_id = $1', [id]);
  await webhooks('POST', `/${id}/deliveries/${String(delivery?.id)}/retry`, {});
  await webhooks('DELETE', `/${id}`);
  await new Promise((resolve) => receiver.close(resolve));
}

describe('events that listeners receive', () => {
  it('listeners receive every row that the service writes, exactly once and as it was written, whatever wrote it', async () => {
    await peopleSignInAndOut();
    await peopleChangeTheirKeys();
    await peopleChangeTheirFactors();
    await staffChangesUsers();
    await companiesChange();
    await programsGetKeys();
    await companiesDefineRoles();
    await receiversAreGone();
    await peopleSignInElsewhere();
    await peopleDeleteTheirAccount();
    await staffActForAUser();
    await machinesWork();
    await nextTurn();
    expect([...new Set(heard.map(({ event }) => event))].sort()).toEqual(OF_SERVICES.toSorted());
    expect(byId(heard)).toEqual(byId(await rows()));
  });

  it('listeners receive nothing of a transaction that is rolled back', async () => {
    const before = heard.length;
    const user = await signedInUser(service);
    await service.sql(`CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await service.sql(`CREATE CONSTRAINT TRIGGER refuse_all AFTER INSERT ON auth_audit_logs
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_all()`);
    const { email, password, token, refreshToken } = user;
    const refused = await Promise.all([
      service.client.send('PATCH', '/auth/me', { token, body: { fullName: 'Grace' } }),
      service.client.send('POST', '/auth/logout-all', { token }),
      service.client.send('POST', '/auth/logout', { body: { refreshToken } }),
      service.client.send('POST', '/auth/login', { body: { email, password } }),
    ]);
    await service.sql('DROP TRIGGER refuse_all ON auth_audit_logs');
    await nextTurn();
    expect(refused.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    expect(heard.slice(before).map(({ event }) => event)).toEqual(['session_minted']);
  });

  it('listeners receive parallel sign-ins, each once, and those of one user in the order of the answers', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => service.createUser()));
    const before = heard.length;
    const inOrder = async (user: (typeof users)[number]): Promise<string[]> => {
      const ids: string[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const requestId = `${user.id}-${turn}`;
        const { email, password } = user;
        await service.api('POST', '/auth/login', {
          body: { email, password },
          headers: { 'x-request-id': requestId },
        });
        ids.push(requestId);
      }
      return ids;
    };
    const answered = await Promise.all(users.map(inOrder));
    await nextTurn();
    const received = heard.slice(before);
    expect(received).toHaveLength(12);
    for (const [index, user] of users.entries()) {
      const ofUser = received.filter(({ subjectUserId }) => subjectUserId === user.id);
      expect(ofUser.map(({ requestId }) => requestId)).toEqual(answered[index]);
    }
  });
});

describe('a listener', () => {
  it('a listener that fails or never ends changes no answer, and its failure is logged', async () => {
    const own = await serviceForThisTest();
    const user = await own.createUser();
    const later: AuthEvent[] = [];
    own.auth.on('login', () => {
      throw new Error('thrown by a listener');
    });
    own.auth.on('login', () => Promise.reject(new Error('rejected by a listener')));
    let release = (): void => undefined;
    own.auth.on('login', () => new Promise<void>((resolve) => (release = resolve)));
    own.auth.on('login', (event) => void later.push(event));
    const { sessionId } = (await own.api('GET', '/auth/me', { token: (await own.signIn(user)).accessToken }))
      .data;
    await nextTurn();
    expect(later).toMatchObject([{ event: 'login', sessionId, subjectUserId: user.id }]);
    // Closing would wait for it.
    release();
    for (const how of ['thrown', 'rejected']) expect(own.log()).toContain(`${how} by a listener`);
  });

  it('a listener can use the service, and closing the service waits for it', async () => {
    const own = await startTestService();
    const { id } = await own.createUser();
    const found: unknown[] = [];
    own.auth.on('session_minted', async ({ subjectUserId }) => {
      await nextTurn();
      found.push((await own.auth.admin.users.get(subjectUserId ?? '')).id);
    });
    await mintTokens(own, id);
    await own.stop();
    expect(found).toEqual([id]);
  });
});
