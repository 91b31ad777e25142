import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { exchangeServer } from '../../../../test/support/exchange-server.js';
import type { Exchange } from '../exchange/exchange.js';
import { whenSent, type HttpResponse } from '../exchange/http-response.js';
import { dataResponse } from './envelope.js';
import { slicedList } from './sliced-list.js';

const unchanged = (slice: unknown[]): unknown[] => slice;

/** Lists that yield their slices and record how many were read, and whether the reading was ended. */
function recorded(slices: unknown[][], failAt?: number) {
  const seen = { read: 0, ended: false };
  const list = async function* () {
    try {
      for (const [index, slice] of slices.entries()) {
        if (index === failAt) throw new Error('the list cannot be read on');
        seen.read = index + 1;
        yield await Promise.resolve(slice);
      }
    } finally {
      seen.ended = true;
    }
  };
  return { seen, list: list() };
}

/** Starts a server for one kind of response; errors before the first byte are answered with 503. */
async function served(respond: (exchange: Exchange) => HttpResponse | Promise<HttpResponse>) {
  const failures: unknown[] = [];
  const url = await exchangeServer(async (exchange) => {
    try {
      return whenSent(await respond(exchange), (error) => {
        if (error !== undefined) failures.push(error);
      });
    } catch (error) {
      failures.push(error);
      return { status: 503, headers: exchange.headers };
    }
  });
  return { failures, url };
}

const respondWith =
  (list: AsyncIterable<unknown[]>, parse = unchanged) =>
  (exchange: Exchange): Promise<HttpResponse> =>
    slicedList(exchange, list, parse);

describe('a list that is sent in slices', () => {
  it.each([
    ['no slice', []],
    ['an empty slice', [[]]],
    ['one slice', [[{ a: 1 }, { a: '"ü]}' }]]],
    ['two slices', [[1, 2], [3]]],
    ['empty slices between others', [[], [1], [], [2, [3]], []]],
    ['empty slices only', [[], [], []]],
  ])('the body of %s is the one that the whole array has', async (_what, slices) => {
    const { url } = await served(respondWith(recorded(slices).list));
    const whole = await served((exchange) => dataResponse(exchange, 200, slices.flat()));
    const [answer, expected] = [await fetch(url), await fetch(whole.url)];
    expect([answer.status, await answer.text()]).toEqual([200, await expected.text()]);
    expect(answer.headers.get('content-type')).toBe(expected.headers.get('content-type'));
    expect(answer.headers.has('content-length')).toBe(slices.length < 2);
  });

  it('the items of every slice are parsed before they are sent', async () => {
    const { list } = recorded([[1], [2], [3], [4]]);
    const { url } = await served(respondWith(list, (slice) => slice.map((item) => Number(item) * 10)));
    expect(await (await fetch(url)).json()).toEqual({ success: true, data: [10, 20, 30, 40] });
  });

  it.each([0, 1])('a failure in slice %i comes before the response', async (failAt) => {
    const { list } = recorded([[1], [2], [3]], failAt);
    const { url, failures } = await served(respondWith(list));
    expect((await fetch(url)).status).toBe(503);
    expect(failures).toHaveLength(1);
  });

  it('a failure after the first byte closes the connection, and the body cannot be parsed', async () => {
    const { list, seen } = recorded([[1], [2], [3], [4]], 2);
    const { url, failures } = await served(respondWith(list));
    const { body, isComplete } = await received(url);
    expect(isComplete).toBe(false);
    expect(() => JSON.parse(body) as unknown).toThrow(SyntaxError);
    expect(failures).toEqual([new Error('the list cannot be read on')]);
    expect(seen.ended).toBe(true);
  });

  it('HEAD reads two slices, and has the headers of GET', async () => {
    const { list, seen } = recorded([[1], [2], [3], [4]]);
    const { url } = await served(respondWith(list));
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.has('content-length')).toBe(false);
    expect(seen).toEqual({ read: 2, ended: true });
  });

  it('a client that reads nothing is sent a few slices only, and the reading ends when it disconnects', async () => {
    const slice = Array.from({ length: 1_000 }, () => 'x'.repeat(1_000));
    const { list, seen } = recorded(Array.from({ length: 200 }, () => slice));
    const { url, failures } = await served(respondWith(list));
    const outgoing = request(url).end();
    const [incoming] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    incoming.pause();
    for (let before = -1; before !== seen.read;) {
      before = seen.read;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(seen.read).toBeLessThan(100);
    expect(seen.ended).toBe(false);
    outgoing.destroy();
    await expect.poll(() => seen.ended).toBe(true);
    expect(seen.read).toBeLessThan(100);
    expect(failures).toEqual([]);
  });
});

/** Returns what arrives until the end or the failure of a response. */
function received(url: string): Promise<{ body: string; isComplete: boolean }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
      incoming.on('error', () => undefined);
      incoming.on('close', () => resolve({ body, isComplete: incoming.complete }));
    });
    outgoing.on('error', reject).end();
  });
}
