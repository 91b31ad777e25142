import { request } from 'node:http';
import { connect } from 'node:net';
import { createGzip, constants } from 'node:zlib';
import type { RequestHandler } from 'express';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import { takeApart } from '../support/forged-token.js';
import { startHostApp } from '../support/host-app.js';
import { signedInUser } from '../support/minted-token.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Takes over the body of a response as middleware that compresses does. */
const compress: RequestHandler = (_request, response, next) => {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const write = response.write.bind(response) as (bytes: Buffer) => boolean;
  gzip.on('data', (bytes: Buffer) => write(bytes));
  response.setHeader('Content-Encoding', 'gzip');
  response.write = ((bytes: Buffer | string) => gzip.write(bytes)) as typeof response.write;
  next();
};

async function revokedSession(): Promise<string> {
  const { token } = await signedInUser(service);
  expect((await service.api('POST', '/auth/logout-all', { token })).status).toBe(200);
  return String(takeApart(token).claims.sid);
}

/** Reads a stream that begins with a snapshot, until three revocations have followed it. */
async function expectRevocations(textNow: () => string): Promise<void> {
  await waitUntil(() => textNow().includes('event: snapshot'), { what: 'the snapshot' });
  for (let times = 0; times < 3; times += 1) {
    const sid = await revokedSession();
    await waitUntil(() => textNow().includes(sid), { what: 'the revocation' });
  }
  const events = textNow().split('\n\n').slice(0, -1);
  for (const event of events) expect(event).toMatch(/^event: \w+\nid: [\w-]+\ndata: \{.*\}$/);
}

it('middleware of a host app that compresses the response receives every event', async () => {
  const { gunzipSync } = await import('node:zlib');
  const app = await startHostApp((host) => {
    host.use(compress, createAuthRouter(service.auth));
  });
  onTestFinished(app.stop);
  const bytes: Buffer[] = [];
  const outgoing = request(`${app.url}/internal/revocations`, {
    agent: false,
    headers: { accept: 'text/event-stream', 'x-internal-api-key': INTERNAL_KEY },
  });
  outgoing.on('response', (incoming) => incoming.on('data', (part: Buffer) => bytes.push(part)));
  outgoing.on('error', () => undefined).end();
  onTestFinished(() => void outgoing.destroy());
  await expectRevocations(() =>
    bytes.length === 0
      ? ''
      : gunzipSync(Buffer.concat(bytes), { finishFlush: constants.Z_SYNC_FLUSH }).toString(),
  );
});

it('a client of HTTP/1.0, which knows no chunks, receives events without them', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write(
    `GET /internal/revocations HTTP/1.0\r\nHost: x\r\nAccept: text/event-stream\r\nX-Internal-API-Key: ${INTERNAL_KEY}\r\n\r\n`,
  );
  await expectRevocations(() => text.slice(text.indexOf('\r\n\r\n') + 4));
});
