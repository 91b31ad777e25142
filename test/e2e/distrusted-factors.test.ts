import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeOf, enrol } from '../support/authenticator-app.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { mintTokens } from '../support/minted-token.js';
import { PASSKEY_ENV, passkeysOf, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { CHOSEN, registerWithLink } from '../support/registration-client.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';
import { waitUntil } from '../support/wait-until.js';

const OK = { status: 200, data: { status: 'ok' } };
const REMOVED = 'A second factor was removed from your Latchkey account';

let service: TestService;
let resets: ResetClient;
let changes: EmailChangeClient;
beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  resets = new ResetClient(service);
  changes = new EmailChangeClient(service);
});
afterAll(() => service.stop());

const verify = (token: string, password?: string) =>
  service.api('POST', '/auth/email/verify', { body: { token, ...(password !== undefined && { password }) } });
const signIn = (email: string, password: string) =>
  service.api('POST', '/auth/login', { body: { email, password } });
const rowsOf = async (table: 'totp_factors' | 'recovery_codes', userId: string) =>
  (await service.sql(`SELECT id FROM ${table} WHERE user_id = $1`, [userId])).map(({ id }) => id);
const removalMails = (email: string) => service.mailsTo(email).filter(({ subject }) => subject === REMOVED);

/** Resets the password with the link of the newest mail, whatever other mails are on their way. */
async function reset(email: string): Promise<void> {
  const links = () => service.mailsTo(email).filter(({ token }) => token.startsWith('lkp_'));
  const before = links().length;
  await resets.request(email);
  const { token } = await waitUntil(() => links()[before], { what: `a reset link for ${email}` });
  expect(await resets.confirm(token)).toMatchObject(OK);
}

/** A stranger has registered the address of another person, and staff have approved it. */
async function squatted() {
  const registered = await registerWithLink(service);
  const body = { approvalStatus: 'APPROVED', isActive: true };
  await service.machine('PATCH', `/internal/admin/users/${registered.id}`, { body });
  return { ...registered, password: CHOSEN };
}

/** The stranger adds an app. */
async function addApp(user: { email: string; password: string }) {
  const { data } = await signIn(user.email, user.password);
  return enrol(service, data.accessToken);
}

describe('the first proof of a mailbox with a password', () => {
  it.each([
    ['the registration link', ({ token }: { token: string }) => verify(token, NEW_PASSWORD).then(String)],
    ['a reset', ({ email }: { email: string }) => reset(email)],
  ])('%s removes the app and the recovery codes of a stranger, with a notice', async (_by, prove) => {
    const user = await squatted();
    await addApp(user);
    await prove(user);
    const signedIn = await signIn(user.email, NEW_PASSWORD);
    expect(signedIn.data, signedIn.text).toHaveProperty('accessToken');
    expect(await rowsOf('totp_factors', user.id)).toEqual([]);
    expect(await rowsOf('recovery_codes', user.id)).toEqual([]);
    await waitUntil(() => removalMails(user.email)[0], { what: 'the notice' });
    const [audited] = await service.sql(
      `SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND details ? 'removedApps'`,
      [user.id],
    );
    expect(audited).toMatchObject({ details: { removedApps: 1 } });
  });

  it('a link that was used without a password trusts no one who knows it', async () => {
    const user = await squatted();
    expect(await verify(user.token)).toMatchObject(OK);
    await addApp(user);
    await reset(user.email);
    expect((await signIn(user.email, NEW_PASSWORD)).data).toHaveProperty('accessToken');
    expect(await rowsOf('totp_factors', user.id)).toEqual([]);
    // The owner has set a password now, so an app is theirs.
    await addApp({ email: user.email, password: NEW_PASSWORD });
    await reset(user.email);
    expect((await challengeOf(service, { ...user, password: NEW_PASSWORD })).methods).toContain('totp');
  });

  it('the link with the password of the registration keeps the app', async () => {
    const user = await squatted();
    await addApp(user);
    expect(await verify(user.token, CHOSEN)).toMatchObject(OK);
    expect(await rowsOf('totp_factors', user.id)).toHaveLength(1);
    await reset(user.email);
    expect(await rowsOf('totp_factors', user.id)).toHaveLength(1);
  });

  it('a challenge that waits for a removed app ends', async () => {
    const user = await squatted();
    const { app } = await addApp(user);
    const { challenge } = await challengeOf(service, user);
    await reset(user.email);
    const body = { challenge, code: app.next() };
    expect(await service.api('POST', '/auth/login/second-factor', { body })).toMatchObject({ status: 401 });
  });
});

it('a reset of a proved account keeps its app and its recovery codes', async () => {
  const user = await service.signedIn();
  await enrol(service, user.accessToken);
  await reset(user.email);
  expect((await challengeOf(service, { ...user, password: NEW_PASSWORD })).methods).toEqual([
    'totp',
    'recovery_code',
  ]);
});

describe('the undo of a change of address', () => {
  it('the undo removes the app and the passkey that a thief has added since, with notices, and the owner signs in', async () => {
    const owner = await service.createUser();
    const thief = await service.signIn(owner);
    const { newEmail, undo } = await changes.changed({ ...owner, accessToken: thief.accessToken });
    await enrol(service, thief.accessToken);
    const tokens = await provedByFactor(service, { ...thief, token: thief.accessToken });
    const key = new SoftwareAuthenticator();
    const added = await registerPasskey(service, { ...owner, ...tokens }, key);
    expect(added.status, added.text).toBe(201);

    expect(await changes.undo(undo)).toMatchObject(OK);
    await waitUntil(() => removalMails(owner.email)[0], { what: 'the notice' });
    expect(removalMails(newEmail)).toEqual([]);
    await waitUntil(
      () => service.mailsTo(owner.email).find(({ subject }) => subject.startsWith('A passkey was removed')),
      { what: 'the notice of the passkey' },
    );
    expect((await signInWithPasskey(service, key)).status).toBe(401);
    await reset(owner.email);
    const signedIn = await signIn(owner.email, NEW_PASSWORD);
    expect(signedIn.data, signedIn.text).toHaveProperty('accessToken');
    const [audited] = await service.sql(
      `SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'email_change_undone'`,
      [owner.id],
    );
    expect(audited).toMatchObject({ details: { removedPasskeys: 1, removedApps: 1 } });
  });

  it('factors of before the change stay, and codes that were renewed since go', async () => {
    const owner = await service.createUser();
    const { factorId } = await enrolFactor(service.sql, owner.id);
    const minted = await mintTokens(service, owner.id);
    const { token } = await provedByFactor(service, minted);
    const key = new SoftwareAuthenticator();
    await registerPasskey(service, { ...owner, token }, key);
    const [older] = await passkeysOf(service, { token });
    const { undo } = await changes.changed({ ...owner, accessToken: token });
    await enrol(service, token);
    await registerPasskey(service, { ...owner, token }, new SoftwareAuthenticator());
    const renewed = await service.api('POST', '/auth/factors/recovery-codes', { token });
    expect(renewed.status, renewed.text).toBe(200);

    expect(await changes.undo(undo)).toMatchObject(OK);
    expect(await rowsOf('totp_factors', owner.id)).toEqual([factorId]);
    expect(await rowsOf('recovery_codes', owner.id)).toEqual([]);
    const { data, status } = await signInWithPasskey(service, key);
    expect(status).toBe(200);
    expect(await passkeysOf(service, { token: data.accessToken })).toEqual([older]);
  });
});
