import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { FeedStream } from '../support/feed-stream.js';
import { signRs256, takeApart } from '../support/forged-token.js';
import { allowedSince } from '../support/machine-lag.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const SECRET = 'secret-of-every-client-here';
const secretHashes = [`sha256:${createHash('sha256').update(SECRET).digest('hex')}`];
const client = (id: string, scopes: string[]) => ({ id, secretHashes, audiences: ['latchkey'], scopes });
const SERVICE_CLIENTS = JSON.stringify([
  client('reports', ['revocations:read']),
  client('billing', ['internal:read', 'internal:write', 'sessions:mint', 'users:privileged']),
]);

let service: TestService;
/** A service of which nothing is asked until the last test, and its stream. */
let silent: TestService;
let silentStream: FeedStream;

beforeAll(async () => {
  service = await startTestService({ env: { SERVICE_CLIENTS, SERVICE_TOKEN_TTL: '60' } });
  silent = await startTestService();
  silentStream = await FeedStream.open(silent.url);
});
afterAll(async () => {
  silentStream.close();
  await Promise.all([service.stop(), silent.stop()]);
});

async function open(options?: Parameters<typeof FeedStream.open>[1], on = service): Promise<FeedStream> {
  const stream = await FeedStream.open(on.url, options);
  onTestFinished(() => stream.close());
  return stream;
}

const sessionOf = (token: string): string => String(takeApart(token).claims.sid);

async function revokedSession(on = service): Promise<string> {
  const { token } = await signedInUser(on);
  expect((await on.api('POST', '/auth/logout-all', { token })).status).toBe(200);
  return sessionOf(token);
}

const first = (stream: FeedStream) => waitUntil(() => stream.events[0], { what: 'the first event' });

async function serviceToken(clientId: string, on = service): Promise<string> {
  const body = { clientId, clientSecret: SECRET };
  return String((await on.api('POST', '/auth/service-token', { body })).data.serviceToken);
}

describe('an event stream of revocations', () => {
  it('a stream begins with a snapshot and goes on with what is revoked', async () => {
    const before = await revokedSession();
    const stream = await open();
    expect([stream.status, stream.headers['content-type'], stream.headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream',
      'no',
    ]);
    // RFC 9111 section 5.2.2.6: middleware that compresses would hold events back.
    expect(stream.headers['cache-control']).toBe('no-store, no-transform');
    const page = await service.machine('GET', '/internal/revocations');
    expect(page.headers['cache-control']).toBe('no-store, no-transform');
    expect((await stream.entryOf(before)).event).toBe('snapshot');
    const later = await revokedSession();
    const measured = await besideProbe(
      () => stream.entryOf(later),
      () => service.machine('GET', '/internal/revocations'),
    );
    expect(measured.result.event).toBe('revocations');
    expect(measured.milliseconds).toBeLessThan(allowedMs(1_000, measured));
  });

  it('a stream resumes after the last event, by header and by query, and says so at once', async () => {
    const stream = await open();
    const { id } = await first(stream);
    stream.close();
    const missed = await revokedSession();
    const header = await open({
      headers: { 'x-internal-api-key': 'internal-key-of-the-tests', 'last-event-id': id },
    });
    const query = await open({ query: `?after=${id}` });
    for (const resumed of [header, query]) {
      const event = await first(resumed);
      expect(event.event).toBe('revocations');
      expect(event.data.entries?.map(({ sid }) => sid)).toEqual([missed]);
    }
    const again = await first(await open({ query: `?after=${(await first(header)).id}` }));
    expect([again.event, again.data.entries]).toEqual(['revocations', []]);
  });

  it('a refused stream is an ordinary error', async () => {
    const { header, claims } = takeApart(await serviceToken('reports'));
    const expired = signRs256({ header, claims: { ...claims, exp: Number(claims.iat) - 60 } });
    const gone = Buffer.from('1.0123456789abcdef.1.1.0.').toString('base64url');
    for (const [options, status, code] of [
      [{ headers: {} }, 403, 'forbidden'],
      [{ headers: { 'x-internal-api-key': 'wrong' } }, 403, 'forbidden'],
      [{ headers: { authorization: 'Bearer wrong' } }, 403, 'forbidden'],
      [{ headers: { 'x-service-token': expired } }, 401, 'unauthorized'],
      [{ headers: { 'x-service-token': await serviceToken('billing') } }, 403, 'forbidden'],
      [{ query: `?after=${gone}` }, 410, 'gone'],
    ] as const) {
      const stream = await open(options);
      await waitUntil(() => stream.hasEnded, { what: 'the end of the response' });
      expect([stream.status, stream.headers['content-type']]).toEqual([
        status,
        'application/json; charset=utf-8',
      ]);
      expect(stream.text).toContain(`"code":"${code}"`);
    }
  });

  it('a client that leaves is no listener any more, and without listeners nothing is polled', async () => {
    const alone = await serviceForThisTest();
    const { counts } = alone.auth.revocations;
    expect(counts).toMatchObject({ listeners: 0, polls: { success: 0, failure: 0 } });
    const stream = await open({}, alone);
    await first(stream);
    expect(alone.auth.revocations.counts.listeners).toBe(1);
    stream.close();
    await waitUntil(() => alone.auth.revocations.counts.listeners === 0, { what: 'no listener' });
    // A poll that was under way may still end.
    await sleep(300);
    const { polls } = alone.auth.revocations.counts;
    await sleep(600);
    expect(alone.auth.revocations.counts.polls).toEqual(polls);
  });
});

