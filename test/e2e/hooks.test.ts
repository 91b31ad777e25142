import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuthError, createAuth, type BeforeHooks } from '@latchkey/core';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { WAYS_IN, WAY_IN_NAMES } from '../support/ways-to-sign-in.js';

type Attempt<Name extends keyof BeforeHooks> = Parameters<NonNullable<BeforeHooks[Name]>>[0];

let service: TestService;
/** Hooks of the service under test; each test sets its own. */
let before: BeforeHooks = {};

beforeAll(async () => {
  service = await startTestService({
    env: PASSKEY_ENV,
    extensions: {
      before: {
        register: (attempt, client) => before.register?.(attempt, client),
        login: (attempt, client) => before.login?.(attempt, client),
        invitation: (attempt, client) => before.invitation?.(attempt, client),
      },
    },
  });
});
afterEach(() => {
  before = {};
});
afterAll(() => service.stop());

const REFUSED = { status: 403, code: 'forbidden', message: 'Not from here.' };
const refuse = () => {
  throw AuthError.forbidden('Not from here.');
};
const fail = () => {
  throw new Error('the hook itself is broken');
};
const BROKEN = { status: 500, code: 'internal_error', message: 'Something went wrong on our side.' };

const sessionsOf = (email: string) =>
  service.sql(
    `SELECT s.origin FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.origin <> 'minted'`,
    [email],
  );
const auditSince = async (id: string) =>
  service.sql(
    'SELECT event, outcome, actor, subject_user_id, company_id, details FROM auth_audit_logs WHERE id > $1',
    [id],
  );
const NO_ID = '00000000-0000-0000-0000-000000000000';
const lastAuditId = async () => {
  const [row] = await service.sql('SELECT id FROM auth_audit_logs ORDER BY id DESC LIMIT 1');
  return typeof row?.id === 'string' ? row.id : NO_ID;
};
const idOf = async (email: string) =>
  (await service.sql('SELECT id FROM users WHERE email = $1', [email]))[0]?.id;

describe('the hook before a sign-in', () => {
  it.each(WAY_IN_NAMES)('at a sign-in by %s the hook receives user, method and address', async (way) => {
    const { email, send } = await WAYS_IN[way](service);
    const asked: unknown[] = [];
    before.login = (attempt, client) => void asked.push({ attempt, client });
    const answer = await send();
    expect(answer.status, answer.text).toBe(200);
    const user = { id: await idOf(email), email, fullName: 'Ada Lovelace', globalRole: 'NONE' };
    expect(asked).toEqual([
      {
        attempt: { user, method: way },
        client: expect.objectContaining({ ipAddress: '127.0.0.1' }) as unknown,
      },
    ]);
    expect(await sessionsOf(email)).toEqual([{ origin: way }]);
  });

  it.each(WAY_IN_NAMES)(
    'a hook that refuses a sign-in by %s opens no session and is audited',
    async (way) => {
      const { email, send } = await WAYS_IN[way](service);
      const last = await lastAuditId();
      before.login = refuse;
      expect(await send()).toMatchObject(REFUSED);
      expect(await sessionsOf(email)).toEqual([]);
      const rows = (await auditSince(last)).filter(({ event }) => event === 'login');
      expect(rows).toMatchObject([
        { outcome: 'denied', actor: 'anonymous', details: { method: way, reason: 'forbidden', by: 'hook' } },
      ]);
      expect(rows[0]?.subject_user_id).toEqual((await idOf(email)) ?? expect.any(String));
    },
  );

  it.each(WAY_IN_NAMES)(
    'a hook that fails at a sign-in by %s refuses too, is logged, and discloses nothing to the client',
    async (way) => {
      const { email, send } = await WAYS_IN[way](service);
      const last = await lastAuditId();
      before.login = fail;
      const answer = await send();
      expect(answer).toMatchObject(BROKEN);
      expect(answer.text).not.toContain('broken');
      expect(service.log()).toContain('the hook itself is broken');
      expect(await sessionsOf(email)).toEqual([]);
      expect(await auditSince(last)).toEqual([]);
    },
  );

  it.each([
    ['password', true],
    ['invitation', true],
    ['passkey', false],
    ['handoff', false],
  ] as const)('a refusal by %s leaves the proof good for another attempt: %s', async (way, isKept) => {
    const { email, send } = await WAYS_IN[way](service);
    before.login = refuse;
    expect(await send()).toMatchObject(REFUSED);
    before.login = undefined;
    expect(await send()).toMatchObject({ status: isKept ? 200 : 401 });
    expect(await sessionsOf(email)).toHaveLength(isKept ? 1 : 0);
  });

  it('a refused new user gets no account, and their invitation stays open', async () => {
    const invitations = await InvitationClient.open(service);
    const { email, token } = await invitations.invite();
    before.login = refuse;
    expect(await invitations.accept({ token, password: 'a fine long password' })).toMatchObject(REFUSED);
    expect(await invitations.usersWith(email)).toEqual([]);
    expect(await invitations.statesOf(email)).toEqual(['PENDING']);
  });

  it('a refused correct password is no guess, however often', async () => {
    const { email, password } = await service.createUser();
    const login = (secret: string) =>
      service.api('POST', '/auth/login', { body: { email, password: secret } });
    before.login = refuse;
    for (let turn = 0; turn < 15; turn++) expect(await login(password)).toMatchObject(REFUSED);
    before.login = undefined;
    expect((await login(password)).status).toBe(200);
  });

  it('the hook is not called for wrong proofs, or for users who cannot sign in', async () => {
    const asked: unknown[] = [];
    before.login = (attempt) => void asked.push(attempt);
    const { email } = await service.createUser();
    const inactive = await service.createUser({ active: false });
    const login = (body: object) => service.api('POST', '/auth/login', { body });
    expect(await login({ email, password: 'wrong' })).toMatchObject({ status: 401 });
    expect(await login(inactive)).toMatchObject({ status: 403, code: 'account_inactive' });
    expect(
      await service.api('POST', '/auth/handoff/exchange', { body: { code: 'lkh_wrong' } }),
    ).toMatchObject({
      status: 401,
    });
    expect(asked).toEqual([]);
  });

  it('the hook is not called for machines that mint, refreshes, and existing users who join a company', async () => {
    const invitations = await InvitationClient.open(service);
    const guest = await service.createUser();
    const { token } = await invitations.invite({ email: guest.email });
    before.login = refuse;
    const { refreshToken } = await mintTokens(service, guest.id);
    expect(await service.api('POST', '/auth/refresh', { body: { refreshToken } })).toMatchObject({
      status: 200,
    });
    expect(await invitations.accept({ token })).toMatchObject({ status: 200 });
  });

  it('a deactivation while the hook runs still counts', async () => {
    const { email, send } = await WAYS_IN.password(service);
    before.login = async ({ user }) => {
      await service.auth.admin.users.deactivate({ kind: 'operator', name: 'test' }, user.id);
    };
    expect(await send()).toMatchObject({ status: 403, code: 'account_inactive' });
    expect(await sessionsOf(email)).toEqual([]);
  });
});

