import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unknownClient } from '@latchkey/core';
import { createAdministration, type Administration } from '@latchkey/operations';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';

const ROUNDS = 10;
const OPERATORS_PASSWORD = 'a horse from the operator';

let service: TestService;
/** Connections of its own: it shares nothing with the service but the rows. */
let administration: Administration;

beforeAll(async () => {
  service = await startTestService();
  administration = await createAdministration(service.auth.settings);
});

afterAll(async () => {
  await administration.close();
  await service.stop();
});

const setPassword = (userId: string) =>
  administration.passwords.set(
    { kind: 'operator', name: 'test' },
    userId,
    { password: OPERATORS_PASSWORD, removePasskeys: false },
    unknownClient,
  );

const liveSessions = (userId: string) =>
  service.sql('SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked', [userId]);

it('a sign-in with the old password that overlaps a new one leaves no live session', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await service.createUser();
    await Promise.all([
      setPassword(user.id),
      sleep(round * 10).then(() => service.api('POST', '/auth/login', { body: user })),
    ]);
    expect(await liveSessions(user.id)).toEqual([]);
  }
});

it('a reset that overlaps a new password comes before or after all of it', async () => {
  const resets = new ResetClient(service);
  for (let round = 0; round < ROUNDS; round++) {
    const { id, email, token } = await resets.userWithToken();
    const [, reset] = await Promise.all([
      setPassword(id),
      sleep(round * 8).then(() => resets.confirm(token, 'a horse from the mailbox')),
    ]);
    // A link that outlived the operator's password would have the last word.
    const opens = await resets.login(email, OPERATORS_PASSWORD);
    expect(opens.status, opens.text).toBe(200);
    const raised = reset.status === 200 ? 3 : 2;
    expect(await resets.stateOf(id)).toMatchObject({ token_version: raised });
  }
});
