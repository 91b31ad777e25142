import { ApiKeyAuthenticator } from '../api-keys/api-key-authenticator.js';
import { ApiKeyStateQueries } from '../api-keys/api-key-state-queries.js';
import { AuthEvents } from '../audit/auth-events.js';
import { assemble, type PartsOf } from '../kernel/assemble.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { Authenticator } from '../sessions/authenticator.js';
import { requiresStaffFactor } from '../settings/second-factor-mode.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { AccessTokens } from '../tokens/access-token.js';
import { VerificationKeys } from '../tokens/verification-keys.js';
import { accessParts } from './access-parts.js';
import { kindOfEntitlements } from './open-entitlements.js';
import { createRepositories } from './repositories.js';
import type { VerifyingAuth, VerifyOnlyOptions } from './verifying-auth.js';

/** Builds the services for guards over a database that is only read. @throws TypeError without keys. */
export async function openVerifyingAuth(
  settings: Settings,
  database: Database,
  { logger = silentLogger, entitlements }: VerifyOnlyOptions,
): Promise<VerifyingAuth> {
  const { issuer, audience, accessTokenTtl: ttl } = settings.tokens;
  const keys = await VerificationKeys.fromPem(verificationPemOf(settings));
  const store = new MemoryEphemeralStore({
    clock: systemClock,
  });
  const repositories = createRepositories(database, new AuthEvents(logger));
  const accessTokens = new AccessTokens(keys, { issuer, audience, ttl, logger, clock: systemClock });
  const given = {
    ...repositories,
    settings,
    logger,
    observer: unobserved,
    tracer: undefined,
    companyNames: undefined,
    entitlementsFunction: entitlements,
  };
  const parts = assemble(given, accessParts);
  let closing: Promise<void> | undefined;
  return {
    settings,
    logger,
    authenticator: new Authenticator({
      ...repositories,
      accessTokens,
      cache: NO_HINTS,
      uses: { record: () => undefined },
      clock: systemClock,
      staffNeedsSecondFactor: requiresStaffFactor(settings.secondFactor.mode),
    }),
    access: parts.access,
    apiKeys: readingKeys(database, { access: parts.access, apiKeyMode: settings.apiKeys.mode }),
    audit: {
      insert: ({ event, actor, details }) => {
        logger.info({ event, actor, details }, 'A guard denied a request.');
        return Promise.resolve();
      },
    },
    facts: { entitlements: kindOfEntitlements(settings.coreService, entitlements) },
    get isClosed() {
      return closing !== undefined;
    },
    close: () => (closing ??= Promise.all([store.close(), database.close()]).then(() => undefined)),
  };
}

/** Returns what authenticates API keys over a database that is only read: uses and wrong keys are not recorded. */
const readingKeys = (
  database: Database,
  deps: Pick<PartsOf<typeof ApiKeyAuthenticator>, 'access' | 'apiKeyMode'>,
): VerifyingAuth['apiKeys'] => ({
  authenticator: new ApiKeyAuthenticator({
    ...deps,
    apiKeyStates: new ApiKeyStateQueries(database),
    apiKeyUses: { record: () => undefined },
    apiKeyDenials: { count: () => Promise.resolve() },
  }),
});

/** Hints are signed with a secret of the signing key, which is not available here: the database is always asked. */
const NO_HINTS = { find: () => Promise.resolve(undefined), remember: () => Promise.resolve() };

function verificationPemOf({ tokens }: Settings): string {
  if (tokens.verificationKeysPem) return tokens.verificationKeysPem.reveal();
  throw new TypeError(
    'createAuth: verifyOnly needs the public keys of the service. ' +
      'Set JWT_VERIFICATION_KEYS_PEM_FILE to a file that holds them as PEM',
  );
}
