import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { insertUserBy, openSession } from '../../../../test/support/open-session.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { Database } from '../storage/database.js';
import { RotationRepository, type PresentedToken } from './rotation-repository.js';

const LIFETIMES = { idle: 600, absolute: 3600 };

let testDatabase: TestDatabase;
let database: Database;
let rotations: RotationRepository;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 8, preparedStatements: true });
  rotations = new RotationRepository(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function newToken(): Promise<PresentedToken & { userId: string; sessionId: string }> {
  const user = await insertUserBy(database);
  const { sessionId, selectorDigest, secretDigest } = await openSession(database, user.id);
  return { sessionId, selectorDigest, secretDigest, generation: 0, isGenuine: true, userId: user.id };
}

const rotate = (token: PresentedToken, successor = randomBytes(32), lifetimes = LIFETIMES) =>
  rotations.rotate(token, successor, lifetimes);
const find = (token: PresentedToken, inFlightFor = 0) =>
  rotations.find(token.selectorDigest, () => inFlightFor);
const secondsLeft = async (sessionId: string) => {
  const rows = await database.run((knex) =>
    knex('sessions')
      .where({ id: sessionId })
      .select<{ left: number }[]>(knex.raw('extract(epoch FROM expires_at - now())::float8 AS left')),
  );
  return rows[0]?.left ?? NaN;
};

describe('a rotation', () => {
  it('a rotation replaces the current token by its successor', async () => {
    const token = await newToken();
    const successor = randomBytes(32);
    expect(await rotate(token, successor)).toMatchObject({
      sessionId: token.sessionId,
      userId: token.userId,
    });
    expect(await find(token)).toMatchObject({ generation: 1, secretDigest: successor, isRevoked: false });
  });

  it('of simultaneous rotations one succeeds', async () => {
    const token = await newToken();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => rotate(token)));
    expect(outcomes.filter((claims) => claims !== undefined)).toHaveLength(1);
    expect((await find(token))?.generation).toBe(1);
  });

  it.each<[string, Partial<PresentedToken>]>([
    ['another secret', { secretDigest: randomBytes(32) }],
    ['another generation', { generation: 1 }],
    ['another selector', { selectorDigest: randomBytes(32) }],
  ])('a token with %s is not rotated', async (_what, fields) => {
    const token = await newToken();
    expect(await rotate({ ...token, ...fields })).toBeUndefined();
    expect((await find(token))?.generation).toBe(0);
  });

  it.each([
    ['inactive', { is_active: false }],
    ['rejected', { approval_status: 'REJECTED' }],
  ])('a token is not rotated when the user is %s', async (_what, values) => {
    const token = await newToken();
    await database.run((knex) => knex('users').where({ id: token.userId }).update(values));
    expect(await rotate(token)).toBeUndefined();
  });

  it('a rotation extends the session, but never past its absolute limit', async () => {
    const token = await newToken();
    const successor = randomBytes(32);
    await rotate(token, successor);
    expect(Math.abs((await secondsLeft(token.sessionId)) - 600)).toBeLessThan(30);
    await database.run((knex) =>
      knex('sessions')
        .where({ id: token.sessionId })
        .update({ created_at: knex.raw("now() - interval '3500 seconds'") }),
    );
    await rotate({ ...token, generation: 1, secretDigest: successor });
    expect(await secondsLeft(token.sessionId)).toBeLessThanOrEqual(100);
  });
});

