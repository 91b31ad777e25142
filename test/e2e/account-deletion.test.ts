import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintActing } from '../support/acting.js';
import type { Answer } from '../support/api-client.js';
import { ApiKeyClient } from '../support/api-key-client.js';
import { DELETION_ENV, DeletionClient } from '../support/deletion-client.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { ExternalClient, externalEnv } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { InvitationClient } from '../support/invitation-client.js';
import { MAILED_ENV, MailedSignInClient } from '../support/mailed-sign-in-client.js';
import { mintTokens } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { scrape } from '../support/scrape.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { TestCompany } from '../support/test-company.js';
import { waitUntil } from '../support/wait-until.js';

let provider: HostileProvider;
let service: TestService;
let deletions: DeletionClient;

beforeAll(async () => {
  provider = await HostileProvider.start();
  service = await startTestService({
    env: externalEnv(provider, {
      ...PASSKEY_ENV,
      ...MAILED_ENV,
      ...DELETION_ENV,
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
      SECOND_FACTOR: 'optional',
      API_KEYS: 'all',
    }),
  });
  deletions = new DeletionClient(service);
});
afterAll(async () => {
  await service.stop();
  provider.stop();
});

const PENDING = { status: 403, body: { code: 'account_inactive', reason: 'deletion_pending' } };
const TOKEN_INVALID = { status: 400, body: { code: 'validation_error', reason: 'deletion_token_invalid' } };
const OK = { status: 200, data: { status: 'ok' } };
const problem = { accept: 'application/problem+json' };

const rowOf = async (id: string) => {
  const [row] = await service.sql('SELECT is_active, delete_at, erased_at FROM users WHERE id = $1', [id]);
  return row;
};
const eventsOf = (id: string, event: string) =>
  service.sql(
    'SELECT actor, outcome, details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = $2',
    [id, event],
  );
const COUNTED = 'SELECT count(*) AS pending FROM users WHERE delete_at IS NOT NULL';
const isActive = async (id: string): Promise<unknown> => (await rowOf(id))?.is_active;

describe('the request', () => {
  it('ends every session at once, sets the time seven days ahead, and is one row of the audit log', async () => {
    const user = await service.signedIn();
    const other = await service.signIn(user);
    const answer = await deletions.request(user.accessToken);
    expect(answer.status, answer.text).toBe(200);
    const { deleteAt } = answer.data as unknown as { deleteAt: string };
    const days = (Date.parse(deleteAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    for (const token of [user.accessToken, other.accessToken])
      expect((await service.api('GET', '/auth/me', { token })).code).toBe('session_revoked');
    const refreshed = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: other.refreshToken },
    });
    expect(refreshed.code).toBe('session_revoked');
    expect(await eventsOf(user.id, 'deletion_requested')).toEqual([
      { actor: 'user', outcome: 'success', details: { deleteAt, reason: 'deletion_requested', revoked: 2 } },
    ]);
    expect(await rowOf(user.id)).toMatchObject({
      is_active: false,
      delete_at: new Date(deleteAt),
      erased_at: null,
    });
  });

  it('mails a link, which undoes it once', async () => {
    const user = await service.signedIn();
    const { token } = await deletions.requested(user);
    expect(service.mailsTo(user.email).at(-1)?.text).toContain('asked to delete your Latchkey account');
    expect(await deletions.undo(token)).toMatchObject(OK);
    expect(await rowOf(user.id)).toMatchObject({ is_active: true, delete_at: null });
    expect((await deletions.signIn(user)).status).toBe(200);
    expect(await deletions.undo(token)).toMatchObject(TOKEN_INVALID);
    expect(await eventsOf(user.id, 'deletion_undone')).toEqual([
      { actor: 'user', outcome: 'success', details: {} },
    ]);
  });

  it('requires a recent sign-in, and the second factor of a user who has one', async () => {
    const user = await service.signedIn();
    const minted = await mintTokens(service, user.id);
    await service.sql("UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE user_id = $1", [
      user.id,
    ]);
    const refreshed = await service.api('POST', '/auth/refresh', {
      body: { refreshToken: minted.refreshToken },
    });
    expect((await deletions.request(refreshed.data.accessToken)).body).toMatchObject({
      code: 'reauthentication_required',
    });
    await enrolFactor(service.sql, user.id);
    expect((await deletions.request(user.accessToken)).body).toMatchObject({
      code: 'reauthentication_required',
      reason: 'second_factor_missing',
    });
    expect(await isActive(user.id)).toBe(true);
  });

  it('is refused without a session, with an API key, and while an actor acts for the user', async () => {
    expect((await service.api('DELETE', '/auth/me')).status).toBe(401);
    const user = await service.signedIn();
    const { key } = await new ApiKeyClient(service).made(user.accessToken);
    expect((await deletions.request(key)).body).toMatchObject({ reason: 'not_with_api_key' });
    const { token } = await mintActing(service, user.id);
    expect((await deletions.request(token)).body).toMatchObject({ reason: 'not_while_acting' });
    expect(await isActive(user.id)).toBe(true);
  });

  it.each(['PLATFORM_MODERATOR', 'PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'] as const)(
    'a user with the role %s is refused',
    async (role) => {
      const user = await service.signedIn({ role });
      expect(await deletions.request(user.accessToken)).toMatchObject({
        status: 409,
        body: { reason: 'deletion_of_staff' },
      });
      expect(await isActive(user.id)).toBe(true);
    },
  );

  it('the last superadmin of a company is refused until another member is one, who is the last one then', async () => {
    const company = new TestCompany(service);
    const one = await service.signedIn();
    const two = await service.signedIn();
    await company.join(one.id, { role: 'TENANT_SUPERADMIN' });
    await company.join(two.id, { role: 'ADMIN' });
    const refused = { status: 409, body: { reason: 'last_company_superadmin' } };
    expect(await deletions.request(one.accessToken)).toMatchObject(refused);
    await company.upsert({ userId: two.id, role: 'TENANT_SUPERADMIN' });
    expect((await deletions.request(one.accessToken)).status).toBe(200);
    expect(await deletions.request(two.accessToken)).toMatchObject(refused);
  });
});