describe('the hook before a registration', () => {
  const register = (fields: object = {}) => {
    const body = { email: freshEmail(), password: 'a fine long password', fullName: 'Ada', ...fields };
    return service.client.send('POST', '/auth/register', { body });
  };

  it('the hook receives everything but the password', async () => {
    const asked: Attempt<'register'>[] = [];
    before.register = (attempt) => void asked.push(attempt);
    const email = `Reg-${randomUUID()}@Example.com`;
    const fields = {
      phonePrefix: '+49',
      phoneNumber: '123456',
      profilePictureUrl: 'https://a.example/b.png',
    };
    expect((await register({ email, ...fields })).status).toBe(201);
    expect(asked).toEqual([
      { email: email.toLowerCase(), fullName: 'Ada', authProvider: 'password', ...fields },
    ]);
  });

  it('a hook that refuses a registration makes no user and no mail, and is audited', async () => {
    const email = freshEmail();
    const last = await lastAuditId();
    before.register = () => {
      throw AuthError.validation('email: only addresses of our company');
    };
    const refused = {
      status: 400,
      code: 'validation_error',
      message: 'email: only addresses of our company',
    };
    expect(await register({ email })).toMatchObject(refused);
    expect(await idOf(email)).toBeUndefined();
    expect(await service.sql('SELECT 1 FROM mail_outbox WHERE recipient = $1', [email])).toEqual([]);
    expect(await auditSince(last)).toMatchObject([
      { event: 'registration', outcome: 'denied', actor: 'anonymous', subject_user_id: null },
    ]);
  });

  it('the hook is not called for a registration that is refused anyway', async () => {
    const asked: unknown[] = [];
    before.register = (attempt) => void asked.push(attempt);
    expect(await register({ password: 'short' })).toMatchObject({ status: 400 });
    expect(await register({ email: 'none' })).toMatchObject({ status: 400 });
    expect(asked).toEqual([]);
  });

  it('a hook that fails makes no user either', async () => {
    const email = freshEmail();
    before.register = fail;
    expect(await register({ email })).toMatchObject(BROKEN);
    expect(await idOf(email)).toBeUndefined();
  });
});

