import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiOptions } from '../support/api-client.js';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { idOf, type FeedEntry } from '../support/feed-stream.js';
import { takeApart } from '../support/forged-token.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { openConnection } from '../support/open-connection.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const KEY = { 'x-internal-api-key': INTERNAL_KEY };

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const read = (query = '', options?: ApiOptions) =>
  service.machine('GET', `/internal/revocations${query}`, options);
const cursorIn = ({ data }: Answer): string => String(data.cursor);
const entriesIn = ({ data }: Answer): FeedEntry[] => data.entries as FeedEntry[];
const idsIn = (answer: Answer) => entriesIn(answer).map((entry) => idOf(entry));
const sessionOf = (token: string): string => String(takeApart(token).claims.sid);

/** A session that has just been revoked. */
async function revokedSession(): Promise<string> {
  const { token } = await signedInUser(service);
  expect((await service.api('POST', '/auth/logout-all', { token })).status).toBe(200);
  return sessionOf(token);
}

/** A connection with an open transaction that has written something. */
async function openTransaction(text = 'SELECT pg_current_xact_id()'): Promise<pg.Client> {
  const client = await openConnection(service.databaseUrl);
  await client.query('BEGIN');
  await client.query(text);
  return client;
}

describe('JSON pages of the revocation feed', () => {
  it('a snapshot has what was revoked, and after its cursor there is only what came later', async () => {
    const before = await revokedSession();
    const snapshot = await read();
    expect(idsIn(snapshot)).toContain(before);
    expect(entriesIn(await read(`?after=${cursorIn(snapshot)}`))).toEqual([]);
    const later = await revokedSession();
    const next = await read(`?after=${cursorIn(snapshot)}`);
    expect(idsIn(next)).toEqual([later]);
    expect(entriesIn(next)[0]).toMatchObject({ type: 'session-revoked', sid: later });
    expect(entriesIn(await read(`?after=${cursorIn(next)}`))).toEqual([]);
  });

  it('a raised token version is an entry with the lowest version that is accepted', async () => {
    const { id } = await service.createUser();
    const start = cursorIn(await read());
    await service.sql('UPDATE users SET token_version = token_version + 3 WHERE id = $1', [id]);
    expect(entriesIn(await read(`?after=${start}`))).toEqual([
      { type: 'token-claims-change', sub: id, minTokenVersion: 4, at: expect.any(String) as string },
    ]);
  });

  it('a poll waits for a revocation and answers as soon as there is one', async () => {
    const { token } = await signedInUser(service);
    const start = cursorIn(await read());
    const poll = service.client.send('GET', `/internal/revocations?after=${start}&wait=25`, { headers: KEY });
    const measured = await besideProbe(
      async () => {
        await service.api('POST', '/auth/logout-all', { token });
        return poll;
      },
      () => read(`?after=${start}`),
    );
    expect(idsIn(measured.result)).toEqual([sessionOf(token)]);
    expect(measured.milliseconds).toBeLessThan(allowedMs(1_000, measured));
  });

  it('a poll without a revocation answers empty when its time is over, with a cursor to continue', async () => {
    const start = cursorIn(await read());
    const answer = await read(`?after=${start}&wait=1`);
    expect(answer.milliseconds).toBeGreaterThan(950);
    expect(entriesIn(answer)).toEqual([]);
    const later = await revokedSession();
    expect(idsIn(await read(`?after=${cursorIn(answer)}`))).toEqual([later]);
  });

  it('a poll waits longer than the deadline of other responses', async () => {
    const start = cursorIn(await read());
    const answer = await service.client.send('GET', `/internal/revocations?after=${start}&wait=6`, {
      headers: KEY,
    });
    expect([answer.status, answer.milliseconds > 5_500]).toEqual([200, true]);
  });

  it('a wait that is too long and text that is no cursor are rejected', async () => {
    const start = cursorIn(await read());
    for (const query of [`?after=${start}&wait=26`, '?after=a.b', '?after=', `?after=${start}&wait=x`]) {
      expect(await read(query), query).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });

  it('a snapshot is answered at once, also with a wait', async () => {
    const start = cursorIn(await read());
    const order: string[] = [];
    const waiting = read(`?after=${start}&wait=2`).then(() => order.push('after a cursor'));
    const snapshot = await service.client.send('GET', '/internal/revocations?wait=20', { headers: KEY });
    order.push('a snapshot');
    expect(snapshot.status).toBe(200);
    await waiting;
    expect(order).toEqual(['a snapshot', 'after a cursor']);
  });

  it('HEAD answers without a body and without waiting for events', async () => {
    const answer = await service.client.send('HEAD', '/internal/revocations', {
      headers: { ...KEY, accept: 'text/event-stream' },
    });
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      200,
      '',
      'text/event-stream',
    ]);
  });
});