/** Every way in of a user, after the deletion. */
const WAYS: Record<
  string,
  (
    prepare: typeof service,
  ) => Promise<{ user: { id: string; email: string; accessToken: string }; last: () => Promise<Answer> }>
> = {
  'a password': async () => {
    const user = await service.signedIn();
    return { user, last: () => deletions.signIn(user) };
  },
  'a passkey': async () => {
    const user = await service.signedIn();
    const authenticator = new SoftwareAuthenticator();
    const added = await registerPasskey(
      service,
      { token: user.accessToken, password: user.password },
      authenticator,
    );
    expect(added.status, added.text).toBe(201);
    const { accessToken } = (await signInWithPasskey(service, authenticator)).data;
    return { user: { ...user, accessToken }, last: () => signInWithPasskey(service, authenticator) };
  },
  'another service': async () => {
    const user = await service.signedIn();
    const external = new ExternalClient(service, provider);
    const sub = randomUUID();
    await external.linked('plain', { sub }, user.accessToken);
    return { user, last: () => external.signIn('plain', { sub }) };
  },
  'a way of the app': async () => {
    const user = await service.signedIn();
    const begin = async (): Promise<Answer> => {
      const error: unknown = await service.auth.signIn
        .begin({ userId: user.id, method: 'link', amr: ['otp'] })
        .catch((reason: unknown) => reason);
      const { code, reason } = error as { code: string; reason: string };
      return { status: 403, code, body: { code, reason } } as Answer;
    };
    return { user, last: begin };
  },
  'a session that a machine mints': async () => {
    const user = await service.signedIn();
    return { user, last: () => service.machine('POST', `/internal/admin/users/${user.id}/sessions`) };
  },
};

