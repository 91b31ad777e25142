import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Verifier } from '@latchkey/verifier';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { TcpLink } from '../support/tcp-link.js';
import { accessToken, requestWith } from '../support/verifier/access-token.js';
import { FEED_CLIENT } from '../support/verifier/feed-service.js';
import { MovedClock } from '../support/verifier/moved-clock.js';
import { closeAfterAll, codeOf, feedService, untilState, verifierOf } from '../support/verifier/verifiers.js';
import { waitUntil } from '../support/wait-until.js';

closeAfterAll();

const health = (service: { url: string }): Promise<unknown> => fetch(`${service.url}/health`);

const untilRevoked = (verifier: Verifier, token: string) =>
  waitUntil(async () => (await codeOf(verifier, token)) === 'session_revoked', { what: 'the revocation' });

describe.concurrent('a stream', () => {
  it('a stream that ends is replaced by another one', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    service.endStreams();
    await waitUntil(() => service.count('stream') === 2, { what: 'a second stream' });
    const sid = randomUUID();
    await waitUntil(() => service.openStreams === 1, { what: 'the stream' });
    service.revokeSession(sid);
    await untilRevoked(verifier, await accessToken({ sid }));
    expect(verifier.status).toMatchObject({ state: 'live', transport: 'stream', error: undefined });
  });

  it('the feed is live again within five seconds after an outage', async () => {
    const service = await feedService();
    const link = await TcpLink.to(service.url);
    const verifier = await verifierOf({ url: link.by(service.url) });
    link.cut();
    // Then the delay between two attempts is the longest one.
    await waitUntil(() => link.refused >= 6, { what: 'attempts in vain' });
    const sid = randomUUID();
    service.revokeSession(sid);
    const token = await accessToken({ sid });
    link.fix();
    const back = await besideProbe(
      () => untilRevoked(verifier, token),
      () => health(service),
    );
    expect(back.milliseconds).toBeLessThan(allowedMs(5_000, back));
    await link.close();
  });

  it('a connection that is refused in a row is retried at growing intervals', async () => {
    const service = await feedService();
    service.feedStatus = 503;
    await verifierOf(service, { startStale: true });
    await waitUntil(() => service.count('stream') >= 5, { what: 'five attempts' });
    const times = service.timesOf('stream');
    // The fifth comes after delays of at least 50, 100, 200 and 400 ms.
    expect((times[4] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(740);
  });

  it('a closed verifier has no connection and asks for nothing', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    verifier.close();
    await waitUntil(() => service.openStreams === 0, { what: 'the end of the stream' });
    const before = service.requests.length;
    await sleep(500);
    expect(service.requests.length).toBe(before);
  });
});

describe.concurrent('a proxy that buffers streams', () => {
  it('the feed is read by polls, and revocations arrive at once', async () => {
    const service = await feedService();
    service.buffersStreams = true;
    const verifier = await verifierOf(service);
    expect(verifier.status).toMatchObject({ state: 'live', transport: 'poll' });
    const sid = randomUUID();
    const token = await accessToken({ sid });
    await verifier.authenticate(requestWith(token));
    await waitUntil(() => service.count('poll') >= 3, { what: 'a poll that waits' });
    service.revokeSession(sid);
    const refused = await besideProbe(
      () => untilRevoked(verifier, token),
      () => health(service),
    );
    expect(refused.milliseconds).toBeLessThan(allowedMs(1_000, refused));
  });

  it('revocations that follow each other arrive by polls within a second', async () => {
    const service = await feedService();
    service.buffersStreams = true;
    const verifier = await verifierOf(service);
    await waitUntil(() => service.count('poll') >= 3, { what: 'a poll that waits' });
    for (let times = 0; times < 5; times += 1) {
      const sid = randomUUID();
      const token = await accessToken({ sid });
      await verifier.authenticate(requestWith(token));
      service.revokeSession(sid);
      const refused = await besideProbe(
        () => untilRevoked(verifier, token),
        () => health(service),
      );
      expect(refused.milliseconds).toBeLessThan(allowedMs(700, refused));
    }
  });

  it('polls keep the feed live, and are few', async () => {
    const service = await feedService();
    service.buffersStreams = true;
    const clock = new MovedClock();
    const states: string[] = [];
    let passed = 0;
    // A poll that waits is answered at once, and its time has passed on the verifier's clock.
    service.onWait = (seconds) => {
      if (passed >= 30) return false;
      passed += seconds;
      clock.pass(seconds);
      return true;
    };
    await verifierOf(service, { clock, onStateChange: ({ state }) => states.push(state) });
    const before = service.count('poll');
    await waitUntil(() => passed >= 30, { what: 'half a minute' });
    expect(states).toEqual(['live']);
    expect(service.count('poll') - before).toBeLessThan(16);
  });
});