describe('rotations at the same time', () => {
  const rotateAll = (tokens: readonly PresentedToken[]) => Promise.all(tokens.map((token) => rotate(token)));

  it('rotations of several sessions share a statement, and each returns the claims of its own', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, newToken));
    const claims = await rotateAll(tokens);
    expect(claims.map((one) => one?.sessionId)).toEqual(tokens.map(({ sessionId }) => sessionId));
    expect(claims.map((one) => one?.userId)).toEqual(tokens.map(({ userId }) => userId));
    const commits = await database.run((knex) =>
      knex('sessions')
        .whereIn(
          'id',
          tokens.map(({ sessionId }) => sessionId),
        )
        .distinct<{ xmin: string }[]>(knex.raw('xmin::text')),
    );
    expect(commits).toHaveLength(1);
  });

  it('a token that may not be rotated does not keep others from it', async () => {
    const [revoked, expired, inactive, unknown, valid] = await Promise.all([
      newToken(),
      newToken(),
      newToken(),
      newToken(),
      newToken(),
    ]);
    await database.run((knex) =>
      knex('sessions')
        .where({ id: revoked.sessionId })
        .update({
          is_revoked: true,
          revoked_at: knex.raw('now()'),
          revoke_reason: 'logout',
        }),
    );
    await database.run((knex) =>
      knex('sessions')
        .where({ id: expired.sessionId })
        .update({ expires_at: knex.raw('now()') }),
    );
    await database.run((knex) => knex('users').where({ id: inactive.userId }).update({ is_active: false }));
    const forged = { ...unknown, secretDigest: randomBytes(32) };
    const claims = await rotateAll([revoked, expired, inactive, forged, valid]);
    expect(claims.map((one) => one?.sessionId)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      valid.sessionId,
    ]);
  });

  it('a session that another transaction has locked is rotated after it, and no other waits', async () => {
    const [locked, free, ending] = await Promise.all([newToken(), newToken(), newToken()]);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    // If the test fails while the rows are locked, closing the database would wait for them without end.
    onTestFinished(() => finish());
    const rows = [locked.sessionId, ending.sessionId];
    let holding: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (holding = resolve));
    const other = database.transaction(async (trx) => {
      await trx('sessions').whereIn('id', rows).forUpdate().select('id');
      await trx('sessions')
        .where({ id: ending.sessionId })
        .update({
          is_revoked: true,
          revoked_at: trx.raw('now()'),
          revoke_reason: 'logout',
        });
      holding();
      await finished;
    });
    await held;
    const waiting = Promise.all([rotate(locked), rotate(ending)]);
    expect(await rotate(free)).toMatchObject({ sessionId: free.sessionId });
    expect((await find(locked))?.generation).toBe(0);
    finish();
    await other;
    expect(await waiting).toEqual([expect.objectContaining({ sessionId: locked.sessionId }), undefined]);
  });

  it('rotations of the same sessions in different orders do not deadlock, and each token is rotated once', async () => {
    const tokens = await Promise.all(Array.from({ length: 12 }, newToken));
    const second = new Database({ url: testDatabase.url, poolMax: 8, preparedStatements: true });
    try {
      const others = new RotationRepository(second);
      const successors = tokens.map(() => randomBytes(32));
      for (let generation = 0; generation < 10; generation += 1) {
        const current = tokens.map((token, index) => ({
          ...token,
          generation,
          secretDigest: generation === 0 ? token.secretDigest : (successors[index] ?? token.secretDigest),
        }));
        const next = tokens.map(() => randomBytes(32));
        const claims = await Promise.all([
          ...current.map((token, index) =>
            rotations.rotate(token, next[index] ?? randomBytes(32), LIFETIMES),
          ),
          ...current
            .map((token, index) => others.rotate(token, next[index] ?? randomBytes(32), LIFETIMES))
            .toReversed(),
        ]);
        expect(claims.filter((one) => one !== undefined)).toHaveLength(tokens.length);
        successors.splice(0, successors.length, ...next);
      }
    } finally {
      await second.close();
    }
  });
});

describe('the lead of a rotation over a request', () => {
  it('the lead of a rotation is unknown before the first rotation', async () => {
    expect((await find(await newToken()))?.rotationLead).toBeNull();
  });

  it('the lead of a rotation is its age minus the time since the arrival of the request', async () => {
    const token = await newToken();
    await rotate(token);
    const lead = (await find(token))?.rotationLead ?? NaN;
    expect(lead).toBeGreaterThanOrEqual(0);
    const earlier = (await find(token, 60_000))?.rotationLead ?? NaN;
    expect(earlier).toBeGreaterThan(lead - 60_000);
    expect(earlier).toBeLessThan(0);
  });

  it('the lead of a rotation does not grow while the request waits for the row', async () => {
    const token = await newToken();
    await rotate(token);
    const before = (await find(token))?.rotationLead ?? NaN;
    let waiting: ReturnType<typeof rotations.find> | undefined;
    const held = database.transaction(async (trx) => {
      await rotations.find(token.selectorDigest, () => 0, trx);
      waiting = database.transaction((other) => rotations.find(token.selectorDigest, () => 0, other));
      await trx.raw('select pg_sleep(0.5)');
    });
    await held;
    const after = (await waiting)?.rotationLead ?? NaN;
    const age = (await find(token))?.rotationLead ?? NaN;
    expect(age - before).toBeGreaterThan(300);
    expect(after).toBeLessThan(age - 100);
  });
});
