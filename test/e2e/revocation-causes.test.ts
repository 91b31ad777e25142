import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REVOKE_REASONS, type RevokeReason } from '../../packages/core/src/sessions/session.js';
import { mintActing } from '../support/acting.js';
import { enrol } from '../support/authenticator-app.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { ExternalClient, externalEnv, logOutAt } from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider } from '../support/hostile-provider.js';
import {
  asSignedInByPassword,
  mintTokens,
  signedInUser,
  type SignedInTestUser,
} from '../support/minted-token.js';
import { refresh, rotated } from '../support/refresh.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let provider: HostileProvider;

beforeAll(async () => {
  provider = await HostileProvider.start();
  service = await startTestService({ env: { ...externalEnv(provider), ACCOUNT_DELETION: 'self' } });
});
afterAll(async () => {
  await service.stop();
  provider.stop();
});

const sessionOf = (token: string): string => String(takeApart(token).claims.sid);
const patch = (id: string, body: object) => service.machine('PATCH', `/internal/admin/users/${id}`, { body });
const change = (token: string, currentPassword: string) =>
  service.api('POST', '/auth/password/change', {
    token,
    body: { currentPassword, newPassword: NEW_PASSWORD },
  });

const signedInAgain = async (user: SignedInTestUser) => ({ ...user, ...(await service.signIn(user)) });

/** Links an account at the provider, and signs the user in by it. */
async function signedInByProvider(user: SignedInTestUser): Promise<{ sub: string; identityId: string }> {
  const external = new ExternalClient(service, provider);
  const person = { sub: randomUUID() };
  const { accessToken } = await service.signIn(user);
  const identityId = await external.linked('plain', person, accessToken);
  user.token = (await external.signIn('plain', person)).data.accessToken;
  return { ...person, identityId };
}

/** A way to revoke the session of a user for each reason. Complete: the compiler reports a reason without a way. */
const WAYS: Record<RevokeReason, (user: SignedInTestUser) => Promise<unknown>> = {
  logout: ({ refreshToken }) => service.api('POST', '/auth/logout', { body: { refreshToken } }),
  logout_all: ({ token }) => service.api('POST', '/auth/logout-all', { token }),
  logout_others: async ({ id }) => {
    const { token } = await mintTokens(service, id);
    return service.api('POST', '/auth/logout-others', { token });
  },
  revoked: ({ token }) => service.machine('POST', `/internal/sessions/${sessionOf(token)}/revoke`),
  revoke_all: ({ id }) => service.machine('POST', `/internal/admin/users/${id}/revoke-all`),
  role_changed: async (user) => {
    // It ends a session only if an actor acts in it for the user.
    user.token = (await mintActing(service, user.id)).token;
    return patch(user.id, { globalRole: 'PLATFORM_MODERATOR' });
  },
  deactivated: ({ id }) => patch(id, { isActive: false }),
  approval_withdrawn: ({ id }) => patch(id, { approvalStatus: 'PENDING' }),
  password_changed: async (user) => {
    const { accessToken } = await service.signIn(user);
    return change(accessToken, user.password);
  },
  password_reset: async ({ email }) => {
    const resets = new ResetClient(service);
    return resets.confirm(await resets.tokenFor(email));
  },
  refresh_reuse: async ({ refreshToken }) => {
    await rotated(service, refreshToken);
    return refresh(service, refreshToken);
  },
  factor_added: async (user) => enrol(service, (await service.signIn(user)).accessToken),
  factors_reset: ({ id }) =>
    service.machine('DELETE', `/internal/admin/users/${id}/factors`, { body: { reason: 'lost phone' } }),
  erased: ({ id }) =>
    service.machine('DELETE', `/internal/admin/users/${id}/personal-data`, { body: { reason: 'request' } }),
  confirmation_failed: async ({ token }) => {
    for (let guess = 0; guess < 10; guess += 1) await change(token, `guess number ${guess}`);
  },
  email_changed: async (user) => new EmailChangeClient(service).changed(await signedInAgain(user)),
  email_change_undone: async (user) => {
    const changes = new EmailChangeClient(service);
    // This session requests the change, so the confirmation leaves it to the undo.
    const { token: accessToken, email } = asSignedInByPassword(user);
    const { undo } = await changes.changed({ accessToken, email });
    return changes.undo(undo);
  },
  deletion_requested: async (user) => {
    const { accessToken } = await service.signIn(user);
    return service.api('DELETE', '/auth/me', { token: accessToken });
  },
  identity_unlinked: async (user) => {
    const { identityId } = await signedInByProvider(user);
    const { accessToken: token } = await service.signIn(user);
    return service.api('DELETE', `/auth/external/identities/${identityId}`, { token });
  },
  provider_logout: async (user) => {
    const { sub } = await signedInByProvider(user);
    return logOutAt(service, await provider.logoutToken({ sub }));
  },
};

