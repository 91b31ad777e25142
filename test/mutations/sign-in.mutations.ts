import type { Mutation } from './mutation.js';

export const signInMutations: readonly Mutation[] = [
  {
    promise: 'The status of an account is disclosed only after the right password.',
    defect: 'the state of an account is checked before the password',
    file: 'packages/core/src/login/login-service.ts',
    from: '    const account = await this.#deps.users.findForLogin(email);\n    const bucket',
    to: '    const account = await this.#deps.users.findForLogin(email);\n    if (account) await assertAllowedToSignIn(this.#deps, account.user, { client, details: {} });\n    const bucket',
  },
  {
    promise:
      'Passwords are hashed with Argon2id at the recommended cost or more, and rehashed when the cost is raised.',
    defect: 'a hash of other parameters is kept',
    file: 'packages/core/src/passwords/password-hasher.ts',
    from: 'return !parsed || !hasParameters(parsed, this.#parameters);',
    to: 'return !parsed;',
  },
  {
    promise: 'Forged headers gain nothing: forwarded addresses count only as far as `TRUST_PROXY` allows.',
    defect: 'every proxy is believed',
    file: 'packages/server/src/create-app.ts',
    from: 'trustProxy: http.trustProxy',
    to: 'trustProxy: 9',
  },
  {
    promise:
      'A password reset request discloses no account, and sends one address at most three mails at once.',
    defect: 'only a known email is audited',
    file: 'packages/core/src/password-reset/password-reset-service.ts',
    from: '    const user = await this.#deps.users.findByEmail(email);\n',
    to: "    const user = await this.#deps.users.findByEmail(email);\n    if (!user) return { status: 'ok' };\n",
  },
  {
    promise:
      'A reset link works once and for a limited time, and revokes what the old password gave access to: sessions, passkeys, other links. It opens no inactive account.',
    defect: 'a reset removes the passkeys of everybody',
    file: 'packages/core/src/passkeys/passkey-repository.ts',
    from: "return trx('passkey_credentials').where({ user_id: userId }).delete();",
    to: "return trx('passkey_credentials').delete();",
  },
  {
    promise: 'A revoked session is rejected at its next request, by every replica.',
    defect: 'an ended session goes on',
    file: 'packages/core/src/sessions/session-status.ts',
    from: "  if (state.isRevoked) throw new AuthError('session_revoked', 'This session was ended. Sign in again.');\n",
    to: '',
  },
  {
    promise:
      'Deactivation and withdrawal of approval revoke all sessions. A role change makes issued tokens outdated.',
    defect: 'a new role leaves issued tokens as they are',
    file: 'packages/core/src/admin/user-change.ts',
    from: 'raisesTokenVersion: changesRole || deactivates',
    to: 'raisesTokenVersion: deactivates',
  },
  {
    promise: 'A sign-in that races a password change or a deactivation leaves no active session.',
    defect: 'the verified password hash is not compared',
    file: 'packages/core/src/sessions/session-repository.sql.ts',
    from: 'AND ($4::text IS NULL OR password_hash = $4)\n       AND ($19',
    to: 'AND ($4::text IS NULL OR password_hash IS NOT NULL)\n       AND ($19',
  },
  {
    promise: 'Sessions expire, whether idle or in use.',
    defect: 'an expired session is accepted',
    file: 'packages/core/src/sessions/session-status.ts',
    from: '  if (state.isExpired) throw expired();\n',
    to: '',
  },
  {
    promise: 'An unknown email, a wrong password and an account without a password get the same response.',
    defect: 'a known email is answered in other words',
    file: 'packages/core/src/login/login-service.ts',
    from: "throw AuthError.unauthorized('The email or the password is wrong.', 'credentials_wrong');",
    to: "throw AuthError.unauthorized(user ? 'The password is wrong.' : 'The email is wrong.');",
  },
  {
    promise:
      'A sign-in that finds the hashing queue full costs no SQL statement, and counts towards the limit of its address.',
    defect: 'a sign-in that finds the queue full is not counted',
    file: 'packages/http/src/routing/serve-route.ts',
    from: "if (route.limit === 'public-login') await auth.loginRateLimiter.consume(address);",
    to: '',
  },
  {
    promise: 'Requests whose body never arrives hold no capacity for hashing: all other addresses sign in.',
    defect: 'capacity is reserved while the body is awaited',
    file: 'packages/core/src/rate-limits/hashing-capacity.ts',
    from: '    this.#assertFree(ipBucket(ip));',
    to: '    this.#assertFree(ipBucket(ip));\n    this.#count(ipBucket(ip), 1);',
  },
  {
    promise:
      'Requests that wait for a hook of the app, or for a lock, hold no capacity for hashing: all other addresses sign in.',
    defect: 'a place is reserved until the end of the request',
    file: 'packages/core/src/rate-limits/hashing-capacity.ts',
    from: 'setTimeout(release, PLACE_MS)',
    to: 'setTimeout(release, 1000 * PLACE_MS)',
  },
  {
    promise: 'Every route that hashes a password or takes a token of a mail is limited for each address.',
    defect: 'the token of a mail may be guessed as often as one likes',
    file: 'packages/http/src/routing/serve-route.ts',
    from: 'if (isRejectedToken(route, error)) await auth.anonymousRateLimiter.consume(client.ipAddress);',
    to: '',
  },
];
