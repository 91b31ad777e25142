import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { enrolFactor } from '../support/enrolled-user.js';
import { newVerifier } from '../support/external-client.js';
import { MAILED_ENV, MailedSignInClient } from '../support/mailed-sign-in-client.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';

const OK = { status: 200, data: { status: 'ok' } };
const INVALID = { status: 401, body: { reason: 'mailed_sign_in_invalid' } };

let service: TestService;
let mails: MailedSignInClient;
const hooked: string[] = [];
/** Changes the account while its sign-in runs. */
let meanwhile: ((userId: string) => Promise<unknown>) | undefined;

beforeAll(async () => {
  service = await startTestService({
    smtp: true,
    env: MAILED_ENV,
    extensions: {
      before: {
        login: async ({ user, method }) => {
          hooked.push(method);
          await meanwhile?.(user.id);
          if (user.email.startsWith('refused'))
            throw AuthError.forbidden('Not from here.', 'app.not_from_here');
        },
      },
    },
  });
  mails = new MailedSignInClient(service);
});
beforeEach(() => {
  meanwhile = undefined;
  hooked.length = 0;
});
afterAll(() => service.stop());

const login = (email: string, password = PASSWORD) =>
  service.api('POST', '/auth/login', { body: { email, password } });

const auditOf = (userId: string) =>
  service.sql(
    `SELECT event, outcome, details->>'method' AS method FROM auth_audit_logs WHERE subject_user_id = $1 ORDER BY id`,
    [userId],
  );

describe('a request for a sign-in by mail', () => {
  it('a mail has a link and a code, in the language of the user, that expire in 15 minutes', async () => {
    const user = await service.createUser();
    await service.sql(`UPDATE users SET locale = 'de' WHERE id = $1`, [user.id]);
    const { token, code } = await mails.asked(` ${user.email.toUpperCase()} `.trim().toLowerCase());
    const [mail] = service.mailsTo(user.email);
    expect(mail?.link).toBe(`${service.publicUrl}/login?by=mail&token=${token}#${code}`);
    expect(token).toMatch(/^lkm_[\w-]{43}$/);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(mail?.text.replaceAll('\n', ' ')).toContain(`angefordert haben: ${code}.`);
    expect(mail?.text).toContain('15 Minuten');
  });

  it('the response is the same for an unknown address and for everyone who gets no mail', async () => {
    const known = await service.createUser();
    const others = [
      await service.createUser({ approval: 'PENDING' }),
      await service.createUser({ approval: 'REJECTED' }),
      await service.createUser({ active: false }),
      await service.createUser({ role: 'PLATFORM_MODERATOR' }),
      await service.createUser({ role: 'PLATFORM_SUPERADMIN' }),
      { email: 'stranger@example.net' },
    ];
    const first = await mails.request(known.email);
    for (const { email } of others) {
      const answer = await mails.request(email);
      expect(answer).toMatchObject(OK);
      expect([answer.text, Object.keys(answer.headers)]).toEqual([first.text, Object.keys(first.headers)]);
    }
    await mails.allMailIsHandled();
    expect(service.mailsTo(known.email)).toHaveLength(1);
    for (const { email } of others) expect([email, service.mailsTo(email)]).toEqual([email, []]);
  });

  it('known and unknown addresses queue the same mail', async () => {
    const { email } = await service.createUser();
    await Promise.all([mails.request(email), mails.request('stranger@example.com')]);
    const queued = await service.sql('SELECT kind FROM mail_outbox WHERE recipient = ANY($1)', [
      [email, 'stranger@example.com'],
    ]);
    expect(queued).toEqual([{ kind: 'mailed_sign_in' }, { kind: 'mailed_sign_in' }]);
  });

  it('a user gets at most three mails an hour, also when they are asked for simultaneously, and more in the next', async () => {
    const user = await service.createUser();
    await Promise.all(Array.from({ length: 8 }, () => mails.request(user.email)));
    await mails.allMailIsHandled();
    expect(service.mailsTo(user.email)).toHaveLength(3);
    await service.sql(
      `UPDATE mailed_sign_ins SET created_at = created_at - interval '1 hour' WHERE user_id = $1`,
      [user.id],
    );
    await mails.asked(user.email);
    expect(service.mailsTo(user.email)).toHaveLength(4);
  });

  it.each([
    ['no challenge', { email: 'a@example.com' }],
    ['a verifier in place of the challenge', { email: 'a@example.com', challenge: 'x'.repeat(44) }],
    ['no address', { challenge: 'x'.repeat(43) }],
  ])('a request with %s is refused', async (_what, body) => {
    expect(await service.api('POST', '/auth/login/mail', { body })).toMatchObject({ status: 400 });
  });
});

