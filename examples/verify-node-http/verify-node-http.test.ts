import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Verifier } from '@latchkey/verifier';
import { ApiClient } from '../../test/support/api-client.js';
import { takeApart } from '../../test/support/forged-token.js';
import { twice } from '../../test/support/guarded-host.js';
import { accessToken } from '../../test/support/verifier/access-token.js';
import { FeedService } from '../../test/support/verifier/feed-service.js';
import { verifierOf } from '../../test/support/verifier/verifiers.js';
import { waitUntil } from '../../test/support/wait-until.js';
import { ordersServer } from './orders-server.js';

let latchkey: FeedService;
let verifier: Verifier;
let server: Server;
let orders: ApiClient;

beforeAll(async () => {
  latchkey = await FeedService.start();
  verifier = await verifierOf(latchkey, { whenStale: 'refuse' });
  server = ordersServer(verifier);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  orders = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterAll(async () => {
  orders.close();
  verifier.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await latchkey.stop();
});

it('the server accepts an access token and reads the caller from it', async () => {
  const token = await accessToken();
  const answer = await orders.send('GET', '/orders', { token });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain(String(takeApart(token).claims.sub));
});

it('the server answers refusals in the form that the client prefers', async () => {
  expect(await orders.send('GET', '/orders')).toMatchObject({ status: 401, code: 'unauthorized' });
  const problem = await orders.send('GET', '/orders', { headers: { accept: 'application/problem+json' } });
  expect(problem.headers['content-type']).toBe('application/problem+json');
});

it('the server refuses two Authorization headers', async () => {
  const headers = twice('authorization', `Bearer ${await accessToken()}`);
  expect((await orders.send('GET', '/orders', { headers })).status).toBe(401);
});

it('the server refuses a revoked session', async () => {
  const token = await accessToken();
  latchkey.revokeSession(String(takeApart(token).claims.sid));
  await waitUntil(async () => (await orders.send('GET', '/orders', { token })).code === 'session_revoked', {
    what: 'the refusal',
  });
});