it('a client that does not read is disconnected, and the others receive everything', async () => {
  const target = await serviceForThisTest();
  const reading = await open({}, target);
  await first(reading);
  const { hostname, port } = new URL(target.url);
  const silent = connect(Number(port), hostname);
  onTestFinished(() => void silent.destroy());
  silent.pause();
  silent.on('error', () => undefined);
  silent.write(
    'GET /internal/revocations HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n' +
      'X-Internal-API-Key: internal-key-of-the-tests\r\n\r\n',
  );
  await waitUntil(() => target.auth.revocations.counts.listeners === 2, { what: 'two listeners' });
  let revoked = 0;
  const isAlone = async () => {
    await target.sql(
      'INSERT INTO revocations (session_id) SELECT gen_random_uuid() FROM generate_series(1, 5000)',
    );
    revoked += 5_000;
    const received = () =>
      reading.events.reduce((sum, { data }) => sum + (data.entries?.length ?? 0), 0) >= revoked;
    await waitUntil(received, { what: 'all entries' });
    return target.auth.revocations.counts.listeners === 1;
  };
  await waitUntil(isAlone, { what: 'one listener' });
  expect(reading.hasEnded).toBe(false);
});

describe('credentials for the feed', () => {
  it('a service token with the scope revocations:read is accepted in X-Service-Token, and nowhere else', async () => {
    const token = await serviceToken('reports');
    const headers = { 'x-service-token': token };
    expect((await service.api('GET', '/internal/revocations', { headers })).status).toBe(200);
    expect((await open({ headers })).status).toBe(200);
    expect(await service.api('GET', '/internal/revocations', { token })).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    expect((await open({ headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
  });

  it('a service token with the scope revocations:read opens no other route', async () => {
    const headers = { 'x-service-token': await serviceToken('reports') };
    const answer = await service.api('GET', '/internal/admin/audit-logs', { headers });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('an access token of a superadmin is not accepted', async () => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const answer = await service.api('GET', '/internal/revocations', { token });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('a stream and a poll end when the service token expires, and others go on', async () => {
    const short = await serviceForThisTest({ env: { SERVICE_CLIENTS, SERVICE_TOKEN_TTL: '2' } });
    const headers = { 'x-service-token': await serviceToken('reports', short) };
    const kept = await open({}, short);
    const stream = await open({ headers }, short);
    const { id } = await first(stream);
    const poll = await besideProbe(
      () => short.client.send('GET', `/internal/revocations?after=${id}&wait=20`, { headers }),
      () => short.machine('GET', '/internal/revocations'),
    );
    expect([poll.result.status, poll.result.data.entries]).toEqual([200, []]);
    expect(poll.milliseconds).toBeLessThan(allowedMs(4_000, poll));
    await waitUntil(() => stream.hasEnded, { what: 'the end of the stream' });
    expect(kept.hasEnded).toBe(false);
  });
});

/** At the end of the file, since the stream has been silent meanwhile. */
it('a silent stream has a heartbeat every five seconds, from whose cursor it resumes', async () => {
  const beats = () => silentStream.events.filter(({ event }) => event === 'heartbeat');
  await waitUntil(() => beats().length >= 2, { what: 'two heartbeats' });
  const [one, two] = beats();
  const apart = (two?.at ?? 0) - (one?.at ?? 0);
  const slack = allowedSince(one?.at ?? 0, 500);
  expect(Math.abs(apart - 5_000)).toBeLessThan(slack);
  expect(one?.data).toEqual({});
  const missed = await revokedSession(silent);
  const resumed = await first(await open({ query: `?after=${String(two?.id)}` }, silent));
  expect(resumed.data.entries?.map(({ sid }) => sid)).toEqual([missed]);
});