describe('a sign-in by mail', () => {
  it.each(['code', 'token'] as const)('the %s of the mail signs in, once', async (proof) => {
    const { id, email, verifier, ...secrets } = await mails.userWithMail();
    const answer = await mails.finish({ verifier, [proof]: secrets[proof] });
    expect(answer).toMatchObject({ status: 200, data: { tokenType: 'Bearer' } });
    const claims = decodeJwt(answer.data.accessToken);
    expect(claims).toMatchObject({ sub: id, amr: ['otp'], acr: 'aal1' });
    const [session] = await service.sql('SELECT origin, acr, amr FROM sessions WHERE user_id = $1', [id]);
    expect(session).toEqual({ origin: 'mail', acr: 'aal1', amr: ['otp'] });
    expect(hooked).toEqual(['mail']);
    expect(await auditOf(id)).toEqual([
      { event: 'mailed_sign_in_requested', outcome: 'success', method: null },
      { event: 'login', outcome: 'success', method: 'mail' },
    ]);
    // Both die together.
    expect(await mails.finish({ verifier, code: secrets.code })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier, token: secrets.token })).toMatchObject(INVALID);
    expect((await login(email)).status).toBe(200);
  });

  it('a code is accepted as people type it', async () => {
    const { verifier, code } = await mails.userWithMail();
    const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect(await mails.finish({ verifier, code: typed })).toMatchObject({ status: 200 });
  });

  it('neither code nor link is worth anything to another client than the one that asked', async () => {
    const { id, verifier, code, token } = await mails.userWithMail();
    const other = newVerifier();
    expect(await mails.finish({ verifier: other, code })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier: other, token })).toMatchObject(INVALID);
    expect(await mails.sessionsOf(id)).toBe(0);
    expect(await mails.finish({ verifier, token })).toMatchObject({ status: 200 });
  });

  it('the mails of another account do not open the account of a client that knows their secrets', async () => {
    const [victim, attacker] = [await mails.userWithMail(), await mails.userWithMail()];
    expect(await mails.finish({ verifier: attacker.verifier, code: victim.code })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier: attacker.verifier, token: victim.token })).toMatchObject(INVALID);
    expect(await mails.sessionsOf(victim.id)).toBe(0);
  });

  it('five wrong codes end code and link, also when they arrive simultaneously; four do not', async () => {
    const { verifier, code, token } = await mails.userWithMail();
    for (let count = 0; count < 4; count++)
      expect(await mails.finish({ verifier, code: 'WRNG-C0DE' })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier, code })).toMatchObject({ status: 200 });
    const other = await mails.userWithMail();
    const guesses = Array.from({ length: 20 }, () =>
      mails.finish({ verifier: other.verifier, code: 'WRNG-C0DE' }),
    );
    for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject(INVALID);
    const [row] = await service.sql('SELECT wrong_codes FROM mailed_sign_ins WHERE user_id = $1', [other.id]);
    expect(row).toEqual({ wrong_codes: 5 });
    expect(await mails.finish({ verifier: other.verifier, code: other.code })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier: other.verifier, token: other.token })).toMatchObject(INVALID);
    expect(token).not.toBe('');
  });

  it('a wrong code is one row in the audit log, with and without a mail', async () => {
    const { id, verifier } = await mails.userWithMail();
    await mails.finish({ verifier, code: 'WRNG-C0DE' });
    expect((await auditOf(id)).at(-1)).toEqual({ event: 'login', outcome: 'failure', method: 'mail' });
    const count = `SELECT count(*) FROM auth_audit_logs WHERE event = 'login' AND subject_user_id IS NULL`;
    const [before] = await service.sql(count);
    await mails.finish({ verifier: newVerifier(), code: 'WRNG-C0DE' });
    const [after] = await service.sql(count);
    expect(Number(after?.count)).toBe(Number(before?.count) + 1);
  });

  it('50 simultaneous sign-ins with one code or link create one session', async () => {
    for (const proof of ['code', 'token'] as const) {
      const { id, verifier, ...secrets } = await mails.userWithMail();
      const finish = () => mails.finish({ verifier, [proof]: secrets[proof] });
      const answers = await Promise.all(Array.from({ length: 50 }, finish));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      // On a starved machine some wait for the user's row for too long.
      const others = answers.filter(({ status }) => status !== 200).map(({ status }) => status);
      expect(others.filter((status) => ![401, 503].includes(status))).toEqual([]);
      expect(await mails.sessionsOf(id)).toBe(1);
    }
  });

  it('code and link expire after 15 minutes', async () => {
    const { id, verifier, code, token } = await mails.userWithMail();
    await service.sql(
      `UPDATE mailed_sign_ins SET expires_at = expires_at - interval '15 minutes' WHERE user_id = $1`,
      [id],
    );
    expect(await mails.finish({ verifier, code })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier, token })).toMatchObject(INVALID);
  });

  it.each([
    ['neither', {}],
    ['both', { code: 'K7QM-2XWD', token: 'lkm_x' }],
  ])('a sign-in with %s of code and token is refused with what to send', async (_which, proofs) => {
    const answer = await mails.finish({ verifier: newVerifier(), ...proofs });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect(answer.text).toContain('or token, but not both');
  });
});

