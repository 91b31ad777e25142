import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { LoadDriver } from '../../bench/support/load-driver.js';

let driver: LoadDriver;

beforeAll(async () => {
  driver = await LoadDriver.start();
});

afterAll(() => driver.stop());

/** Listens for the length of a test. */
async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a closed load', () => {
  test('counts exactly the requests that the server has answered', async () => {
    let served = 0;
    const url = await serve((_request, response) => {
      served++;
      response.end('{}');
    });
    const result = await driver.drive({ kind: 'closed', url, connections: 4, seconds: 1 });
    expect(result.count).toBe(served);
    expect(result.count).toBeGreaterThan(4);
    expect(result.perSecond).toBeLessThanOrEqual(result.count);
    const { p50, p90, p99, max } = result.latency;
    expect([p50, p90, p99, max]).toEqual([p50, p90, p99, max].toSorted((a, b) => a - b));
    expect(p50).toBeGreaterThan(0);
  });

  test('sends as many requests at once as it has connections', async () => {
    let open = 0;
    let most = 0;
    const url = await serve((_request, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.end();
      }, 20);
    });
    await driver.drive({ kind: 'closed', url, connections: 7, seconds: 1 });
    expect(most).toBe(7);
  });

  test('waits for the responses to its last requests, and hands them over as the values of the chain', async () => {
    const presented: string[] = [];
    const url = await serve((request, response) => {
      void text(request).then((body) => {
        const { token } = JSON.parse(body) as { token: string };
        presented.push(token);
        const [connection = '', generation] = token.split('.');
        const next = `${connection}.${Number(generation) + 1}`;
        setTimeout(() => response.end(JSON.stringify({ data: { token: next } })), 30);
      });
    });
    const chain = { values: ['a.0', 'b.0'], next: ['data', 'token'] };
    const { chain: last } = await driver.drive({
      kind: 'closed',
      url,
      method: 'POST',
      body: '{"token":"{value}"}',
      chain,
      connections: 2,
      seconds: 1,
    });
    expect(new Set(presented).size).toBe(presented.length);
    const of = (connection: string) => presented.filter((token) => token.startsWith(connection)).length;
    expect(last).toEqual([`a.${of('a')}`, `b.${of('b')}`]);
  });

  test('sends every variant and no unique text twice', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(`${request.headers['x-name'] as string} ${request.url}`);
      response.end();
    });
    const variants = [
      { headers: { 'x-name': 'first' } },
      { headers: { 'x-name': '{unique}' }, path: '/other' },
    ];
    await driver.drive({ kind: 'closed', url, variants, connections: 1, seconds: 1 });
    expect(seen[0]).toBe('first /');
    const second = seen.filter((entry) => entry.endsWith('/other'));
    expect(new Set(second).size).toBe(second.length);
    expect(second.length).toBe(Math.floor(seen.length / 2));
  });

  test('fails with the status and the body of a request that the server rejects', async () => {
    const url = await serve((_request, response) => void response.writeHead(403).end('no entry'));
    const rejected = driver.drive({ kind: 'closed', url, connections: 1, seconds: 1 });
    await expect(rejected).rejects.toThrow(/status 403: no entry/);
    const expected = await driver.drive({ kind: 'closed', url, expect: [403], connections: 1, seconds: 1 });
    expect(expected.statuses).toEqual({ 403: expected.count });
  });
});

describe('an open load', () => {
  test('starts requests at its rate, however slow the responses are', async () => {
    const url = await serve((_request, response) => void setTimeout(() => response.end(), 200));
    const result = await driver.drive({ kind: 'open', url, rate: 50, connections: 50, seconds: 1 });
    expect(result.count).toBe(50);
    expect(result.latency.p50).toBeGreaterThanOrEqual(199);
  });

  test('counts the stall of a server from the time at which each delayed request was due', async () => {
    const stall = 300;
    const url = await serve((_request, response) => response.end());
    const load = driver.drive({ kind: 'open', url, rate: 100, connections: 10, seconds: 2 });
    setTimeout(() => {
      // This server is in our process, so blocking it stalls the server.
      const end = performance.now() + stall;
      while (performance.now() < end);
    }, 700);
    const { latency, count } = await load;
    expect(count).toBe(200);
    // Thirty of two hundred requests were due during the stall; a closed load would see one slow response.
    expect(latency.p99).toBeGreaterThan(stall * 0.8);
    expect(latency.p90).toBeGreaterThan(stall * 0.2);
  });
});
