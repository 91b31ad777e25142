import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, ApiOptions } from '../support/api-client.js';
import {
  PASSKEY_ENV,
  registerPasskey,
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from '../support/passkey-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';

const ROUNDS = 10;
const BURST_SIZE = 20;

const oneWinner = (won: number, lost: string): string[] => [
  String(won),
  ...Array<string>(BURST_SIZE - 1).fill(lost),
];

const labelOf = ({ status, code }: Answer): string =>
  code === undefined ? `${status}` : `${status} ${code}`;

describeWithRedis('passkeys, asked for many times on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start(PASSKEY_ENV);
    await replicas.warmUp(BURST_SIZE);
  });
  afterAll(() => replicas.stop());

  /** The n-th replica, in their turn. */
  const at = (n: number) => ({
    api: (method: string, path: string, options?: ApiOptions) => replicas.turn(n).call(method, path, options),
  });

  const burst = (send: (request: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: BURST_SIZE }, (_, request) => send(request)));

  async function rounds(round: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; n < ROUNDS; n++) await round(n);
  }

  async function newOwner() {
    const user = await replicas.createUser();
    const tokens = await replicas.mint(user.id);
    return { ...user, ...(await provedByFactor({ sql: replicas.sql, ...at(0) }, tokens)) };
  }

  async function passkeyOwner() {
    const owner = await newOwner();
    const authenticator = new SoftwareAuthenticator();
    const answer = await registerPasskey(at(0), owner, authenticator);
    expect(answer.status, answer.text).toBe(201);
    return { ...owner, authenticator };
  }

  async function countOf(what: keyof typeof COUNTS, userId: string): Promise<number> {
    return (await replicas.sql(COUNTS[what], [userId])).length;
  }

  /** A token as a reset mail carries it. */
  async function resetToken(userId: string): Promise<string> {
    const token = `lkp_${randomUUID()}`;
    await replicas.sql(
      `INSERT INTO password_reset_tokens (id, user_id, token_digest, expires_at)
       VALUES (gen_random_uuid(), $1, $2, now() + interval '1 hour')`,
      [userId, createHash('sha256').update(token).digest()],
    );
    return token;
  }

  async function reset(n: number, userId: string): Promise<Answer> {
    const body = { token: await resetToken(userId), newPassword: 'a new horse, a new battery' };
    return at(n).api('POST', '/auth/password-reset/confirm', { body });
  }

  it('one assertion creates one session', () =>
    rounds(async (n) => {
      const owner = await passkeyOwner();
      const assertion = await owner.authenticator.authenticate(await signInOptions(at(n)));
      const answers = await burst((request) => verifySignIn(at(n + request), assertion));
      expect(answers.map(labelOf).sort()).toEqual(oneWinner(200, '401 unauthorized'));
      expect(await countOf('sessions of passkeys', owner.id)).toBe(1);
      expect(await countOf('sign-ins', owner.id)).toBe(1);
    }));

  it('of many assertions with one counter, as copies of an authenticator send them, one creates a session', () =>
    rounds(async (n) => {
      const owner = await passkeyOwner();
      const assertions = await Promise.all(
        Array.from({ length: BURST_SIZE }, async (_, request) =>
          owner.authenticator.authenticate(await signInOptions(at(request)), { signCount: 7 }),
        ),
      );
      const answers = await burst((request) => verifySignIn(at(n + request), assertions[request]));
      expect(answers.map(labelOf).sort()).toEqual(oneWinner(200, '401 unauthorized'));
      expect(await countOf('sessions of passkeys', owner.id)).toBe(1);
    }));

  it('one registration response adds one passkey', () =>
    rounds(async (n) => {
      const owner = await newOwner();
      const response = await new SoftwareAuthenticator().register(await registrationOptions(at(n), owner));
      const answers = await burst((request) => verifyRegistration(at(n + request), owner, response));
      expect(answers.map(labelOf).sort()).toEqual(oneWinner(201, '401 unauthorized'));
      expect(await countOf('passkeys', owner.id)).toBe(1);
      expect(await countOf('mails about passkeys', owner.id)).toBe(1);
    }));

  it('only one registration takes the last free passkey slot', async () => {
    const owner = await passkeyOwner();
    const responses: Awaited<ReturnType<SoftwareAuthenticator['register']>>[] = [];
    // One after the other: a session confirms its password once at a time.
    while (responses.length < BURST_SIZE) {
      const options = await registrationOptions(at(responses.length), owner);
      responses.push(await new SoftwareAuthenticator().register(options));
    }
    await replicas.sql(
      `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, device_type, backed_up, name)
         SELECT gen_random_uuid(), user_id, 'filler' || n, public_key, device_type, backed_up, name
         FROM passkey_credentials, generate_series(1, 18) n WHERE user_id = $1`,
      [owner.id],
    );
    const answers = await burst((n) => verifyRegistration(at(n), owner, responses[n]));
    expect(answers.map(labelOf).sort()).toEqual(oneWinner(201, '409 conflict'));
    expect(await countOf('passkeys', owner.id)).toBe(20);
  });

  it('a registration that overlaps a password reset leaves no passkey', async () => {
    for (let n = 0; n < 2 * ROUNDS; n++) {
      const owner = await newOwner();
      const response = await new SoftwareAuthenticator().register(await registrationOptions(at(n), owner));
      const [added, confirmed] = await Promise.all([
        // A reset first hashes the new password, which takes some twenty milliseconds.
        sleep((n % 10) * 6).then(() => verifyRegistration(at(n), owner, response)),
        reset(n + 1, owner.id),
      ]);
      expect(confirmed.status, confirmed.text).toBe(200);
      expect(['201', '401 unauthorized', '401 session_revoked']).toContain(labelOf(added));
      expect(await countOf('passkeys', owner.id)).toBe(0);
    }
  });

  it('a sign-in that overlaps a password reset leaves no live session', async () => {
    for (let n = 0; n < 2 * ROUNDS; n++) {
      const owner = await passkeyOwner();
      const assertion = await owner.authenticator.authenticate(await signInOptions(at(n)));
      const [signedIn, confirmed] = await Promise.all([
        sleep((n % 10) * 6).then(() => verifySignIn(at(n), assertion)),
        reset(n + 1, owner.id),
      ]);
      expect(confirmed.status, confirmed.text).toBe(200);
      expect(['200', '401 unauthorized']).toContain(labelOf(signedIn));
      expect(await countOf('live sessions', owner.id)).toBe(0);
    }
  });
});

const COUNTS = {
  passkeys: 'SELECT 1 FROM passkey_credentials WHERE user_id = $1',
  'sessions of passkeys': `SELECT 1 FROM sessions WHERE user_id = $1 AND origin = 'passkey'`,
  'live sessions': 'SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked',
  'sign-ins': `SELECT 1 FROM auth_audit_logs WHERE subject_user_id = $1 AND event = 'login' AND outcome = 'success'`,
  'mails about passkeys': `SELECT 1 FROM mail_outbox m JOIN users u ON u.email = m.recipient
     WHERE u.id = $1 AND m.kind = 'passkey_added'`,
};
