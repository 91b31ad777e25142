import { randomBytes } from 'node:crypto';
import { uuidv7 as newId } from 'uuidv7';
import { digestOf } from '../../../packages/core/src/kernel/secret.js';
import type { RevokeReason } from '../../../packages/core/src/sessions/session.js';
import type { Answer } from '../api-client.js';
import { AuthenticatorApp } from '../authenticator-app.js';
import { takeApart } from '../forged-token.js';
import type { Replicas, Tokens } from '../replicas.js';
import type { TestUser } from '../test-users.js';

export type SignedInUser = TestUser & Tokens;

/** Ends the token of a user by requests to one of the replicas; the last one acknowledges it. Returns its status. */
export type WayToEnd = (user: SignedInUser, turn: number) => Promise<number>;

const NEW_PASSWORD = 'a new horse, a new battery';
const GUESSES = 10;

/** Returns a way for every reason for which a session is revoked, and for every request that raises a token version. */
export function waysToEnd(replicas: Replicas): Record<string, WayToEnd> {
  return { ...revokingSessions(replicas), ...raisingVersions(replicas) };
}

const post = async (replicas: Replicas, turn: number, path: string, options = {}): Promise<Answer> =>
  replicas.turn(turn).call('POST', path, options);

const change = (replicas: Replicas, turn: number, token: string, currentPassword: string) =>
  post(replicas, turn, '/auth/password/change', {
    token,
    body: { currentPassword, newPassword: NEW_PASSWORD },
  });

async function patch(replicas: Replicas, turn: number, id: string, body: object): Promise<number> {
  return (await replicas.machine(turn, 'PATCH', `/internal/admin/users/${id}`, { body })).status;
}

/** Reasons that need a provider, whose tests show that they end sessions. */
type ByProvider = 'identity_unlinked' | 'provider_logout';

/** Complete: the compiler reports a reason without a way. */
function revokingSessions(replicas: Replicas): Record<Exclude<RevokeReason, ByProvider>, WayToEnd> {
  const machine = async (turn: number, path: string) => (await replicas.machine(turn, 'POST', path)).status;
  return {
    logout: async ({ refreshToken }, turn) =>
      (await post(replicas, turn, '/auth/logout', { body: { refreshToken } })).status,
    logout_all: async ({ token }, turn) => (await post(replicas, turn, '/auth/logout-all', { token })).status,
    logout_others: async ({ id }, turn) => {
      const { token } = await replicas.mint(id);
      return (await post(replicas, turn, '/auth/logout-others', { token })).status;
    },
    revoked: ({ token }, turn) =>
      machine(turn, `/internal/sessions/${String(takeApart(token).claims.sid)}/revoke`),
    revoke_all: ({ id }, turn) => machine(turn, `/internal/admin/users/${id}/revoke-all`),
    // It revokes sessions in which an actor acts for the user, and raises the version that all their tokens need.
    role_changed: ({ id }, turn) => patch(replicas, turn, id, { globalRole: 'PLATFORM_MODERATOR' }),
    deactivated: ({ id }, turn) => patch(replicas, turn, id, { isActive: false }),
    approval_withdrawn: ({ id }, turn) => patch(replicas, turn, id, { approvalStatus: 'PENDING' }),
    password_changed: async (user, turn) => {
      const signIn = await post(replicas, turn, '/auth/login', {
        body: { email: user.email, password: user.password },
      });
      return (await change(replicas, turn, signIn.data.accessToken, user.password)).status;
    },
    password_reset: (user, turn) => resetPassword(replicas, user, turn),
    factor_added: async (user, turn) => {
      const body = { email: user.email, password: user.password };
      const { data } = await post(replicas, turn, '/auth/login', { body });
      const token = data.accessToken;
      const begun = await post(replicas, turn, '/auth/factors/totp', { token });
      const { id = '', secret = '' } = begun.data as unknown as Record<string, string>;
      const code = new AuthenticatorApp(secret).codeAt(0);
      return (await post(replicas, turn, `/auth/factors/totp/${id}/confirm`, { token, body: { code } }))
        .status;
    },
    factors_reset: async ({ id }, turn) => {
      const path = `/internal/admin/users/${id}/factors`;
      return (await replicas.machine(turn, 'DELETE', path, { body: { reason: 'lost phone' } })).status;
    },
    erased: async ({ id }, turn) => {
      const path = `/internal/admin/users/${id}/personal-data`;
      return (await replicas.machine(turn, 'DELETE', path, { body: { reason: 'request' } })).status;
    },
    refresh_reuse: async ({ refreshToken }, turn) => {
      const refresh = () => post(replicas, turn, '/auth/refresh', { body: { refreshToken } });
      await refresh();
      return (await refresh()).status === 401 ? 200 : 0;
    },
    confirmation_failed: async ({ token }, turn) => {
      for (let guess = 0; guess < GUESSES; guess += 1)
        await change(replicas, turn, token, `guess number ${guess}`);
      return 200;
    },
    deletion_requested: async ({ email, password }, turn) => {
      const { data } = await post(replicas, turn, '/auth/login', { body: { email, password } });
      return (await replicas.turn(turn).call('DELETE', '/auth/me', { token: data.accessToken })).status;
    },
    email_changed: (user, turn) => changeEmail(replicas, user, turn, 'confirm'),
    email_change_undone: (user, turn) => changeEmail(replicas, user, turn, 'undo'),
  };
}

function raisingVersions(replicas: Replicas): Record<string, WayToEnd> {
  return {
    'a role': ({ id }, turn) => patch(replicas, turn, id, { globalRole: 'PLATFORM_ADMIN' }),
    'a rejection': ({ id }, turn) => patch(replicas, turn, id, { approvalStatus: 'REJECTED' }),
    'SQL by hand': async ({ id }) => {
      await replicas.sql('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [id]);
      return 200;
    },
  };
}

/** As with a link that was sent by mail, for a change that another session requested; its token is written directly. */
async function changeEmail(
  replicas: Replicas,
  { id, email }: SignedInUser,
  turn: number,
  step: 'confirm' | 'undo',
): Promise<number> {
  const token = `lke_${randomBytes(32).toString('base64url')}`;
  const [changeId, newEmail] = [newId(), `new-${email}`];
  await replicas.sql(
    `INSERT INTO email_changes (id, user_id, session_id, new_email, token_digest, expires_at)
     VALUES ($1, $2, $1, $3, $4, now() + interval '5 minutes')`,
    [changeId, id, newEmail, digestOf(token)],
  );
  if (step === 'undo') {
    await replicas.sql(
      `UPDATE email_changes SET token_digest = NULL, undo_digest = token_digest, confirmed_at = now(), old_email = $2,
         undo_expires_at = now() + interval '5 minutes' WHERE id = $1`,
      [changeId, `old-${email}`],
    );
  }
  return (await post(replicas, turn, `/auth/email/change/${step}`, { body: { token } })).status;
}

/** As with a link that was sent by mail; its token is written directly. */
async function resetPassword(replicas: Replicas, { id }: SignedInUser, turn: number): Promise<number> {
  const token = `lkp_${randomBytes(32).toString('base64url')}`;
  await replicas.sql(
    `INSERT INTO password_reset_tokens (id, user_id, token_digest, expires_at)
     VALUES ($1, $2, $3, now() + interval '5 minutes')`,
    [newId(), id, digestOf(token)],
  );
  const body = { token, newPassword: NEW_PASSWORD };
  return (await post(replicas, turn, '/auth/password-reset/confirm', { body })).status;
}
