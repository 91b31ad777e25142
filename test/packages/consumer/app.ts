// An app that embeds the service, with a route of its own behind each guard, and asks itself for them.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { authErrors, createAuthRouter, createGuards, getAccess, getAuth } from '@latchkey/express-adapter';
import { createTestAuth } from '@latchkey/testing';
import { createVerifier, VerificationError } from '@latchkey/verifier';
import { getCaller, requireAuth as requireVerified } from '@latchkey/verifier/express';

const kit = await createTestAuth();
const { requireAuth, requireAccess, requireRole } = createGuards(kit.auth);

export const app = express();
app.use('/identity', createAuthRouter(kit.auth));
app.get('/hello', requireAuth, (request, response) => {
  response.json(getAuth(request).userId);
});
app.get('/invoices', requireAccess({ module: 'billing' }), (request, response) => {
  response.json(getAccess(request).metadata.companyId);
});
app.get('/admin', requireRole('PLATFORM_ADMIN'), (_request, response) => {
  response.json('admin');
});
const verifier = await createVerifier({
  issuer: 'http://127.0.0.1:1',
  audience: 'latchkey',
  credential: { internalApiKey: 'a key' },
  startStale: true,
});
app.get('/verified', requireVerified(verifier), (request, response) => {
  response.json(getCaller(request).userId);
});
app.use(authErrors(kit.auth));

const server = app.listen(0);
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${base}${path}`, { headers });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

try {
  const ann = await kit.user({ company: 'acme', modules: ['billing'] });
  assert.deepEqual(await get('/hello', ann.headers), { status: 200, body: ann.id });
  assert.deepEqual(await get('/invoices', ann.headers), { status: 200, body: ann.companyId });
  assert.equal((await get('/admin', ann.headers)).status, 403);
  assert.equal((await get('/hello')).status, 401);
  assert.equal((await get('/identity/auth/me', ann.headers)).status, 200);
  assert.equal((await fetch(`${base}/identity/login`)).status, 200);
  assert.equal((await get('/verified')).status, 401);
  const refusal: unknown = await verifier.authenticateToken('x').catch((error: unknown) => error);
  assert.equal(VerificationError.is(refusal) && refusal.code, 'unauthorized');
} finally {
  verifier.close();
  server.close();
  await kit.close();
}
