import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express from 'express';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import * as core from '@latchkey/core';
import { authErrors, signInCookies } from '@latchkey/express-adapter';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { codeBlocks } from '../../tools/docs/code/page.js';
import { runExample } from '../support/docstrings/example-run.js';
import { waitUntil } from '../support/wait-until.js';

const text = readFileSync(new URL('../../docs/own-sign-in.md', import.meta.url), 'utf8');
const blocks = codeBlocks({ file: 'docs/own-sign-in.md', text });
const codeOf = (language: string): string =>
  blocks.find((block) => block.language === language && block.code.includes('app.sign_in_links'))?.code ?? '';

let kit: TestAuth;
let address: string;
const sent: { to: string; token: string }[] = [];

beforeAll(async () => {
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    schema: 'latchkey',
    settings: { AUTH_WEB_COOKIE_MODE: 'true' },
  });
  const pool = new pg.Pool({ connectionString: kit.databaseUrl });
  kit.onClose(() => pool.end());
  await pool.query('CREATE SCHEMA app');
  await pool.query(codeOf('sql'));
  const app = express();
  app.use(express.json());
  const send = (to: string, link: string): Promise<void> => {
    sent.push({ to, token: new URL(link).searchParams.get('token') ?? '' });
    return Promise.resolve();
  };
  await runExample(codeOf('ts'), {
    ...core,
    signInCookies,
    createHash,
    randomBytes,
    app,
    auth: kit.auth,
    pool,
    send,
  });
  app.use(authErrors(kit.auth));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  kit.onClose(() => server.close());
  address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => kit.close());

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function linkTo(email: string): Promise<string> {
  const before = sent.length;
  expect((await post('/sign-in/link', { email })).status).toBe(202);
  await waitUntil(() => sent.length > before, { what: 'the link' });
  return sent.at(-1)?.token ?? '';
}

it('a mailed link signs its user in once, with the cookies of the service', async () => {
  const { email, id } = await kit.user();
  const token = await linkTo(email);
  const response = await post('/sign-in/link/confirm', { token });
  expect(await response.json()).toEqual({ status: 'ok' });
  const [access = ''] = response.headers.getSetCookie();
  expect(access).toMatch(/^__Host-lk_access=\S+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const accessToken = access.slice('__Host-lk_access='.length).split(';')[0] ?? '';
  expect(await kit.auth.authenticator.authenticate(accessToken)).toMatchObject({ userId: id, amr: ['otp'] });

  const again = await post('/sign-in/link/confirm', { token });
  expect(again.status).toBe(401);
  expect(await again.json()).toMatchObject({
    error: { code: 'unauthorized', message: 'The link is unknown, used or expired.' },
  });
});

it('a mailed link ends the session of a stranger who registered the address', async () => {
  const stranger = await kit.user();
  const pool = new pg.Pool({ connectionString: kit.databaseUrl, max: 1 });
  kit.onClose(() => pool.end());
  await pool.query('UPDATE latchkey.users SET email_verified_at = NULL WHERE id = $1', [stranger.id]);
  const response = await post('/sign-in/link/confirm', { token: await linkTo(stranger.email) });
  expect(response.status).toBe(200);
  await expect(kit.auth.authenticator.authenticate(stranger.accessToken)).rejects.toMatchObject({
    code: 'session_revoked',
  });
});

it('a link to an address that the account no longer has is refused', async () => {
  const user = await kit.user();
  const token = await linkTo(user.email);
  await kit.auth.admin.users.patch({ kind: 'operator', name: 'tests' }, user.id, {
    email: `new-${user.id}@example.com`,
  });
  expect((await post('/sign-in/link/confirm', { token })).status).toBe(401);
});

it('an unknown address gets the same response and no link', async () => {
  const before = sent.length;
  expect((await post('/sign-in/link', { email: 'unknown@example.com' })).status).toBe(202);
  await linkTo((await kit.user()).email);
  expect(sent).toHaveLength(before + 1);
});

it('the cookies of a raised session are its access token alone', async () => {
  const { accessToken } = await kit.user();
  const { sessionId } = await kit.auth.authenticator.authenticate(accessToken);
  const raised = await kit.auth.stepUp.confirmedBy({ sessionId, method: 'sms code', amr: ['sms'] });
  const cookies = signInCookies(kit.auth, raised);
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-lk_access']);
  const secondFactor = { challenge: 'lkc_x', methods: ['totp'], expiresIn: 300 };
  expect(signInCookies(kit.auth, { secondFactor })).toEqual([]);
});