describe('a user who is about to be deleted', () => {
  it.each(Object.keys(WAYS))('cannot sign in by %s: the refusal comes after the proof', async (name) => {
    const way = await WAYS[name]?.(service);
    if (!way) throw new Error('unreachable');
    const { token } = await deletions.requested(way.user);
    const refused = await way.last();
    expect(refused.status, refused.text).toBe(403);
    expect((refused.body as { code?: string }).code ?? refused.code).toBe('account_inactive');
    expect(
      await service.sql('SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked', [way.user.id]),
    ).toEqual([]);
    expect(await deletions.undo(token)).toMatchObject(OK);
  });

  it('a right password is answered with the reason, a wrong one like that of any account', async () => {
    const user = await service.signedIn();
    await deletions.requested(user);
    expect(await deletions.signIn(user)).toMatchObject(PENDING);
    const wrong = await deletions.signIn({ ...user, password: 'not the password' });
    const unknown = await deletions.signIn({
      email: `${randomUUID()}@example.com`,
      password: 'not the password',
    });
    expect(wrong.body).toMatchObject({ code: 'unauthorized', reason: 'credentials_wrong' });
    expect(Object.keys(wrong.body as object)).toEqual(Object.keys(unknown.body as object));
  });

  it('a mailed sign-in, a hand-off code and a reset from before do not revive the account, and no new mails of them come', async () => {
    const company = new TestCompany(service);
    const user = await service.signedIn();
    await company.join(user.id);
    const headers = { 'x-org': company.id };
    const handoff = await service.api('POST', '/auth/handoff/create', { token: user.accessToken, headers });
    const mailed = new MailedSignInClient(service);
    const { verifier, token } = await mailed.asked(user.email);
    const resets = new ResetClient(service);
    const reset = await resets.tokenFor(user.email);
    await deletions.requested(user);
    const { length: before } = service.mailsTo(user.email);
    expect((await mailed.finish({ verifier, token })).status).toBe(401);
    const exchanged = await service.api('POST', '/auth/handoff/exchange', {
      body: { code: handoff.data.code },
    });
    expect(exchanged.status).toBeGreaterThanOrEqual(401);
    await resets.confirm(reset);
    expect(await isActive(user.id)).toBe(false);
    expect(await deletions.signIn({ ...user, password: NEW_PASSWORD })).toMatchObject(PENDING);
    await mailed.request(user.email);
    await service.client.send('POST', '/auth/password-reset/request', {
      body: { email: user.email },
      headers: { 'x-forwarded-for': '192.0.2.1' },
    });
    await mailed.allMailIsHandled();
    expect(
      service
        .mailsTo(user.email)
        .slice(before)
        .filter(({ link }) => link !== ''),
    ).toEqual([]);
  });

  it('personal API keys end and do not come back; memberships, passkeys and factors do', async () => {
    const company = new TestCompany(service);
    const user = await service.signedIn();
    await company.join(user.id);
    const keys = new ApiKeyClient(service);
    const { key, id } = await keys.made(user.accessToken);
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, { token: user.accessToken, password: user.password }, authenticator);
    const { accessToken } = (await signInWithPasskey(service, authenticator)).data;
    const { token } = await deletions.requested({ ...user, accessToken });
    expect(await keys.status(key)).toBe(401);
    expect(await keys.audit(id)).toContainEqual(['api_key_revoked', 'deletion_requested']);
    await deletions.undo(token);
    expect(await keys.status(key)).toBe(401);
    expect((await signInWithPasskey(service, authenticator)).status).toBe(200);
    const again = await service.signIn(user);
    const access = await service.api('GET', '/auth/me', { token: again.accessToken });
    expect(access.data.companyMemberships).toHaveLength(1);
  });

  it('invitations by the user cannot be accepted until the deletion is undone', async () => {
    const invitations = await InvitationClient.open(service);
    const { admin } = invitations;
    const { token: invitation } = await invitations.invite();
    const other = await service.createUser();
    await service.sql(
      "INSERT INTO company_memberships (id, user_id, company_id, role) VALUES ($1, $2, $3, 'TENANT_SUPERADMIN')",
      [randomUUID(), other.id, invitations.company],
    );
    const { token } = await deletions.requested({ ...admin, ...(await service.signIn(admin)) });
    const body = { token: invitation, password: NEW_PASSWORD, fullName: 'Ada Berg' };
    const accept = () => service.client.send('POST', '/auth/invitations/accept', { body, headers: problem });
    expect((await accept()).body).toMatchObject({ reason: 'invitation_withdrawn' });
    await deletions.undo(token);
    expect((await accept()).status).toBe(200);
  });

  it('the address stays taken, and a registration with it answers as with that of any account', async () => {
    const [pending, other] = [await service.signedIn(), await service.createUser()];
    await deletions.requested(pending);
    const register = (email: string) =>
      service.client.send('POST', '/auth/register', {
        body: { email, password: NEW_PASSWORD, fullName: 'Ada Berg' },
        headers: problem,
      });
    const [taken, ofOther] = [await register(pending.email), await register(other.email)];
    expect(taken.body).toMatchObject({ reason: 'email_taken' });
    expect(taken.message).toBe(ofOther.message);
    expect(await service.sql('SELECT id FROM users WHERE email = $1', [pending.email])).toHaveLength(1);
  });

  it('who takes the account back from a thief by the link to the former address keeps the account', async () => {
    const owner = await service.signedIn();
    const changes = new EmailChangeClient(service);
    const { newEmail, undo } = await changes.changed(owner);
    await deletions.requested({ ...owner, email: newEmail });
    expect((await changes.undo(undo)).status).toBe(200);
    expect(await rowOf(owner.id)).toMatchObject({ is_active: true, delete_at: null });
    expect(await eventsOf(owner.id, 'email_change_undone')).toMatchObject([
      { details: { endsDeletion: true } },
    ]);
  });
});