describe('the state of the account at a sign-in by mail', () => {
  it('a second factor is asked for as after a password, and the session is aal2 then', async () => {
    const { id, verifier, code } = await mails.userWithMail();
    const factor = await enrolFactor(service.sql.bind(service), id);
    const { data } = await mails.finish({ verifier, code });
    const { challenge, methods } = data.secondFactor as { challenge: string; methods: string[] };
    expect(methods).toContain('totp');
    expect(await mails.sessionsOf(id)).toBe(0);
    const body = { challenge, code: factor.code() };
    const done = await service.api('POST', '/auth/login/second-factor', { body });
    expect(decodeJwt(done.data.accessToken)).toMatchObject({ acr: 'aal2', amr: ['otp', 'mfa'] });
    expect((await auditOf(id)).at(-1)).toMatchObject({ event: 'login', method: 'mail' });
  });

  const CHANGES: [string, (user: { id: string; email: string }) => Promise<unknown>][] = [
    ['was deactivated', ({ id }) => patched(id, { isActive: false })],
    ['became staff', ({ id }) => patched(id, { globalRole: 'PLATFORM_MODERATOR' })],
    [
      'has another address',
      ({ id }) => service.sql(`UPDATE users SET email = 'x' || email WHERE id = $1`, [id]),
    ],
    [
      'has reset the password',
      async ({ email }) => {
        const resets = new ResetClient(service);
        await resets.confirm(await resets.tokenFor(email));
      },
    ],
    ['was erased', ({ id }) => service.auth.admin.erasure.erase(OPERATOR, id, 'test')],
  ];
  it.each(CHANGES)('a mail signs in no user who %s since', async (_what, change) => {
    const { id, email, verifier, code, token } = await mails.userWithMail();
    await change({ id, email });
    const before = await mails.sessionsOf(id);
    expect(await mails.finish({ verifier, code })).toMatchObject(INVALID);
    expect(await mails.finish({ verifier, token })).toMatchObject(INVALID);
    expect(await mails.sessionsOf(id)).toBe(before);
  });

  it('a user who is deactivated while the hook runs gets no session', async () => {
    const { id, verifier, code } = await mails.userWithMail();
    meanwhile = (userId) => patched(userId, { isActive: false });
    expect(await mails.finish({ verifier, code })).toMatchObject({ status: 401 });
    expect(await mails.sessionsOf(id)).toBe(0);
  });

  it('a hook that refuses leaves the mail usable', async () => {
    const email = `refused-${newVerifier().slice(0, 8).toLowerCase()}@example.com`;
    const { id, verifier, code } = await mails.userWithMail({ email });
    expect(await mails.finish({ verifier, code })).toMatchObject({
      status: 403,
      body: { reason: 'app.not_from_here' },
    });
    expect(await mails.sessionsOf(id)).toBe(0);
    const [row] = await service.sql('SELECT used_at, wrong_codes FROM mailed_sign_ins WHERE user_id = $1', [
      id,
    ]);
    expect(row).toEqual({ used_at: null, wrong_codes: 0 });
  });

  it('the first proof of a mailbox ends what a stranger may have set up, and later ones end nothing', async () => {
    const user = await service.createUser({ emailVerified: false });
    const stranger = await login(user.email);
    await enrolFactor(service.sql.bind(service), user.id);
    const first = await mails.asked(user.email);
    const done = await mails.finish({ verifier: first.verifier, code: first.code });
    expect(done).toMatchObject({ status: 200, data: { tokenType: 'Bearer' } });
    expect((await login(user.email)).status).toBe(401);
    const me = await service.api('GET', '/auth/me', { token: stranger.data.accessToken });
    expect(me.status).toBe(401);
    const later = await mails.asked(user.email);
    await mails.finish({ verifier: later.verifier, code: later.code });
    const still = await service.api('GET', '/auth/me', { token: done.data.accessToken });
    expect(still).toMatchObject({ status: 200 });
  });

  it('an erasure removes what waits', async () => {
    const { id } = await mails.userWithMail();
    await service.auth.admin.erasure.erase(OPERATOR, id, 'test');
    expect(await service.sql('SELECT 1 FROM mailed_sign_ins WHERE user_id = $1', [id])).toEqual([]);
  });
});

const OPERATOR = { kind: 'operator', name: 'tests' } as const;
const patched = (id: string, patch: Record<string, unknown>) =>
  service.auth.admin.users.patch(OPERATOR, id, patch);

describe('a service without sign-ins by mail', () => {
  it('has no such routes', async () => {
    const off = await serviceForThisTest();
    for (const path of ['/auth/login/mail', '/auth/login/mail/finish'])
      expect(await off.api('POST', path, { body: {} })).toMatchObject({ status: 404 });
  });
});
