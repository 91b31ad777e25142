import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PersonalData } from '@latchkey/core';
import { enrolledUser } from '../support/authenticator-app.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey } from '../support/passkey-client.js';
import { calledFrom } from '../support/person-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { agedSession, stepUp } from '../support/step-up-client.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { ...PASSKEY_ENV, TRUST_PROXY: '1' } });
});
afterAll(() => service.stop());

const exported = async (token: string, on: TestService = service): Promise<PersonalData> => {
  const answer = await on.api('GET', '/auth/me/export', { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.data as unknown as PersonalData;
};

const DEVICE = { ipAddress: '203.0.113.7', userAgent: 'Browser/1', deviceName: 'Phone' };

describe('the export of personal data', () => {
  it('has everything that is kept about the user, and no secret', async () => {
    const home = calledFrom(service, DEVICE);
    const user = await service.createUser();
    const { data } = await home.api('POST', '/auth/login', {
      body: { email: user.email, password: user.password },
    });
    const { accessToken: token } = data;
    const change = await new EmailChangeClient(service).requested(token);
    const passkey = await registerPasskey(
      home,
      { token, password: user.password },
      new SoftwareAuthenticator(),
    );
    const company = await InvitationClient.open(service);
    const invitation = await company.invite({ email: user.email, role: 'ADMIN' });
    await home.api('POST', '/auth/invitations/accept', { body: { token: invitation.token } });
    const guest = await company.invite({}, { token, headers: { 'x-org': company.company } });

    const document = await exported(token, home);
    expect(document).toMatchObject({
      profile: { id: user.id, email: user.email, fullName: user.fullName, legacyIds: {}, globalRole: 'NONE' },
      companyMemberships: [{ companyId: company.company, role: 'ADMIN', isActive: true }],
      sessions: [{ origin: 'password', ...DEVICE, revokedAt: null, revokeReason: null }],
      passkeys: [{ id: passkey.data.id }],
      factors: [],
      recoveryCodesLeft: 0,
      devices: [{ firstUsedAt: expect.any(String) as string, deviceName: null, ipAddress: null }],
      emailChanges: [{ newEmail: change.newEmail, oldEmail: null, confirmedAt: null }],
      limits: { auditEntries: 5000, otherLists: 1000 },
      isComplete: true,
    });
    expect(document.invitations).toMatchObject([
      { id: guest.id, email: guest.email, isOwn: true, status: 'PENDING' },
      { id: invitation.id, email: user.email, isOwn: false, status: 'ACCEPTED' },
    ]);
    expect(document.mails.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['invitation', 'passkey_added']),
    );
    const events = document.auditEntries.map(({ event }) => event);
    expect(events[0]).toBe('personal_data_exported');
    expect(events).toEqual(expect.arrayContaining(['login', 'passkey_added', 'invitation_accepted']));
    expect(JSON.stringify(document)).not.toMatch(
      /digest|publicKey|credentialId|passwordHash|argon2|lk[a-z]_/i,
    );
  });

  it('has the API keys of the user and the webhooks that the user created, and neither their secrets nor those of others', async () => {
    const { accessToken: token } = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const other = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const body = { url: 'http://localhost:9/hooks', events: ['*'], description: 'the CRM' };
    const webhook = await service.api('POST', '/internal/webhooks', { token, body });
    expect(webhook.status, webhook.text).toBe(201);
    const key = await service.api('POST', '/auth/api-keys', { token, body: { name: 'Export' } });
    expect(key.status, key.text).toBe(201);
    const document = await exported(token);
    expect(document.apiKeys).toMatchObject([{ kind: 'PERSONAL', name: 'Export' }]);
    expect(document.webhooks).toEqual([
      {
        id: (webhook.data as unknown as { webhook: { id: string } }).webhook.id,
        companyId: null,
        description: 'the CRM',
        createdAt: expect.any(String) as string,
      },
    ]);
    expect(JSON.stringify(document)).not.toMatch(/whsec_|lkk_/);
    expect((await exported(other.accessToken)).webhooks).toEqual([]);
  });

  it('has the factors without their secrets, and the number of unused recovery codes', async () => {
    const user = await enrolledUser(service);
    const document = await exported(user.accessToken);
    expect(document.factors).toMatchObject([{ id: user.factorId, kind: 'totp' }]);
    expect(document.recoveryCodesLeft).toBe(10);
    expect(document.factors[0]).not.toHaveProperty('secret');
  });

  it('says what others did to the user, without who they are and where they were', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const user = await service.signedIn();
    const office = calledFrom(service, { ...DEVICE, ipAddress: '203.0.113.99', userAgent: 'Office/1' });
    await office.api('PATCH', `/internal/users/${user.id}`, {
      token: staff.token,
      body: { fullName: 'Ada' },
    });
    const document = await exported(user.accessToken);
    const entry = document.auditEntries.find(({ event }) => event === 'user_updated');
    expect(entry).toMatchObject({ actor: 'user', ipAddress: null, userAgent: null });
    expect(JSON.stringify(document)).not.toContain(staff.id);
    expect(JSON.stringify(document)).not.toContain('203.0.113.99');
  });

  it('is cut to the newest rows of a long log, and says so', async () => {
    const user = await service.signedIn();
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id, occurred_at)
       SELECT gen_random_uuid(), 'login', 'failure', 'anonymous', $1, now() - n * interval '1 second'
       FROM generate_series(1, 5200) n`,
      [user.id],
    );
    const document = await exported(user.accessToken);
    expect(document.auditEntries).toHaveLength(5000);
    expect(document.auditEntries[0]?.event).toBe('personal_data_exported');
    expect(document.isComplete).toBe(false);
  });

  it('requires a sign-in or step-up in the last 15 minutes, and writes nothing before', async () => {
    const user = await service.signedIn();
    const { token } = await agedSession(service, user, '16 minutes');
    const refused = await service.api('GET', '/auth/me/export', { token });
    expect(refused).toMatchObject({ status: 401, code: 'reauthentication_required' });
    expect(refused.headers['www-authenticate']).toContain('max_age=900');
    const exports = `SELECT 1 FROM auth_audit_logs WHERE event = 'personal_data_exported' AND subject_user_id = $1`;
    expect(await service.sql(exports, [user.id])).toEqual([]);
    const raised = await stepUp(service, token, { password: user.password });
    expect((await exported(raised.data.accessToken)).profile.id).toBe(user.id);
    const minted = await signedInUser(service);
    expect(await service.api('GET', '/auth/me/export', { token: minted.token })).toMatchObject({
      code: 'reauthentication_required',
    });
  });

  it('has what others sent to an address once its mailbox was proved', async () => {
    const user = await service.signedIn({ emailVerified: false });
    const company = await InvitationClient.open(service);
    const { id } = await company.invite({ email: user.email });
    const other = await service.signedIn();
    await new EmailChangeClient(service).request(other.accessToken, user.email);
    const before = await exported(user.accessToken);
    expect(before).toMatchObject({ invitations: [], mails: [] });
    expect(JSON.stringify(before)).not.toContain(company.company);
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id]);
    const after = await exported(user.accessToken);
    expect(after.invitations).toMatchObject([{ id, isOwn: false }]);
    expect(after.mails.map(({ kind }) => kind).toSorted()).toEqual(['email_change', 'invitation']);
  });

  it('is possible ten times an hour, also at once', async () => {
    const user = await service.signedIn();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => service.api('GET', '/auth/me/export', { token: user.accessToken })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(refused.map(({ code, headers }) => [code, Number(headers['retry-after']) > 3000])).toEqual([
      ['rate_limited', true],
      ['rate_limited', true],
    ]);
  });

  it('needs an access token', async () => {
    expect(await service.api('GET', '/auth/me/export')).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
