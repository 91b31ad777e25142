import type { Clock, SharedClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { ValueSigner } from '../kernel/signed-value.js';
import type { Settings } from '../settings/settings.js';
import { AccessTokens } from '../tokens/access-token.js';
import { KeySet } from '../tokens/key-set.js';
import { pepperFromKey, pepperFromText, RefreshTokens } from '../tokens/refresh-token.js';
import { ServiceTokens } from '../tokens/service-token.js';

export interface Tokens {
  keys: KeySet;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  serviceTokens: ServiceTokens;
  /** Signs the session hints in the ephemeral store. */
  hintKey: Buffer;
  /** Seals the hand-off grants in the ephemeral store. */
  handoffs: ValueSigner;
  /** Seals the passkey ceremonies in the ephemeral store. */
  ceremonies: ValueSigner;
}

const REFRESH_PURPOSE = 'refresh token pepper';
const HINT_PURPOSE = 'session hint';
const HANDOFF_PURPOSE = 'hand-off grant';
const CEREMONY_PURPOSE = 'passkey ceremony';
const DECOY_PURPOSE = 'password decoys';

/**
 * The key that draws what an unknown email costs. A rotation of the signing key draws anew.
 * @throws TypeError when there is no signing key.
 */
export const decoyKeyOf = ({ tokens }: Settings): Buffer =>
  pepperFromText(signingKeyPemOf(tokens), DECOY_PURPOSE);

function signingKeyPemOf({ signingKeyPem }: Settings['tokens']): string {
  if (signingKeyPem !== undefined) return signingKeyPem.reveal();
  throw new TypeError('createAuth: settings.tokens.signingKeyPem is needed (JWT_SIGNING_KEY_PEM)');
}

/** @throws TypeError when there is no signing key, or an unusable one. */
export async function buildTokens(
  { tokens, sessions, machine }: Settings,
  { clock, sharedClock, logger }: { clock: Clock; sharedClock: SharedClock; logger: Logger },
): Promise<Tokens> {
  const keys = await KeySet.fromPem(signingKeyPemOf(tokens), tokens.verificationKeysPem?.reveal());
  const { issuer, audience, accessTokenTtl: ttl } = tokens;
  const peppers = sessions.refreshTokenPeppers?.reveal() ?? [];
  const configured = peppers.map((text) => pepperFromText(text, REFRESH_PURPOSE));
  // Peppers of the keys stay recognised when a configured one takes over, and the other way round.
  const derived = keys.privateKeys.map((key) => pepperFromKey(key, REFRESH_PURPOSE));
  return {
    keys,
    accessTokens: new AccessTokens(keys, { issuer, audience, ttl, clock, logger }),
    refreshTokens: new RefreshTokens([...configured, ...derived]),
    serviceTokens: new ServiceTokens(keys, { issuer, ttl: machine.serviceTokenTtl, clock }),
    hintKey: pepperFromKey(keys.signingKey, HINT_PURPOSE),
    handoffs: sealerFor(keys, HANDOFF_PURPOSE, sharedClock),
    ceremonies: sealerFor(keys, CEREMONY_PURPOSE, sharedClock),
  };
}

/** Replicas on either side of a change of the signing key open what the other has signed. */
function sealerFor({ signingKey, privateKeys }: KeySet, purpose: string, clock: SharedClock): ValueSigner {
  const others = privateKeys.filter((key) => !key.equals(signingKey));
  const former = others.map((key) => pepperFromKey(key, purpose));
  return new ValueSigner([pepperFromKey(signingKey, purpose), ...former], clock);
}