describe('the link that undoes a deletion', () => {
  it('ends with the time of the deletion, with a change of the address, and with the deletion for which it was sent', async () => {
    const late = await service.signedIn();
    const expired = await deletions.requested(late);
    await deletions.due(late.id);
    expect(await deletions.undo(expired.token)).toMatchObject(TOKEN_INVALID);

    const moved = await service.signedIn();
    const sent = await deletions.requested(moved);
    const email = `${randomUUID()}@example.com`;
    await service.machine('PATCH', `/internal/admin/users/${moved.id}`, { body: { email } });
    expect(await deletions.undo(sent.token)).toMatchObject(TOKEN_INVALID);

    const again = await service.signedIn();
    const first = await deletions.requested(again);
    await service.machine('PATCH', `/internal/admin/users/${again.id}`, { body: { isActive: true } });
    await deletions.requested({ ...again, ...(await service.signIn(again)) }, 2);
    expect(await deletions.undo(first.token)).toMatchObject(TOKEN_INVALID);
    expect(await isActive(again.id)).toBe(false);
    expect(await deletions.undo('lkd_made-up')).toMatchObject(TOKEN_INVALID);
  });

  it('undoes the deletion of its own user only', async () => {
    const [one, two] = [await service.signedIn(), await service.signedIn()];
    const { token } = await deletions.requested(one);
    await deletions.requested(two);
    await deletions.undo(token);
    expect([await isActive(one.id), await isActive(two.id)]).toEqual([true, false]);
  });

  it('a request for the link queues the same mail for every address', async () => {
    const { email } = await service.createUser();
    const unknown = `${randomUUID()}@example.com`;
    for (const address of [email, unknown]) await deletions.sendLink(address);
    const queued = await service.sql('SELECT kind FROM mail_outbox WHERE recipient = ANY($1)', [
      [email, unknown],
    ]);
    expect(queued).toEqual([{ kind: 'account_deletion' }, { kind: 'account_deletion' }]);
  });

  it('is sent again to the user, three times an hour in all, and to no one else, with the same answer', async () => {
    const [pending, active] = [await service.signedIn(), await service.createUser()];
    await deletions.requested(pending);
    const unknown = `${randomUUID()}@example.com`;
    const answers: Answer[] = [];
    for (const email of [pending.email, pending.email, pending.email, active.email, unknown])
      answers.push(await deletions.sendLink(email));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await new MailedSignInClient(service).allMailIsHandled();
    const links = service.mailsTo(pending.email).filter(({ link }) => link.includes('/undo-deletion?'));
    expect(links).toHaveLength(3);
    expect(service.mailsTo(active.email)).toEqual([]);
    expect(service.mailsTo(unknown)).toEqual([]);
    expect(await deletions.undo(links[0]?.token ?? '')).toMatchObject(OK);
    expect(await deletions.undo(links[1]?.token ?? '')).toMatchObject(TOKEN_INVALID);
  });
});

