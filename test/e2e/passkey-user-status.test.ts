import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import {
  PASSKEY_ENV,
  REGISTRATION_REFUSED,
  registerPasskey,
  registrationOptions,
  SIGN_IN_REFUSED,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});
afterAll(() => service.stop());

const refusalsOf = (userId: string) =>
  service.sql(
    `SELECT event, details->>'reason' AS reason FROM auth_audit_logs
     WHERE subject_user_id = $1 AND outcome = 'failure'`,
    [userId],
  );

describe('a registration overtaken by another change', () => {
  it.each([
    [
      'the end of its session',
      'UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1',
    ],
    ['the expiry of its session', 'UPDATE sessions SET expires_at = now() WHERE user_id = $1'],
    ['a new token version', 'UPDATE users SET token_version = token_version + 1 WHERE id = $1'],
    ['a deactivation', 'UPDATE users SET is_active = false WHERE id = $1'],
    ['a withdrawn approval', `UPDATE users SET approval_status = 'REJECTED' WHERE id = $1`],
  ])('a registration that is overtaken by %s adds nothing', async (_by, change) => {
    const user = await signedInUser(service);
    const response = await new SoftwareAuthenticator().register(await registrationOptions(service, user));
    const answer = await overtaken(service, { userId: user.id, change }, () =>
      verifyRegistration(service, user, response),
    );
    expect(answer).toMatchObject(REGISTRATION_REFUSED);
    expect(await service.sql('SELECT 1 FROM passkey_credentials WHERE user_id = $1', [user.id])).toEqual([]);
    expect(service.mailsTo(user.email)).toEqual([]);
    expect(await refusalsOf(user.id)).toEqual([{ event: 'passkey_added', reason: 'status' }]);
  });
});

describe('a sign-in overtaken by another change', () => {
  async function signIn(change: string) {
    const user = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, user, authenticator);
    const assertion = await authenticator.authenticate(await signInOptions(service));
    const answer = await overtaken(service, { userId: user.id, change }, () =>
      verifySignIn(service, assertion),
    );
    const opened = await service.sql(`SELECT 1 FROM sessions WHERE user_id = $1 AND origin = 'passkey'`, [
      user.id,
    ]);
    expect(opened).toEqual([]);
    const [passkey] = await service.sql('SELECT counter FROM passkey_credentials WHERE user_id = $1', [
      user.id,
    ]);
    return { answer, user, passkey };
  }

  it('a sign-in opens no session after the removal of its passkey', async () => {
    const { answer, user } = await signIn('DELETE FROM passkey_credentials WHERE user_id = $1');
    expect(answer).toMatchObject(SIGN_IN_REFUSED);
    expect(await refusalsOf(user.id)).toEqual([]);
  });

  it('a sign-in opens no session after another use with a higher count', async () => {
    const { answer, user, passkey } = await signIn(
      'UPDATE passkey_credentials SET counter = 50 WHERE user_id = $1',
    );
    expect(answer).toMatchObject(SIGN_IN_REFUSED);
    expect(passkey).toEqual({ counter: '50' });
    expect(await refusalsOf(user.id)).toEqual([{ event: 'login', reason: 'counter' }]);
  });

  it('a sign-in opens no session after a deactivation, and does not count', async () => {
    const { answer, passkey } = await signIn('UPDATE users SET is_active = false WHERE id = $1');
    expect(answer).toMatchObject({ status: 403, code: 'account_inactive' });
    expect(passkey).toEqual({ counter: '0' });
  });

  it('a sign-in opens no session after a new token version', async () => {
    const { answer } = await signIn('UPDATE users SET token_version = token_version + 1 WHERE id = $1');
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
