import { randomBytes } from 'node:crypto';
import { ExternalFlowRepository } from '../../../packages/core/src/identities/external-flow-repository.js';
import { ExternalIdentityRepository } from '../../../packages/core/src/identities/external-identity-repository.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import { SessionQueries } from '../../../packages/core/src/sessions/session-queries.js';
import { SessionRepository } from '../../../packages/core/src/sessions/session-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { beyondOneUser, rolledBack, type Lookup } from './lookup.js';
import { auditOf } from './session-lookups.js';

const digest = randomBytes(32);
const challenge = 'challenge';
const secret = { bytes: Buffer.from('verifier'), keyId: 'key' };
const identity = {
  connectionId: 'plain',
  subject: 'subject',
  email: 'ann@example.com',
  emailVerified: true,
  provesMailbox: true,
};

const flowOf = (userId: string) => ({
  id: newId(),
  connectionId: 'plain',
  purpose: 'sign-in' as const,
  nonce: 'nonce',
  redirectUri: 'https://auth.example.com/external/callback/plain',
  returnTo: null,
  userId,
  sessionId: null,
  stateDigest: digest,
  challenge,
  verifier: secret,
  addressBucket: '192.0.2.1',
});

/** Sign-ins by other services, and the accounts there that users have linked. */
export function externalLookups(database: Database): Lookup[] {
  const sessions = new SessionQueries(database);
  return [
    ...identityLookups(database),
    {
      name: 'sessions of a session at another service',
      run: () => sessions.findByProviderSession('plain', 'unknown'),
    },
    ...flowLookups(database),
  ];
}

function identityLookups(database: Database): Lookup[] {
  const flows = new ExternalFlowRepository(database);
  const identities = new ExternalIdentityRepository(database);
  const sessions = new SessionRepository(database, auditOf(database));
  return [
    { name: 'a linked account by its subject', run: () => identities.find(identity) },
    { name: 'linked accounts of a user', run: ({ userId }) => identities.list(userId) },
    {
      name: 'changes of linked accounts',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const added = await identities.insert(userId, identity, { isUsed: true, most: 10 }, trx);
          if (!added) throw new Error('The user of the lookups has this identity already.');
          await identities.touch(added, identity, trx);
          await identities.hasOtherWayIn(added, { connectionIds: ['plain'], passkeys: true }, trx);
          const opened = { identityId: added.id, providerSessionId: null };
          await sessions.revokeOfIdentity(userId, 'identity_unlinked', opened, trx);
          await identities.removeDistrusted(userId, new Date(), trx);
          await identities.remove(added.id, userId, trx);
          await identities.removeAll(userId, trx);
          await flows.removeAll(userId, trx);
          await flows.takeLink({ linkDigest: digest, challenge, userId }, trx);
          await flows.useLogout(digest, 60, trx);
        }),
    },
  ];
}

function flowLookups(database: Database): Lookup[] {
  const flows = new ExternalFlowRepository(database);
  return [
    { name: 'purpose of a flow', run: () => flows.purposeOf(digest, challenge) },
    {
      name: 'end of a flow',
      run: ({ userId }) =>
        flows
          .spend({ stateDigest: digest, challenge, purposes: ['sign-in'], sessionId: null })
          .then(() => flows.offerLink(newId(), digest, { userId, identity })),
    },
    { name: 'connection of an identity that waits', run: () => flows.connectionOfLink(digest) },
    {
      name: 'begin of a flow',
      run: async ({ userId }) => {
        await flows.insert(flowOf(userId));
        await database.run((knex) => knex('external_flows').where({ state_digest: digest }).delete());
      },
    },
    ...beyondOneUser('the flows of all users', [
      {
        name: 'verifiers of flows under other keys',
        run: () => flows.secretColumn.ofOtherKeys('key', '00000000-0000-0000-0000-000000000000', 100),
      },
      {
        name: 'a verifier under the current key',
        run: () => flows.secretColumn.replace({ id: newId(), place: 'external_flows', secret }, secret),
      },
    ]),
  ];
}