describe('administrators', () => {
  it('see the time of the deletion, and undo it by a reactivation', async () => {
    const user = await service.signedIn();
    const { deleteAt, token } = await deletions.requested(user);
    const path = `/internal/admin/users/${user.id}`;
    expect((await service.machine('GET', path)).data).toMatchObject({ isActive: false, deleteAt });
    const patched = await service.machine('PATCH', path, { body: { isActive: true } });
    expect(patched.data.isActive).toBe(true);
    expect(patched.data).not.toHaveProperty('deleteAt');
    expect(await eventsOf(user.id, 'user_reactivated')).toMatchObject([{ details: { endsDeletion: true } }]);
    // A later deactivation is one: neither the link nor the erasure has anything to do with it.
    await service.machine('PATCH', path, { body: { isActive: false } });
    expect(await deletions.undo(token)).toMatchObject(TOKEN_INVALID);
    expect((await deletions.signIn(user)).body).toMatchObject({ reason: 'account_inactive' });
    await service.auth.admin.erasure.eraseDue();
    expect(await rowOf(user.id)).toMatchObject({ erased_at: null });
  });

  it('bar the user by a deactivation, which ends the deletion and cannot be undone', async () => {
    const user = await service.signedIn();
    const { token } = await deletions.requested(user);
    const path = `/internal/admin/users/${user.id}`;
    const barred = await service.machine('DELETE', path);
    expect(barred.data).toMatchObject({ isActive: false });
    expect(barred.data).not.toHaveProperty('deleteAt');
    expect(await eventsOf(user.id, 'user_deactivated')).toMatchObject([{ details: { endsDeletion: true } }]);
    expect(await deletions.undo(token)).toMatchObject(TOKEN_INVALID);
    expect((await deletions.signIn(user)).body).toMatchObject({ reason: 'account_inactive' });
    // Doing it twice is not another event.
    await service.machine('DELETE', path);
    expect(await eventsOf(user.id, 'user_deactivated')).toHaveLength(1);
    await service.auth.admin.erasure.eraseDue();
    expect(await rowOf(user.id)).toMatchObject({ erased_at: null });
  });

  it('erase the user before the time', async () => {
    const user = await service.signedIn();
    const { token } = await deletions.requested(user);
    const path = `/internal/admin/users/${user.id}/personal-data`;
    expect((await service.machine('DELETE', path, { body: { reason: 'asked again' } })).status).toBe(200);
    expect(await deletions.undo(token)).toMatchObject(TOKEN_INVALID);
    expect(await service.sql('SELECT 1 FROM deletion_links WHERE user_id = $1', [user.id])).toEqual([]);
    expect(await rowOf(user.id)).toMatchObject({ delete_at: null });
  });
});

describe('the erasure', () => {
  it('comes with the time and not before, frees the address, and names its cause in the audit log', async () => {
    const [due, early] = [await service.signedIn(), await service.signedIn()];
    await deletions.requested(due);
    await deletions.requested(early);
    await deletions.due(due.id);
    expect(await service.auth.admin.erasure.eraseDue()).toBeGreaterThanOrEqual(1);
    expect((await rowOf(due.id))?.erased_at).toBeInstanceOf(Date);
    expect(await rowOf(early.id)).toMatchObject({ erased_at: null });
    expect(await eventsOf(due.id, 'personal_data_erased')).toMatchObject([
      { actor: 'machine:account-deletion', details: { statedReason: 'The user deleted the account.' } },
    ]);
    const text = JSON.stringify(
      await service.sql('SELECT * FROM mail_outbox WHERE recipient = $1', [due.email]),
    );
    expect(text).toBe('[]');
    const registered = await service.client.send('POST', '/auth/register', {
      body: { email: due.email, password: NEW_PASSWORD, fullName: 'Ada Berg' },
    });
    expect(registered.status, registered.text).toBe(201);
  });

  it('is measured: accounts wait, and are overdue once their time was more than a day ago', async () => {
    const counts = async () => {
      const samples = await scrape(service);
      return ['pending', 'overdue'].map((state) => samples.sum('latchkey_account_deletions', { state }));
    };
    const before = await service.auth.admin.erasure.eraseDue().then(() => service.sql(COUNTED));
    const [late, early] = [await service.signedIn(), await service.signedIn()];
    for (const user of [late, early]) await deletions.requested(user);
    await service.sql(`UPDATE users SET delete_at = now() - interval '25 hours' WHERE id = $1`, [late.id]);
    // A scrape shows numbers that are up to five seconds old.
    const expected = [Number(before[0]?.pending) + 1, 1];
    await waitUntil(async () => JSON.stringify(await counts()) === JSON.stringify(expected), {
      what: 'the numbers of deletions',
    });
    await service.auth.admin.erasure.eraseDue();
    expect((await rowOf(late.id))?.erased_at).toBeInstanceOf(Date);
  });

  it('leaves out a user who has become staff meanwhile', async () => {
    const user = await service.signedIn();
    await deletions.requested(user);
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, {
      body: { globalRole: 'PLATFORM_MODERATOR' },
    });
    await deletions.due(user.id);
    await service.auth.admin.erasure.eraseDue();
    expect(await rowOf(user.id)).toMatchObject({ is_active: false, erased_at: null });
  });
});

describe('a service without the setting', () => {
  it('has none of the routes', async () => {
    const plain = await startTestService();
    try {
      const user = await plain.signedIn();
      const client = new DeletionClient(plain);
      expect((await client.request(user.accessToken)).status).toBe(404);
      expect((await client.undo('lkd_made-up')).status).toBe(404);
      expect((await client.sendLink(user.email)).status).toBe(404);
      expect((await plain.api('GET', '/auth/me', { token: user.accessToken })).status).toBe(200);
    } finally {
      await plain.stop();
    }
  });
});
