import type { Mutation } from './mutation.js';

const FLOW =
  'A response of a provider opens nothing without the verifier of the client that began the flow, in another flow, purpose or session, and never twice.';
const PROOF =
  "A provider's response proves a person only by an ID token of its own keys, for this client and this flow, now, by an algorithm of a fixed list. GitHub proves one by its API.";
const WHO =
  'An identity at a provider opens an account that it is linked to, and no account by its address, unless the provider decides who has the mailbox and the account is not that of staff.';
const RECLAIM =
  'Of an account that a stranger has registered with the address of another person nothing stays when a provider proves the mailbox for the first time.';
const LINK =
  'An identity that waits to be linked goes to the user who has its address, in their session with a recent sign-in, to the client that began, once and within 15 minutes.';
const SESSION =
  'A session by a provider meets every requirement that one by a password meets, is a recent sign-in only if the provider says so and is trusted to, and ends with its identity.';
const STEPUP =
  'A step-up by a provider needs a sign-in there that is younger than a minute, of an account that is linked to the user of the session.';
const LOGOUT =
  'A provider ends the sessions of its own people only, by a token of its keys that is accepted once.';
const SILENCE =
  'A provider that is slow, silent or wrong delays no other request and leaves nothing, and none of its tokens is kept or logged.';

/** Defects in sign-ins by other services. */
export const externalMutations: readonly Mutation[] = [
  {
    promise: FLOW,
    defect: 'a response needs no verifier',
    file: 'packages/core/src/identities/external-flow-repository.ts',
    from: "const IS_OPEN = 'state_digest = $1 AND challenge = $2 AND",
    to: "const IS_OPEN = 'state_digest = $1 AND ($2::text IS NOT NULL) AND",
  },
  {
    promise: FLOW,
    defect: 'a flow can be ended twice',
    file: 'packages/core/src/identities/external-flow-repository.ts',
    from: "AND spent_at IS NULL AND expires_at > now()';",
    to: "AND expires_at > now()';",
  },
  {
    promise: FLOW,
    defect: 'a flow of a session ends in any other',
    file: 'packages/core/src/identities/external-flow-repository.ts',
    from: 'AND session_id IS NOT DISTINCT FROM $4::uuid',
    to: 'AND ($4::uuid IS NULL OR session_id IS NOT NULL)',
  },
  {
    promise: FLOW,
    defect: 'codes go to any address',
    file: 'packages/core/src/external-sign-in/external-sign-in-service.ts',
    from: 'asked === `${each}/${connectionId}`',
    to: 'asked.startsWith(each)',
  },
  {
    promise: PROOF,
    defect: 'the signature of an ID token is not verified',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: 'library.enableNonRepudiationChecks,',
    to: "...(clientId === '' ? [library.enableNonRepudiationChecks] : []),",
  },
  {
    promise: PROOF,
    defect: 'an ID token of any flow is accepted',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: 'expectedNonce: nonce,',
    to: "expectedNonce: (nonce === '' ? nonce : undefined) as string,",
  },
  {
    promise: PROOF,
    defect: 'the hash of the access token is not compared',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: 'hash !== undefined && hash !== halfHash(accessToken, alg)',
    to: "hash === '' && hash !== halfHash(accessToken, alg)",
  },
  {
    promise: PROOF,
    defect: 'any text passes for a tenant of Microsoft',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: "typeof tid !== 'string' || !TENANT_ID.test(tid)",
    to: "typeof tid !== 'string' || tid === ''",
  },
  {
    promise: PROOF,
    defect: 'every algorithm is accepted',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: '!ALGORITHMS.has(alg)',
    to: "alg === ''",
  },
  {
    promise: WHO,
    defect: 'every verified address proves the mailbox',
    file: 'packages/core/src/external-sign-in/mailbox-authority.ts',
    from: '  return false;\n}',
    to: '  return claims.email_verified === true;\n}',
  },
  {
    promise: WHO,
    defect: 'staff are linked by their address',
    file: 'packages/core/src/external-sign-in/external-accounts.ts',
    from: 'proved.identity.provesMailbox && !isStaff(owner.globalRole)',
    to: 'proved.identity.provesMailbox',
  },
  {
    promise: RECLAIM,
    defect: 'the first proof of the mailbox removes nothing',
    file: 'packages/core/src/external-sign-in/external-accounts.ts',
    from: 'isFirstProof ? await this.#reclaim(locked, proved, trx) : locked',
    to: "isFirstProof && locked.email === '' ? await this.#reclaim(locked, proved, trx) : locked",
  },
  {
    promise: RECLAIM,
    defect: 'linked accounts of a stranger outlive a reset',
    file: 'packages/core/src/login/password-setter.ts',
    from: 'change.removePasskeys || isFirstProof === true',
    to: 'change.removePasskeys && isFirstProof === undefined',
  },
  {
    promise: LINK,
    defect: 'a link is for every user',
    file: 'packages/core/src/identities/external-flow-repository.ts',
    from: 'AND p.user_id = $3 AND p.expires_at > now()',
    to: 'AND $3::uuid IS NOT NULL AND p.expires_at > now()',
  },
  {
    promise: LINK,
    defect: 'a link can be used twice',
    file: 'packages/core/src/identities/external-flow-repository.ts',
    from: 'UPDATE external_flows f SET link_digest = NULL, link_identity = NULL',
    to: 'UPDATE external_flows f SET spent_at = now()',
  },
  {
    promise: SESSION,
    defect: 'a sign-in by a provider needs no second factor',
    file: 'packages/core/src/external-sign-in/external-accounts.ts',
    from: 'return proof.hadFactors\n',
    to: "return proof.subject !== ''\n",
  },
  {
    promise: SESSION,
    defect: 'every sign-in by a provider is recent',
    file: 'packages/core/src/external-sign-in/external-accounts.ts',
    from: 'if (!reauthenticates || authTime === undefined) return 0;',
    to: 'if (!reauthenticates || authTime === undefined) return epochSeconds(this.#deps.clock);',
  },
  {
    promise: SESSION,
    defect: 'every provider is trusted for its factors',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: "hadFactors: trustsFactors && methods.includes('mfa')",
    to: "hadFactors: (trustsFactors || sub !== '') && methods.includes('mfa')",
  },
  {
    promise: SESSION,
    defect: 'the sessions of an unlinked account go on',
    file: 'packages/core/src/external-sign-in/identity-removal.ts',
    from: 'return this.#endSessions(removed, target, trx);',
    to: "return removed.subject === '' ? this.#endSessions(removed, target, trx) : 0;",
  },
  {
    promise: STEPUP,
    defect: 'a step-up takes any person of the provider',
    file: 'packages/core/src/external-sign-in/external-proof.ts',
    from: 'const isOwn = known?.userId === userId;',
    to: 'const isOwn = known !== undefined;',
  },
  {
    promise: STEPUP,
    defect: 'a step-up takes an old sign-in at the provider',
    file: 'packages/core/src/external-sign-in/oidc-provider.ts',
    from: '...(reauthenticated && { maxAge: REAUTHENTICATED_WITHIN })',
    to: '...(reauthenticated && { maxAge: REAUTHENTICATED_WITHIN * 60 })',
  },
  {
    promise: LOGOUT,
    defect: 'a logout token is accepted again and again',
    file: 'packages/core/src/identities/external-flow-repository.ts',
    from: 'ON CONFLICT (token_digest) DO NOTHING RETURNING token_digest',
    to: 'ON CONFLICT (token_digest) DO UPDATE SET expires_at = now() RETURNING token_digest',
  },
  {
    promise: LOGOUT,
    defect: 'an ID token passes for a logout',
    file: 'packages/core/src/external-sign-in/logout-tokens.ts',
    from: "if (nonce !== undefined) throw new ProviderRefusal('nonce');",
    to: "if (nonce === '') throw new ProviderRefusal('nonce');",
  },
  {
    promise: SILENCE,
    defect: 'a provider has all the time it wants',
    file: 'packages/core/src/external-sign-in/external-flows.ts',
    from: 'const PROVIDER_MS = 3_500;',
    to: 'const PROVIDER_MS = 60_000;',
  },
  {
    promise: SILENCE,
    defect: 'an address has any number of open flows',
    file: 'packages/core/src/identities/external-flow.ts',
    from: 'export const MAX_OPEN_FLOWS = 20;',
    to: 'export const MAX_OPEN_FLOWS = 20_000;',
  },
];
