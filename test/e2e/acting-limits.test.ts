import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unknownClient } from '@latchkey/core';
import { actingPair, mintActing, sessionOf, staffMember, type ActingSession } from '../support/acting.js';
import { asSignedInByPassword, mintTokens } from '../support/minted-token.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import { insertPasskey } from '../support/test-passkeys.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  company = new TestCompany(service);
});
afterAll(() => service.stop());

interface Attempt {
  method: string;
  path: string;
  body?: object;
}

const REFUSED: Record<string, Attempt> = {
  'changing the password': {
    method: 'POST',
    path: '/auth/password/change',
    body: { currentPassword: PASSWORD, newPassword: 'another long walk home' },
  },
  'changing the address': {
    method: 'POST',
    path: '/auth/email/change',
    body: { newEmail: 'new@example.com' },
  },
  'adding a second factor': { method: 'POST', path: '/auth/factors/totp', body: {} },
  'confirming a second factor': {
    method: 'POST',
    path: `/auth/factors/totp/${randomUUID()}/confirm`,
    body: { code: '123456' },
  },
  'removing a second factor': { method: 'DELETE', path: `/auth/factors/${randomUUID()}` },
  'renewing recovery codes': { method: 'POST', path: '/auth/factors/recovery-codes' },
  'starting to add a passkey': {
    method: 'POST',
    path: '/auth/passkeys/register/options',
    body: { currentPassword: PASSWORD },
  },
  'renaming a passkey': { method: 'PATCH', path: '/auth/passkeys/PASSKEY', body: { name: 'Mine' } },
  'removing a passkey': { method: 'DELETE', path: '/auth/passkeys/PASSKEY' },
  'starting a step-up': { method: 'POST', path: '/auth/step-up/options', body: {} },
  'a step-up': { method: 'POST', path: '/auth/step-up', body: { password: PASSWORD } },
  'a hand-off': { method: 'POST', path: '/auth/handoff/create' },
  'signing out everywhere': { method: 'POST', path: '/auth/logout-all' },
  'signing out everywhere else': { method: 'POST', path: '/auth/logout-others' },
  'ending another session': { method: 'DELETE', path: '/auth/sessions/OTHER' },
  'ending another session by the route of staff': { method: 'POST', path: '/internal/sessions/OTHER/revoke' },
  'ending all sessions by the route of staff': { method: 'POST', path: '/internal/users/USER/revoke-all' },
};