describe('every reason for which a session is revoked', () => {
  it.each(REVOKE_REASONS)(
    '%s writes the entry in the transaction that revokes the session',
    async (reason) => {
      const user = await signedInUser(service);
      const { data } = await service.machine('GET', '/internal/revocations');
      await WAYS[reason](user);
      const sid = sessionOf(user.token);
      // Both rows have the same transaction, so neither can be kept without the other.
      expect(
        await service.sql(
          `SELECT s.revoke_reason, s.xmin::text = r.transaction_id::xid::text AS together
         FROM sessions s JOIN revocations r ON r.session_id = s.id WHERE s.id = $1`,
          [sid],
        ),
      ).toEqual([{ revoke_reason: reason, together: true }]);
      const later = await service.machine('GET', `/internal/revocations?after=${String(data.cursor)}`);
      expect(later.data.entries).toContainEqual({
        type: 'session-revoked',
        sid,
        at: expect.any(String) as string,
      });
    },
  );
});

/** Every change that raises the token version of a user. */
const RAISING: Record<string, (user: SignedInTestUser) => Promise<unknown>> = {
  'a change of role': ({ id }) => patch(id, { globalRole: 'PLATFORM_ADMIN' }),
  'a deactivation': ({ id }) => patch(id, { isActive: false }),
  'a withdrawn approval': ({ id }) => patch(id, { approvalStatus: 'REJECTED' }),
  'a reset of the password': WAYS.password_reset,
  'a deletion by the user': WAYS.deletion_requested,
  'an undone change of the address': WAYS.email_change_undone,
  'a password that an operator sets': ({ id }) =>
    service.auth.admin.passwords.set({ kind: 'operator', name: 'alice' }, id, { password: NEW_PASSWORD }),
  'a bootstrap of the first superadmin': ({ id }) =>
    service.auth.admin.bootstrap.promote({ kind: 'operator', name: 'alice' }, id),
  'SQL by hand': ({ id }) =>
    service.sql('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [id]),
};

describe('every way that raises a token version', () => {
  it.each(Object.keys(RAISING))('%s writes the entry in the same transaction', async (way) => {
    const user = await signedInUser(service);
    await RAISING[way]?.(user);
    expect(
      await service.sql(
        `SELECT r.token_version, u.token_version AS current, u.xmin::text = r.transaction_id::xid::text AS together
         FROM users u JOIN revocations r ON r.user_id = u.id WHERE u.id = $1`,
        [user.id],
      ),
    ).toEqual([{ token_version: 2, current: 2, together: true }]);
  });

  it('every column change that raises a token version goes through the trigger, whatever the search path is', async () => {
    const user = await signedInUser(service);
    await service.sql(`BEGIN; SET LOCAL search_path = pg_catalog;
      UPDATE public.users SET token_version = 9 WHERE id = '${user.id}'; COMMIT`);
    const rows = await service.sql('SELECT token_version FROM revocations WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([{ token_version: 9 }]);
  });
});

it('a rotation, a use and a profile change write no entry', async () => {
  const user = await signedInUser(service);
  const count = async () => (await service.sql('SELECT count(*) FROM revocations'))[0];
  const before = await count();
  const { accessToken } = (await refresh(service, user.refreshToken)).data;
  await service.api('GET', '/auth/me', { token: accessToken });
  await service.api('PATCH', '/auth/me', { token: accessToken, body: { fullName: 'Ada' } });
  expect(await count()).toEqual(before);
});

it('an account that may only revoke sessions needs no right on the table of the feed', async () => {
  const user = await signedInUser(service);
  const sid = sessionOf(user.token);
  const role = `revoker_${sid.replaceAll('-', '')}`;
  await service.sql(`CREATE ROLE ${role}; GRANT SELECT, UPDATE ON sessions TO ${role}`);
  try {
    await service.sql(`BEGIN; SET LOCAL ROLE ${role};
      UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE id = '${sid}'; COMMIT`);
    expect(await service.sql('SELECT 1 AS found FROM revocations WHERE session_id = $1', [sid])).toEqual([
      { found: 1 },
    ]);
  } finally {
    await service.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});