describe('the cursor', () => {
  it('a revocation that commits late, behind younger ones, is not skipped', async () => {
    const { token } = await signedInUser(service);
    const slow = await openTransaction(
      `UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE id = '${sessionOf(token)}'`,
    );
    const fast = await revokedSession();
    const first = await read();
    expect(idsIn(first)).toContain(fast);
    expect(idsIn(first)).not.toContain(sessionOf(token));
    await slow.query('COMMIT');
    await slow.end();
    expect(idsIn(await read(`?after=${cursorIn(first)}`))).toEqual([sessionOf(token)]);
  });

  it('a transaction that stays open delays no other revocation, and nothing is sent twice because of it', async () => {
    const open = await openTransaction();
    const start = cursorIn(await read());
    const one = await revokedSession();
    const first = await read(`?after=${start}`);
    expect(idsIn(first)).toEqual([one]);
    const poll = read(`?after=${cursorIn(first)}&wait=1`);
    expect(entriesIn(await poll)).toEqual([]);
    const two = await revokedSession();
    expect(idsIn(await read(`?after=${cursorIn(first)}`))).toEqual([two]);
    await open.query('ROLLBACK');
    await open.end();
    expect(idsIn(await read(`?after=${cursorIn(first)}`))).toEqual([two]);
  });

  it('a revocation that is rolled back is never in the feed', async () => {
    const { token } = await signedInUser(service);
    const start = cursorIn(await read());
    const undone = await openTransaction(
      `UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE id = '${sessionOf(token)}'`,
    );
    expect(entriesIn(await read(`?after=${start}`))).toEqual([]);
    await undone.query('ROLLBACK');
    await undone.end();
    expect(entriesIn(await read(`?after=${start}`))).toEqual([]);
  });

  it('a cursor of another database is gone', async () => {
    const other = await serviceForThisTest();
    const { data } = await other.machine('GET', '/internal/revocations');
    expect(await read(`?after=${String(data.cursor)}`)).toMatchObject({ status: 410, code: 'gone' });
    expect(await read(`?after=${String(data.cursor)}&wait=3`)).toMatchObject({ status: 410, code: 'gone' });
  });

  it('a cursor that is ahead of the database, too old or from an unknown version is gone', async () => {
    const [, origin, readAt, xmin] = Buffer.from(cursorIn(await read()), 'base64url')
      .toString()
      .split('.');
    const changed = {
      ahead: ['1', origin, readAt, `${BigInt(xmin ?? 0) + 100_000n}`, '1', ''],
      old: ['1', origin, String(Number(readAt) - 26 * 3600), xmin, '0', ''],
      impossible: ['1', origin, readAt, xmin, '1', '5-'],
      huge: ['1', origin, readAt, '9999999999999999999', '1', ''],
      zero: ['1', origin, readAt, '0', '1', ''],
      newer: ['2', origin, readAt, xmin, '1', ''],
      text: ['something else'],
    };
    for (const [what, parts] of Object.entries(changed)) {
      const cursor = Buffer.from(parts.join('.')).toString('base64url');
      expect(await read(`?after=${cursor}`), what).toMatchObject({ status: 410, code: 'gone' });
    }
  });

  it('a cursor with something behind it is gone, in JSON pages and as the place of a stream', async () => {
    const cursor = cursorIn(await read());
    for (const tail of ['x', '-', 'AA', 'AAAA']) {
      expect(await read(`?after=${cursor}${tail}`), tail).toMatchObject({ status: 410, code: 'gone' });
      const headers = { accept: 'text/event-stream', 'last-event-id': `${cursor}${tail}` };
      expect((await read('', { headers })).status, tail).toBe(410);
    }
  });

  it('a cursor is still good after a restart of the service', async () => {
    const start = cursorIn(await read());
    const session = await revokedSession();
    const replica = await serviceForThisTest({ databaseUrl: service.databaseUrl });
    const answer = await replica.machine('GET', `/internal/revocations?after=${start}`);
    expect(idsIn(answer)).toEqual([session]);
  });

  it('rows that a restored dump brought from a server with higher transaction ids are in snapshots only', async () => {
    const { id } = await service.createUser();
    const start = cursorIn(await read());
    await service.sql(
      `INSERT INTO revocations (user_id, token_version, transaction_id) VALUES ($1, 2, '99999999999')`,
      [id],
    );
    expect(entriesIn(await read(`?after=${start}`))).toEqual([]);
    expect(idsIn(await read())).toContain(id);
  });

  it('more revocations than one statement reads arrive completely, as a snapshot and after a cursor', async () => {
    const user = await service.createUser();
    const start = cursorIn(await read());
    await service.sql(
      `INSERT INTO revocations (user_id, token_version) SELECT $1, number FROM generate_series(1, 12000) number`,
      [user.id],
    );
    for (const query of ['', `?after=${start}`]) {
      const versions = entriesIn(await read(query)).flatMap(({ sub, minTokenVersion = 0 }) =>
        sub === user.id ? [minTokenVersion] : [],
      );
      expect(versions.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 12_000 }, (_, index) => index + 1),
      );
    }
  });
});

it('the session of a user whose rows are deleted is in the feed', async () => {
  const user = await signedInUser(service);
  await mintTokens(service, user.id);
  const start = cursorIn(await read());
  await service.sql('DELETE FROM users WHERE id = $1', [user.id]);
  const answer = await read(`?after=${start}`);
  expect(entriesIn(answer).map(({ type }) => type)).toEqual(['session-revoked', 'session-revoked']);
  expect(idsIn(answer)).toContain(sessionOf(user.token));
});
