import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';

interface Client {
  call: (method: string, path: string) => Promise<unknown>;
}

const CLIENT: string = new URL('public/api.js', import.meta.url).href;

/** Starts an API whose access token is expired until the first refresh, with a delay given by each path. */
async function startApi(): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  let isFresh = false;
  const server = createServer((request, response) => {
    const { url = '' } = request;
    requests.push(url);
    const wasFresh = isFresh;
    if (url === '/auth/refresh') isFresh = true;
    const isAllowed = wasFresh || url === '/auth/refresh';
    const answer = isAllowed
      ? { success: true, data: 'let in' }
      : { success: false, error: { code: 'unauthorized', message: 'Expired.' } };
    void sleep(Number(url.slice(1)) || 0).then(() => {
      response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

it('the browser client refreshes once, also for calls that fail after the refresh', async () => {
  const { url, requests } = await startApi();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, options: RequestInit) => fetch(url + path, options));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { call } = (await import(CLIENT)) as Client;
  const paths = ['/0', '/1', '/150', '/300'];
  expect(await Promise.all(paths.map((path) => call('GET', path)))).toEqual(paths.map(() => 'let in'));
  expect(requests.filter((path) => path === '/auth/refresh')).toHaveLength(1);
  expect(requests.toSorted()).toEqual(['/auth/refresh', ...paths, ...paths].toSorted());
});
