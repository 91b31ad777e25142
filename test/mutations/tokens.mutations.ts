import type { Mutation } from './mutation.js';

const SHARED =
  'Refreshes that share a statement do not wait for the locks of other sessions, and none of them revives a session.';

export const tokenMutations: readonly Mutation[] = [
  {
    promise:
      'An access token is accepted only with an RS256 signature by a key of the key set and the right type, issuer, audience and times. The key never comes from the token.',
    defect: 'any RSA algorithm is accepted',
    file: 'packages/core/src/tokens/verify-access-token.ts',
    from: "      algorithms: ['RS256'],\n",
    to: '',
  },
  {
    promise:
      'An access token is accepted only with an RS256 signature by a key of the key set and the right type, issuer, audience and times. The key never comes from the token.',
    defect: 'the type of an access token is not checked',
    file: 'packages/core/src/tokens/verify-access-token.ts',
    from: '      typ: ACCESS_TOKEN_TYPE,\n',
    to: '',
  },
  {
    promise:
      'An access token is accepted only with an RS256 signature by a key of the key set and the right type, issuer, audience and times. The key never comes from the token.',
    defect: 'the audience of an access token is not checked',
    file: 'packages/core/src/tokens/verify-access-token.ts',
    from: '      audience: expected.audience,\n',
    to: '',
  },
  {
    promise: 'A token is read from the `Authorization` header and, outside cookie mode, from nowhere else.',
    defect: 'a token is taken from another header as well',
    file: 'packages/http/src/callers/signed-in.ts',
    from: "  const authorization = request.header('authorization');\n",
    to: "  const authorization = request.header('authorization') ?? `Bearer ${request.header('x-access-token')}`;\n",
  },
  {
    promise: 'Keys are rotated without rejecting a valid token. Nothing signed by a removed key is accepted.',
    defect: 'further verification keys are not accepted',
    file: 'packages/core/src/tokens/key-set.ts',
    from: 'new Map([...others, signing].map(',
    to: 'new Map([signing].map(',
  },
  {
    promise: 'The database stores digests of refresh tokens, never the tokens.',
    defect: 'the secret itself is stored',
    file: 'packages/core/src/sessions/session-creator.ts',
    from: 'secretDigest: digestOf(refreshToken.secret)',
    to: 'secretDigest: refreshToken.secret',
  },
  {
    promise:
      'A spent refresh token that is presented later revokes its session permanently, and the audit log records it.',
    defect: 'reuse is always pardoned',
    file: 'packages/core/src/sessions/refresh-verdict.ts',
    from: "? 'successor' : 'reused'",
    to: "? 'successor' : 'successor'",
  },
  {
    promise:
      'Overlapping refreshes of one token get the same successor from every replica, with a single rotation. A stalled process never causes a false reuse detection.',
    defect: 'requests that overlap count as reuse',
    file: 'packages/core/src/sessions/refresh-verdict.ts',
    from: 'Math.max(timing.answerDelay, timing.stalledFor, timing.reuseGrace)',
    to: 'Math.min(timing.answerDelay, timing.stalledFor, timing.reuseGrace)',
  },
  {
    promise: SHARED,
    defect: 'a refresh waits for the locks of other sessions',
    file: 'packages/core/src/sessions/rotation-repository.ts',
    from: ' SKIP LOCKED',
    to: '',
  },
  {
    promise: SHARED,
    defect: 'a shared statement rotates sessions that have ended',
    file: 'packages/core/src/sessions/rotation-repository.ts',
    from: '`NOT s.is_revoked AND s.expires_at > now()',
    to: '`true',
  },
  {
    promise: 'A forged or damaged refresh token has no effect.',
    defect: 'an older token need not be genuine',
    file: 'packages/core/src/sessions/refresh-verdict.ts',
    from: 'const isEarlier = token.isGenuine && token',
    to: 'const isEarlier = token',
  },
  {
    promise: 'Service tokens are not accepted as access tokens or the reverse. A scope is never widened.',
    defect: 'the type of a service token is not checked',
    file: 'packages/core/src/tokens/verify-service-token.ts',
    from: '      typ: SERVICE_TOKEN_TYPE,\n',
    to: '',
  },
  {
    promise: 'Service tokens are not accepted as access tokens or the reverse. A scope is never widened.',
    defect: 'a requested scope is granted as it is',
    file: 'packages/core/src/service-tokens/service-client.ts',
    from: 'wanted.every((scope) => client.scopes.includes(scope)) ? wanted',
    to: 'wanted.length > 0 ? wanted',
  },
  {
    promise:
      'A hand-off code works once and for one minute, and becomes invalid with the session and the membership it came from.',
    defect: 'the creating session may have ended',
    file: 'packages/core/src/handoff/handoff-service.ts',
    from: '    return parent && { user, parent };',
    to: "    return isEntitled ? { user, parent: parent ?? { id: sessionId, amr: ['pwd'], acr: 'aal1', authTime: 0, rootCreatedAt: new Date(), expiresAt: new Date(Date.now() + 60_000), act: undefined } } : undefined;",
  },
  {
    promise:
      'A hand-off code works once and for one minute, and becomes invalid with the session and the membership it came from.',
    defect: 'the membership may have ended',
    file: 'packages/core/src/handoff/handoff-service.ts',
    from: '(await this.#deps.handoffs.lockActiveMembership(userId, companyId, trx));',
    to: '(await this.#deps.handoffs.lockActiveMembership(userId, companyId, trx)) || true;',
  },
  {
    promise: 'Writing to Redis grants no access.',
    defect: 'signed values are not verified',
    file: 'packages/core/src/kernel/signed-value.ts',
    from: '    if (!isOurs) return undefined;\n',
    to: '',
  },
];