describe('a session in which an actor acts for its user', () => {
  let user: TestUser;
  let acting: ActingSession;
  let own: { token: string };
  let passkeyId: string;
  beforeAll(async () => {
    ({ user, acting } = await actingPair(service));
    await company.join(user.id);
    own = await mintTokens(service, user.id);
    // Not by its route: the first factor of a user ends the session of the actor.
    passkeyId = await insertPasskey(service.sql, user.id);
  });

  const attempt = ({ method, path, body }: Attempt, token: string) =>
    service.client.send(
      method,
      path.replace('USER', user.id).replace('OTHER', sessionOf(own.token)).replace('PASSKEY', passkeyId),
      { token, body, headers: { 'x-org': company.id, accept: 'application/problem+json' } },
    );

  it.each(Object.keys(REFUSED))(
    '%s is 403 not_while_acting, however fresh the token says it is',
    async (what) => {
      const wanted = REFUSED[what];
      if (!wanted) throw new Error('no such attempt');
      for (const { token } of [acting, asSignedInByPassword(acting)]) {
        const answer = await attempt(wanted, token);
        expect(answer.body).toMatchObject({ status: 403, code: 'forbidden', reason: 'not_while_acting' });
      }
      const active = await service.api('GET', '/auth/me', { token: own.token });
      expect(active.status).toBe(200);
    },
  );

  it('the session reads and changes the profile, lists sessions, factors and passkeys, and resolves access', async () => {
    const calls = ['/auth/me', '/auth/sessions', '/auth/factors', '/auth/passkeys'];
    for (const path of calls) {
      const answer = await service.api('GET', path, { token: acting.token });
      expect(answer.status, path).toBe(200);
    }
    const changed = await service.api('PATCH', '/auth/me', {
      token: acting.token,
      body: { fullName: 'Ada King' },
    });
    expect(changed.status, changed.text).toBe(200);
  });

  it('staff rights change neither role, approval nor activity of another user, and the profile as before', async () => {
    const admin = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const { token } = await mintActing(service, admin.id);
    const [target, pending] = [
      await service.createUser(),
      await service.createUser({ approval: 'PENDING', active: false }),
    ];
    const patch = (id: string, body: object) =>
      service.client.send('PATCH', `/internal/users/${id}`, {
        token,
        body,
        headers: { accept: 'application/problem+json' },
      });
    for (const answer of [
      await patch(target.id, { globalRole: 'PLATFORM_ADMIN' }),
      await patch(target.id, { isActive: false }),
      await patch(target.id, { fullName: 'Ada King', isActive: true }),
      await patch(pending.id, { approvalStatus: 'APPROVED', isActive: true }),
    ]) {
      expect(answer.body).toMatchObject({ status: 403, code: 'forbidden', reason: 'not_while_acting' });
    }
    expect((await patch(target.id, { fullName: 'Ada King' })).status).toBe(200);
  });

  it('an actor gives no rights to their own account', async () => {
    const [admin, staff] = [await company.member({ role: 'TENANT_SUPERADMIN' }), await staffMember(service)];
    const { token } = await mintActing(service, admin.id, { actorUserId: staff.id });
    const before = await company.rows();
    for (const answer of [
      await company.bearer(token, 'POST', '/memberships', { userId: staff.id, role: 'TENANT_SUPERADMIN' }),
      await service.api('POST', '/auth/invitations', {
        token,
        body: { email: staff.email, role: 'ADMIN' },
        headers: { 'x-org': company.id },
      }),
    ]) {
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    }
    expect(await company.rows()).toEqual(before);
    expect((await company.bearer(staff.token, 'POST', '/memberships', { userId: staff.id })).status).toBe(
      403,
    );
  });

  it('direct calls of the use cases are refused like requests', async () => {
    const { auth } = service;
    const admin = await company.member({ role: 'TENANT_SUPERADMIN', user: { role: 'PLATFORM_SUPERADMIN' } });
    const session = await mintActing(service, admin.id);
    const caller = await auth.authenticator.authenticateWithMemberships(session.token);
    const { act } = caller;
    const client = { ...unknownClient, act };
    const actor = { kind: 'user', userId: admin.id, globalRole: 'PLATFORM_SUPERADMIN', act } as const;
    const key = { userId: user.id, companyId: company.id };
    const unit = { ...key, businessUnitId: company.unit };
    const { id } = await service.createUser();
    const calls: (() => Promise<unknown>)[] = [
      () => auth.memberships.upsertCompany(actor, company.id, { userId: id }, client),
      () => auth.memberships.upsertBusinessUnit(actor, unit, { userId: user.id }, client),
      () => auth.financeWorkflow.patchCompany(actor, key, { financeRole: 'APPROVER' }, client),
      () => auth.financeWorkflow.setApprovalLimit(actor, key, { approvalLimit: null }, client),
      () => auth.financeWorkflow.patchBusinessUnit(actor, unit, { financeRole: 'APPROVER' }, client),
      () => auth.memberships.upsertCompany(actor, company.id, { userId: id }),
      () => auth.memberships.upsertBusinessUnit(actor, unit, { userId: user.id }),
      () => auth.financeWorkflow.patchCompany(actor, key, { financeRole: 'APPROVER' }),
      () => auth.invitations.create(caller, company.id, { email: 'guest@example.com' }),
      () => auth.invitations.resend(caller, company.id, randomUUID()),
      () => auth.invitations.cancel(caller, company.id, randomUUID()),
      () => auth.invitationAcceptance.accept({ token: 'lki_unknown' }, caller),
      () => auth.personalData.export(caller),
      () => auth.admin.users.create(actor, { email: 'new@example.com' }),
      () => auth.admin.users.patch(actor, id, { globalRole: 'PLATFORM_ADMIN' }),
      () => auth.admin.users.deactivate(actor, id),
      () => auth.admin.factors.reset(actor, id, 'lost'),
      () => auth.admin.erasure.erase(actor, id, 'request'),
    ];
    for (const call of calls) {
      await expect(call(), call.toString()).rejects.toMatchObject({ reason: 'not_while_acting' });
    }
  });

  it('nothing fresh and no second factor is ever proved in the session', async () => {
    const caller = await service.auth.authenticator.authenticate(acting.token);
    expect(caller.acr).toBe('aal1');
    expect(() => service.auth.authenticator.assertFresh(caller, 3600)).toThrow('Confirm your identity');
    expect(() => service.auth.authenticator.assertFactors(caller, 2)).toThrow('second factor');
  });

  it('the session ends itself, by its id and by its refresh token', async () => {
    const [one, two, three] = [
      await mintActing(service, user.id),
      await mintActing(service, user.id),
      await mintActing(service, user.id),
    ];
    const ended = [
      await service.api('DELETE', `/auth/sessions/${one.sessionId}`, { token: one.token }),
      await service.api('POST', `/internal/sessions/${two.sessionId}/revoke`, { token: two.token }),
      await service.api('POST', '/auth/logout', { body: { refreshToken: three.refreshToken } }),
    ];
    expect(ended.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { token } of [one, two, three]) {
      expect(await service.api('GET', '/auth/me', { token })).toMatchObject({ code: 'session_revoked' });
    }
  });

  it('the user ends the session from their own', async () => {
    const session = await mintActing(service, user.id);
    const answer = await service.api('DELETE', `/auth/sessions/${session.sessionId}`, { token: own.token });
    expect(answer.status, answer.text).toBe(200);
    expect((await service.api('GET', '/auth/me', { token: session.token })).code).toBe('session_revoked');
  });
});
