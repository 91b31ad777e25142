import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { databaseContent } from '../support/database-content.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { InvitationClient } from '../support/invitation-client.js';
import { calledFrom } from '../support/person-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

const ROUNDS = 25;

let service: TestService;
/** A second process: its requests share only the rows with those of the first. */
let replica: TestService;

beforeAll(async () => {
  const env = { TRUST_PROXY: '1' };
  service = await startTestService({ env, smtp: true });
  replica = await startTestService({
    env,
    databaseUrl: service.databaseUrl,
    smtp: service.smtp?.url ?? false,
  });
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

interface Person extends TestUser {
  accessToken: string;
  refreshToken: string;
  /** The service as the person calls it. */
  client: TestService;
  /** Occurs in everything of theirs. */
  mark: string;
}

/** A signed-in person whose address, name, address of the network and user agent are found nowhere else. */
async function person(): Promise<Person> {
  const mark = randomBytes(5).toString('hex');
  const email = `${mark}@example.com`;
  const user = await service.createUser({ email, fullName: `Name ${mark}` });
  const client = calledFrom(service, {
    ipAddress: '203.0.113.5',
    userAgent: `Agent/${mark}`,
    deviceName: mark,
  });
  const answer = await client.api('POST', '/auth/login', { body: { email, password: PASSWORD } });
  const { accessToken, refreshToken } = answer.data;
  return { ...user, accessToken, refreshToken, client, mark };
}

const erase = (id: string): Promise<Answer> =>
  replica.machine('DELETE', `/internal/admin/users/${id}/personal-data`, { body: { reason: 'race' } });

const DOING: Record<string, (one: Person) => Promise<Promise<unknown>[]>> = {
  'a sign-in and a wrong password': ({ client, email }) =>
    Promise.resolve([
      client.api('POST', '/auth/login', { body: { email, password: PASSWORD } }),
      client.api('POST', '/auth/login', { body: { email, password: 'not the password' } }),
    ]),
  'a refresh and a logout': ({ client, refreshToken }) =>
    Promise.resolve([
      client.api('POST', '/auth/refresh', { body: { refreshToken } }),
      client.api('POST', '/auth/logout', { body: { refreshToken } }),
    ]),
  'a change of the profile and an export': ({ client, accessToken: token, mark }) =>
    Promise.resolve([
      client.api('PATCH', '/auth/me', { token, body: { fullName: `Newer ${mark}` } }),
      client.api('GET', '/auth/me/export', { token }),
    ]),
  'the acceptance of an invitation': async ({ client, email, mark }) => {
    const company = await InvitationClient.open(service);
    const { token } = await company.invite({ email, metadata: { for: mark } });
    return [client.api('POST', '/auth/invitations/accept', { body: { token } })];
  },
  'a request of a reset': ({ client, email }) =>
    // The address of no user may be requested, too: it is kept with the mail, which is then not sent.
    Promise.resolve([client.api('POST', '/auth/password-reset/request', { body: { email } })]),
  'the start of an enrolment': ({ client, accessToken: token, mark }) =>
    Promise.resolve([client.api('POST', '/auth/factors/totp', { token, body: { name: `App ${mark}` } })]),
  'a change of the address': ({ client, accessToken, mark }) =>
    Promise.resolve([new EmailChangeClient(client).request(accessToken, `new-${mark}@example.com`)]),
};

describe('an erasure at the same time as', () => {
  it.each(Object.keys(DOING))('%s leaves nothing of the person behind', async (what) => {
    const marks: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const one = await person();
      marks.push(one.mark);
      const doing = (await DOING[what]?.(one)) ?? [];
      // Earlier and later in turn, so that the erasure meets each step.
      await new Promise((resolve) => setTimeout(resolve, round % 8));
      const [erased, ...others] = await Promise.allSettled([erase(one.id), ...doing]);
      expect(erased).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
      for (const other of others) expect(other).toMatchObject({ status: 'fulfilled' });
    }
    const content = await databaseContent(service.sql);
    if (what === 'a request of a reset') content.mail_outbox = withoutAddresses(content.mail_outbox);
    // After the erasure, the address is that of no user: the attempt or request is one of an unknown person.
    if (['a sign-in and a wrong password', 'a request of a reset'].includes(what))
      content.auth_audit_logs = ofKnownUsers(content.auth_audit_logs);
    for (const [table, rows] of Object.entries(content)) {
      const text = JSON.stringify(rows);
      expect(
        marks.filter((mark) => text.includes(mark)),
        table,
      ).toEqual([]);
    }
  });
});

/** Without the rows of requests for an address that has no account. */
const withoutAddresses = (rows: unknown): unknown =>
  (rows as { row: { user_id: string | null; payload: object } }[]).filter(
    ({ row }) => row.user_id !== null || JSON.stringify(row.payload).includes('Name '),
  );

const ofKnownUsers = (rows: unknown): unknown =>
  (rows as { row: { actor_user_id: string | null; subject_user_id: string | null } }[]).filter(
    ({ row }) => (row.actor_user_id ?? row.subject_user_id) !== null,
  );
