// The client against the service, both as they are installed.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createClient, type SessionState } from '@latchkey/client';
import { createAuthRouter } from '@latchkey/express-adapter';
import { createTestAuth, TEST_PASSWORD } from '@latchkey/testing';

const kit = await createTestAuth();
const server = express().use(createAuthRouter(kit.auth)).listen(0);
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

try {
  const { email } = await kit.user();
  const client = createClient({ baseUrl, tokens: 'memory' });
  const states: SessionState['status'][] = [];
  client.session.subscribe(({ status }) => void states.push(status));
  const { data } = await client.signIn({ email, password: TEST_PASSWORD });
  assert.deepEqual(data, { status: 'signed_in' });
  const me = await client.me();
  assert.equal(me.ok ? me.data.email : me.error.code, email);
  await client.signOut();
  assert.deepEqual(states, ['signed_in', 'signed_out']);
} finally {
  server.close();
  await kit.close();
}
