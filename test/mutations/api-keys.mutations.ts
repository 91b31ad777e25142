import type { Mutation } from './mutation.js';

const NEVER_WIDER =
  'An API key has at each use what its owner has in its company at that moment, cut by its lists: never more, no role, no delegation and no platform role.';
const ENDS =
  'A personal API key ends in the transaction that ends the membership of its company, deactivates its owner, resets the password by mail, undoes a change of the address, resets the factors, proves the mailbox for the first time, or sets a password for its owner and removes the passkeys.';
const OPENS_LITTLE =
  'An API key opens only the routes that are made for it, is read from the Authorization header alone, and guards refuse it by default.';
const REVOKED =
  'A revoked or rotated API key is refused from the acknowledged response on, on every replica, and by every service with the feed soon after.';
const SECRET =
  'An API key is shown once: the database has a digest, and neither log nor audit log has a key.';

const ACCESS = 'packages/core/src/access/key-access.ts';
const AUTHENTICATOR = 'packages/core/src/api-keys/api-key-authenticator.ts';

/** Defects in API keys. */
export const apiKeyMutations: readonly Mutation[] = [
  {
    promise: NEVER_WIDER,
    defect: 'an empty list of modules restricts nothing',
    file: ACCESS,
    from: 'access.modules.filter((key) => modules?.includes(key) ?? true)',
    to: 'access.modules.filter((key) => !modules?.length || modules.includes(key))',
  },
  {
    promise: NEVER_WIDER,
    defect: 'a company key has modules that the company is not entitled to',
    file: ACCESS,
    from: 'filter((key) => entitled.modules.has(key))',
    to: 'filter((key) => entitled.modules.size >= 0 && key.length > 0)',
  },
  {
    promise: NEVER_WIDER,
    defect: 'a key keeps the role of its owner',
    file: ACCESS,
    from: "metadata: { ...access.metadata, role: null, globalRole: 'NONE' }",
    to: "metadata: { ...access.metadata, globalRole: 'NONE' }",
  },
  {
    promise: ENDS,
    defect: 'a key survives a reset of the factors',
    file: 'packages/core/src/sessions/session.ts',
    from: "  'email_change_undone',\n  'factors_reset',\n  'deletion_requested',\n] as const satisfies",
    to: "  'email_change_undone',\n  'deletion_requested',\n] as const satisfies",
  },
  {
    promise: ENDS,
    defect: 'a key survives the end of the membership',
    file: 'packages/core/src/memberships/membership-service.ts',
    from: 'if (!membership.isActive) {',
    to: 'if (!membership.isActive && membership.createdAt.getTime() === 0) {',
  },
  {
    promise: OPENS_LITTLE,
    defect: 'a key is accepted beside another credential',
    file: 'packages/http/src/callers/api-key.ts',
    from: 'if (isAlone) return token;',
    to: 'if (isAlone || token.length > 0) return token;',
  },
  {
    promise: OPENS_LITTLE,
    defect: 'guards accept keys by default',
    file: 'packages/http/src/guards/guard-options.ts',
    from: 'apiKeys = false } = options',
    to: 'apiKeys = true } = options',
  },
  {
    promise: REVOKED,
    defect: 'a revoked key is accepted',
    file: AUTHENTICATOR,
    from: '!isRevoked && !isExpired',
    to: '(!isRevoked || isRevoked) && !isExpired',
  },
  {
    promise: REVOKED,
    defect: 'a rotation without an overlap is not in the feed',
    file: 'migrations/0061_api_key_revocations.sql',
    from: 'AND (NEW.former_digest IS DISTINCT FROM OLD.digest OR OLD.former_digest IS NOT NULL)',
    to: 'AND OLD.former_digest IS NOT NULL',
  },
  {
    promise: SECRET,
    defect: 'the list of keys has more of the key than its end',
    file: 'packages/core/src/api-key-records/api-key-text.ts',
    from: 'const HINT_LENGTH = 4;',
    to: 'const HINT_LENGTH = 53;',
  },
  {
    promise:
      'The response time of an API key does not say whether it exists: unknown, expired and revoked ones cost the same statements.',
    defect: 'an unknown key is looked up twice',
    file: 'packages/core/src/api-keys/api-key-authenticator.ts',
    from: '    if (!state) await apiKeyDenials.count(client);\n',
    to: "    if (!state) await states.load(hash('sha256', text, 'hex'));\n    if (!state) await apiKeyDenials.count(client);\n",
  },
];
