import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Verifier } from '@latchkey/verifier';
import { ApiClient } from '../../test/support/api-client.js';
import { signRs256, takeApart } from '../../test/support/forged-token.js';
import { asSignedInByPassword, signedInUser } from '../../test/support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../../test/support/service.js';
import { TcpLink } from '../../test/support/tcp-link.js';
import { requestsIn } from '../../test/support/verifier/refusal-time.js';
import { verifierOf } from '../../test/support/verifier/verifiers.js';
import { waitUntil } from '../../test/support/wait-until.js';
import { reportsApp } from './reports-app.js';

let latchkey: TestService;
let link: TcpLink;
let verifier: Verifier;
let server: Server;
let reports: ApiClient;

beforeAll(async () => {
  latchkey = await startTestService();
  link = await TcpLink.to(latchkey.url);
  const { issuer, audience } = latchkey.auth.settings.tokens;
  const credential = { internalApiKey: INTERNAL_KEY };
  verifier = await verifierOf({ url: link.by(latchkey.url) }, { issuer, audience, credential });
  server = createServer(reportsApp(verifier));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  reports = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterAll(async () => {
  reports.close();
  verifier.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await link.close();
  await latchkey.stop();
});

const get = (path: string, token?: string) => reports.send('GET', path, { token });

it('the service accepts an access token and reads the caller from it', async () => {
  const { id, token } = await signedInUser(latchkey);
  const answer = await get('/reports', token);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain(id);
});

it('the service rejects a request without a token in the header', async () => {
  const { token } = await signedInUser(latchkey);
  for (const path of ['/reports', `/reports?access_token=${token}`]) {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
});

it('a staff route accepts staff only', async () => {
  const [staff, user] = [
    await signedInUser(latchkey, { role: 'PLATFORM_MODERATOR' }),
    await signedInUser(latchkey),
  ];
  expect((await get('/reports/all', staff.token)).status).toBe(200);
  expect(await get('/reports/all', user.token)).toMatchObject({ status: 403, code: 'forbidden' });
});

it('a payout requires a sign-in of the last minutes', async () => {
  const payOut = (token: string) => reports.send('POST', '/payouts', { token });
  const { token } = asSignedInByPassword(await signedInUser(latchkey));
  expect((await payOut(token)).status).toBe(201);
  const { header, claims } = takeApart(token);
  const old = { ...claims, auth_time: Number(claims.auth_time) - 400 };
  const answer = await payOut(signRs256({ header, claims: old }));
  expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
  expect(answer.headers['www-authenticate']).toContain('max_age=300');
});

it('the service detects a revoked session without asking about it', async () => {
  const { token, refreshToken } = await signedInUser(latchkey);
  expect((await get('/reports', token)).status).toBe(200);
  const before = requestsIn(link.sent);
  await latchkey.api('POST', '/auth/logout', { body: { refreshToken } });
  const isRefused = async () => (await get('/reports', token)).code === 'session_revoked';
  await waitUntil(isRefused, { what: 'the refusal' });
  expect(requestsIn(link.sent)).toBe(before);
});

it('the state of the verifier is shown', async () => {
  expect(JSON.parse((await get('/health')).text)).toMatchObject({
    state: 'live',
    keys: 1,
    transport: 'stream',
  });
});
