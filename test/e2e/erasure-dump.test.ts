import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { answerChallenge, enrol } from '../support/authenticator-app.js';
import { databaseContent } from '../support/database-content.js';
import { describeWith } from '../support/describe-with.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { InvitationClient } from '../support/invitation-client.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { calledFrom } from '../support/person-client.js';
import { redisAvailable } from '../support/redis.js';
import { linksOf } from '../support/registration-client.js';
import { ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { waitUntil } from '../support/wait-until.js';

const EMAILS = ['first', 'second', 'third', 'fourth', 'fifth'].map(
  (name) => `petra.${name}@quill.example.com`,
);
const [FIRST = '', SECOND = '', THIRD = '', FOURTH = '', FIFTH = ''] = EMAILS;
const PERSON = {
  fullName: 'Petra Quillfeather',
  phonePrefix: '+49',
  phoneNumber: '30998877665',
  profilePictureUrl: 'https://pictures.example/quillfeather.png',
  locale: 'de',
};
const HOME = { ipAddress: '203.0.113.77', userAgent: 'QuillBrowser/77.3', deviceName: 'Petras Telefon' };
const WORK = { ipAddress: '198.51.100.123', userAgent: 'WorkBrowser/12.8', deviceName: 'Petras Rechner' };
const LEGACY_ID = 'quill-customer-4711';
const PASSWORD = 'a long walk through quills';
const PASSKEY_NAME = 'Petras Schluessel';

/** Texts that must not be found anywhere after an erasure. */
const TRACES = [
  'petra',
  'quill',
  ...[HOME, WORK].flatMap((device) => Object.values(device)),
  PERSON.phoneNumber,
  LEGACY_ID,
].map((text) => text.toLowerCase());

const succeed = async (call: Promise<{ status: number; text: string }>): Promise<void> => {
  const answer = await call;
  expect(answer.status, answer.text).toBeLessThan(300);
};

/** Signs in with whatever the account asks for. */
async function signIn(service: TestService, email: string, password: string, recoveryCode = '') {
  const answer = await service.api('POST', '/auth/login', { body: { email, password } });
  expect(answer.status, answer.text).toBe(200);
  if (typeof answer.data.accessToken === 'string') return answer.data;
  const { challenge } = (answer.data as unknown as { secondFactor: { challenge: string } }).secondFactor;
  const second = await answerChallenge(service, { challenge, recoveryCode });
  expect(second.status, second.text).toBe(200);
  return second.data;
}

/** A person who has done everything that the product offers. @returns their id. */
async function fullLife(service: TestService): Promise<string> {
  const [home, work] = [calledFrom(service, HOME), calledFrom(service, WORK)];
  const patch = (id: string, body: object) =>
    service.machine('PATCH', `/internal/admin/users/${id}`, { body });
  await succeed(
    home.api('POST', '/auth/register', { body: { email: FIRST, password: PASSWORD, ...PERSON } }),
  );
  const [row] = await service.sql('SELECT id FROM users WHERE email = $1', [FIRST]);
  const id = String(row?.id);
  const { token: proof } = linksOf(await service.mailTo(FIRST));
  await succeed(home.api('POST', '/auth/email/verify', { body: { token: proof } }));
  await succeed(patch(id, { approvalStatus: 'APPROVED', isActive: true }));
  await service.sql(`UPDATE users SET legacy_ids = jsonb_build_object('crm', $2::text) WHERE id = $1`, [
    id,
    LEGACY_ID,
  ]);

  await service.sql('INSERT INTO approval_notices (recipient, due_at) VALUES ($1, now())', [FOURTH]);

  // Sign-ins: wrong passwords, two devices, a refresh, a reuse.
  for (const place of [home, work]) {
    const wrong = await place.api('POST', '/auth/login', {
      body: { email: FIRST, password: 'not the password' },
    });
    expect(wrong.status).toBe(401);
  }
  const { accessToken: token, refreshToken } = await signIn(home, FIRST, PASSWORD);
  await signIn(work, FIRST, PASSWORD);
  await succeed(work.api('POST', '/auth/refresh', { body: { refreshToken: await refreshTokenOf(work) } }));
  await succeed(home.api('PATCH', '/auth/me', { token, body: PERSON }));
  await succeed(home.api('GET', '/auth/me/export', { token }));

  // Factors.
  const authenticator = new SoftwareAuthenticator();
  const passkey = await registerPasskey(home, { token, password: PASSWORD }, authenticator);
  expect(passkey.status, passkey.text).toBe(201);
  const path = `/auth/passkeys/${passkey.data.id}`;
  await succeed(home.api('PATCH', path, { token, body: { name: PASSKEY_NAME } }));
  const byPasskey = await signInWithPasskey(home, authenticator);
  expect(byPasskey.status, byPasskey.text).toBe(200);
  const { recoveryCodes } = await enrol(home, byPasskey.data.accessToken);
  const strong = await signIn(work, FIRST, PASSWORD, recoveryCodes[0]);

  // Companies: an invitation accepted, one open, one that the person sends, a hand-off.
  const company = await InvitationClient.open(service);
  const { token: invitation } = await company.invite({
    email: FIRST,
    role: 'ADMIN',
    metadata: { note: 'For Petra' },
  });
  await succeed(home.api('POST', '/auth/invitations/accept', { body: { token: invitation } }));
  const other = await InvitationClient.open(service);
  await other.invite({ email: FIRST, metadata: { companyName: 'Friends of Petra' } });
  const headers = { 'x-org': company.company };
  const guest = { email: `guest-${randomUUID()}@example.com`, metadata: { from: PERSON.fullName } };
  await succeed(home.api('POST', '/auth/invitations', { token: strong.accessToken, headers, body: guest }));
  await service.mailTo(guest.email);
  const handoff = await home.api('POST', '/auth/handoff/create', { token: strong.accessToken, headers });
  await succeed(work.api('POST', '/auth/handoff/exchange', { body: { code: handoff.data.code } }));
  await succeed(service.machine('POST', `/internal/admin/users/${id}/sessions`));

  // Addresses: a change that is undone, a reset, a change that stays, one that is open, and one by a machine.
  const changes = new EmailChangeClient(home);
  const { undo } = await changes.changed({ accessToken: strong.accessToken, email: FIRST }, SECOND);
  await succeed(changes.undo(undo));
  const resets = new ResetClient(home);
  await succeed(resets.confirm(await resets.tokenFor(FIRST), PASSWORD));
  await succeed(
    service.machine('DELETE', `/internal/admin/users/${id}/factors`, {
      body: { reason: `${PERSON.fullName} has called` },
    }),
  );
  const again = await signIn(work, FIRST, PASSWORD);
  await changes.changed({ accessToken: again.accessToken, email: FIRST }, THIRD);
  await succeed(patch(id, { email: FOURTH }));
  const last = await signIn(home, FOURTH, PASSWORD);
  const { accessToken: enrolling } = last;
  await succeed(changes.request(enrolling, FIFTH));
  await enrol(home, enrolling);
  await succeed(resets.request(FOURTH));
  await home.api('POST', '/auth/logout', { body: { refreshToken } });
  return id;

  async function refreshTokenOf(place: TestService): Promise<string> {
    return (await signIn(place, FIRST, PASSWORD)).refreshToken;
  }
}

/** Everything in the database: every column of every table as text, and a dump where pg_dump fits the server. */
async function dumpOf(service: TestService): Promise<string> {
  const rows = JSON.stringify(await databaseContent(service.sql));
  const { status, stdout } = spawnSync('pg_dump', ['--dbname', service.databaseUrl, '--data-only'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return (status === 0 ? `${rows}\n${stdout}` : rows).toLowerCase();
}

/** Every key of Redis with its value, beside the counts of an address, which last a minute and belong to no account. */
async function redisContent(url: string): Promise<string> {
  const client = new Redis(url);
  try {
    const lines: string[] = [];
    for (const key of await client.keys('*')) {
      if (/(login|anonymous)-rate:/.test(key)) {
        expect(await client.ttl(key)).toBeLessThanOrEqual(60);
        continue;
      }
      lines.push(`${key} ${(await client.get(key)) ?? ''}`);
    }
    return lines.join('\n').toLowerCase();
  } finally {
    client.disconnect();
  }
}

const found = (content: string): string[] => TRACES.filter((trace) => content.includes(trace));

describeWith(
  { name: 'redis-server', isThere: redisAvailable(), install: 'apt-get install redis-server' },
  'an erased person',
  () => {
    it('leaves no byte in a dump of the database or in Redis, after having used all of the product', async () => {
      const service = await serviceForThisTest({
        redis: true,
        env: { ...PASSKEY_ENV, TRUST_PROXY: '1' },
      });
      const id = await fullLife(service);
      const waiting = `SELECT 1 FROM mail_outbox WHERE status = 'PENDING' AND next_attempt_at <= now()`;
      await waitUntil(async () => (await service.sql(waiting)).length === 0, { what: 'an idle outbox' });
      expect(found(await dumpOf(service))).toEqual(TRACES);
      const redis = service.redis?.url ?? '';
      expect(found(await redisContent(redis))).toEqual([HOME.ipAddress, WORK.ipAddress]);

      const answer = await service.machine('DELETE', `/internal/admin/users/${id}/personal-data`, {
        body: { reason: 'request 4711' },
      });
      expect(answer.status, answer.text).toBe(200);

      expect(found(await dumpOf(service))).toEqual([]);
      expect(found(await redisContent(redis))).toEqual([]);
      const [row] = await service.sql(
        `SELECT email, is_active, global_role, approval_status, password_hash,
           (SELECT count(*)::int FROM auth_audit_logs WHERE subject_user_id = users.id) > 10 AS has_log
         FROM users WHERE id = $1`,
        [id],
      );
      expect(row).toEqual({
        email: `erased-${id}@erased.invalid`,
        is_active: false,
        global_role: 'NONE',
        approval_status: 'REJECTED',
        password_hash: null,
        has_log: true,
      });
    });
  },
);