describe.concurrent('a link that is cut', () => {
  it('the feed resumes over a link that was cut and fixed', async () => {
    const service = await feedService();
    const link = await TcpLink.to(service.url);
    const verifier = await verifierOf({ url: link.by(service.url) }, { whenStale: 'refuse' });
    link.cut();
    const sid = randomUUID();
    service.revokeSession(sid);
    link.fix();
    await untilRevoked(verifier, await accessToken({ sid }));
    await link.close();
  });
});

describe.concurrent('the credential', () => {
  const credential = FEED_CLIENT;

  it('a service client gets a service token with the scope of the feed, and uses it for all connections', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service, { credential });
    service.endStreams();
    await waitUntil(() => service.count('stream') === 2, { what: 'a second stream' });
    expect(service.count('/auth/service-token')).toBe(1);
    expect(verifier.status.state).toBe('live');
  });

  it('a service token is renewed before it expires', async () => {
    const service = await feedService();
    const clock = new MovedClock();
    await verifierOf(service, { credential, clock });
    clock.pass(service.serviceTokenSeconds * 0.95);
    service.endStreams();
    await waitUntil(() => service.count('/auth/service-token') === 2, { what: 'a second token' });
  });

  it('a service token that is rejected is replaced', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service, { credential });
    service.rejectServiceTokens();
    await waitUntil(() => service.count('/auth/service-token') === 2, { what: 'a second token' });
    await waitUntil(() => service.openStreams === 1, { what: 'a stream' });
    await untilState(verifier, 'live');
  });

  it.each([
    ['key', { internalApiKey: 'wrong' }, /403.*Check the credential/],
    ['secret', { clientId: 'reports', clientSecret: 'wrong secret' }, /401.*Check the credential/],
  ])('a wrong %s fails the start at once, and is not shown', async (_what, wrong, message) => {
    const service = await feedService();
    const start = await besideProbe(
      () => verifierOf(service, { credential: wrong }).catch((reason: unknown) => reason),
      () => health(service),
    );
    const error: unknown = start.result;
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('wrong');
    expect(start.milliseconds).toBeLessThan(allowedMs(5_000, start));
  });

  it('neither secrets nor tokens are logged', async () => {
    const service = await feedService();
    const lines: string[] = [];
    const write = (details: object, message: string) => {
      const { err } = details as { err?: Error };
      lines.push(`${message} ${JSON.stringify(details)} ${err?.stack ?? ''} ${String(err?.cause)}`);
    };
    const verifier = await verifierOf(service, { credential, logger: { info: write, warn: write } });
    service.feedStatus = 500;
    service.rejectServiceTokens();
    await waitUntil(() => lines.length >= 2, { what: 'a log line' });
    await verifier.authenticate(requestWith(await accessToken()));
    for (const secret of [FEED_CLIENT.clientSecret, 'service-token-'])
      expect(lines.join()).not.toContain(secret);
  });
});

describe.concurrent('the start', () => {
  it('the start fails with a clear message when the service is unavailable', async () => {
    const service = await feedService();
    await service.stop();
    await expect(verifierOf(service, { startTimeoutSeconds: 1 })).rejects.toThrow(/startStale: true/);
  });

  it('the start waits for a service that becomes available', async () => {
    const service = await feedService();
    await service.stop();
    setTimeout(() => void service.listen(), 700);
    const verifier = await verifierOf(service);
    expect(verifier.status).toMatchObject({ state: 'live', keys: 1 });
  });

  it('a start without the service answers 503 until it is live', async () => {
    const service = await feedService();
    await service.stop();
    const verifier = await verifierOf(service, { startStale: true });
    const token = await accessToken();
    await expect(verifier.authenticate(requestWith(token))).rejects.toMatchObject({ status: 503 });
    await service.listen();
    await untilState(verifier, 'live');
    await waitUntil(() => verifier.authenticate(requestWith(token)).catch(() => false), {
      what: 'acceptance',
    });
  });
});