describe('the hook before an invitation', () => {
  const OFFER = {
    role: 'MANAGER',
    moduleGrants: ['billing'],
    permissionGrants: ['bills:read'],
    delegation: {
      canManageUsers: true,
      canBuyAddons: false,
      grantableModules: ['billing'],
      grantablePermissions: [],
    },
    metadata: { companyName: 'Acme', nested: { list: [1] } },
  };

  it('the hook receives the whole offer, when it is made and when it is sent anew', async () => {
    const invitations = await InvitationClient.open(service);
    const asked: Attempt<'invitation'>[] = [];
    before.invitation = (attempt) => void asked.push(attempt);
    const { id, email } = await invitations.invite(OFFER);
    expect((await invitations.resend(id)).status).toBe(200);
    const offer = { email, companyId: invitations.company, ...OFFER, invitedByUserId: invitations.admin.id };
    expect(asked).toEqual([
      { ...offer, isResend: false },
      { ...offer, isResend: true },
    ]);
  });

  it("the hook receives a delegate's offer with the modules that it will hold", async () => {
    const invitations = await InvitationClient.open(service);
    const delegate = await invitations.member({
      delegation: { ...OFFER.delegation, grantableModules: ['a', 'b'] },
    });
    const asked: Attempt<'invitation'>[] = [];
    before.invitation = (attempt) => void asked.push(attempt);
    const answer = await invitations.create({ email: freshEmail() }, invitations.as(delegate));
    expect(answer.status, answer.text).toBe(201);
    expect(asked.map(({ moduleGrants }) => moduleGrants)).toEqual([['a', 'b']]);
    expect(answer.data.moduleGrants).toEqual(['a', 'b']);
  });

  it('a hook that refuses an invitation makes no invitation and no mail, and is audited', async () => {
    const invitations = await InvitationClient.open(service);
    const email = freshEmail();
    const last = await lastAuditId();
    before.invitation = () => {
      throw AuthError.conflict('Your plan has no seat left.');
    };
    const refused = { status: 409, code: 'conflict', message: 'Your plan has no seat left.' };
    expect(await invitations.create({ email })).toMatchObject(refused);
    expect(await invitations.statesOf(email)).toEqual([]);
    expect(await service.sql('SELECT 1 FROM mail_outbox WHERE recipient = $1', [email])).toEqual([]);
    expect(await auditSince(last)).toMatchObject([
      {
        event: 'access_denied',
        outcome: 'denied',
        actor: 'user',
        company_id: invitations.company,
        details: { what: 'invitation_created', reason: 'conflict', by: 'hook' },
      },
    ]);
  });

  it('a refused resend leaves the sent link as it is', async () => {
    const invitations = await InvitationClient.open(service);
    const { id, token } = await invitations.invite();
    const last = await lastAuditId();
    before.invitation = () => {
      throw AuthError.conflict('Your plan has no seat left.');
    };
    expect(await invitations.resend(id)).toMatchObject({ status: 409 });
    expect(await invitations.preview(token)).toMatchObject({ status: 200 });
    expect(await auditSince(last)).toMatchObject([
      { event: 'access_denied', details: { what: 'invitation_resent' } },
    ]);
    expect(await invitations.cancel(id)).toMatchObject({ status: 200 });
  });

  it('the hook is not called for what the caller cannot do or what cannot be sent anew', async () => {
    const invitations = await InvitationClient.open(service);
    const member = await invitations.member();
    const { id } = await invitations.invite();
    const asked: unknown[] = [];
    before.invitation = (attempt) => void asked.push(attempt);
    expect(await invitations.create({ email: freshEmail() }, invitations.as(member))).toMatchObject({
      status: 403,
    });
    expect(await invitations.create({ email: freshEmail(), role: 'TENANT_SUPERADMIN' })).toMatchObject({
      status: 403,
    });
    expect(await invitations.resend(id, invitations.as(member))).toMatchObject({ status: 403 });
    expect(await invitations.resend(randomUUID())).toMatchObject({ status: 404 });
    const other = await InvitationClient.open(service);
    expect(await other.resend(id)).toMatchObject({ status: 404 });
    await invitations.cancel(id);
    expect(await invitations.resend(id)).toMatchObject({ status: 409 });
    expect(asked).toEqual([]);
  });

  it('an inviter who loses their right while the hook runs makes no invitation', async () => {
    const invitations = await InvitationClient.open(service);
    const email = freshEmail();
    before.invitation = async () => {
      await service.sql(`UPDATE company_memberships SET is_active = false WHERE user_id = $1`, [
        invitations.admin.id,
      ]);
    };
    expect(await invitations.create({ email })).toMatchObject({ status: 403 });
    expect(await invitations.statesOf(email)).toEqual([]);
  });
});

it('hooks hold no database connection while they run', async () => {
  const waiting: (() => void)[] = [];
  before.login = () => new Promise((resolve) => waiting.push(resolve));
  const ways = await Promise.all(Array.from({ length: 15 }, () => WAYS_IN.password(service)));
  const answers = Promise.all(ways.map(({ send }) => send()));
  await waitUntil(() => waiting.length === 15, { what: 'all sign-ins to be thought about' });
  before.login = undefined;
  // The pool has ten.
  await signedInUser(service);
  for (const resolve of waiting) resolve();
  expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200));
});

it('createAuth refuses hooks that cannot work', async () => {
  const wrong = { before: { logn: refuse } } as unknown as { before: BeforeHooks };
  await expect(createAuth(service.auth.settings, wrong)).rejects.toThrow(
    new TypeError(
      'createAuth: before.logn is not a hook. Did you mean login? Hooks are register, login, link, invitation. ' +
        'Write: createAuth(settings, { before: { login: async (attempt, client) => { … } } })',
    ),
  );
});
