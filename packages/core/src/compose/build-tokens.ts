import type { Clock, SharedClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { ValueSigner } from '../kernel/signed-value.js';
import type { Settings } from '../settings/settings.js';
import { DeviceIds } from '../sign-in-devices/device-ids.js';
import { AccessTokens } from '../tokens/access-token.js';
import { ApiKeyTokens } from '../tokens/api-key-token.js';
import { KeySet } from '../tokens/key-set.js';
import { pepperFromKey, pepperFromText, RefreshTokens } from '../tokens/refresh-token.js';
import { ServiceTokens } from '../tokens/service-token.js';

interface Tokens {
  keys: KeySet;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  serviceTokens: ServiceTokens;
  apiKeyTokens: ApiKeyTokens;
  /** Signs the session hints in the ephemeral store. */
  hintKey: Buffer;
  /** Signs the hand-off grants in the ephemeral store. */
  handoffSigner: ValueSigner;
  /** Signs the passkey ceremonies in the ephemeral store. */
  ceremonySigner: ValueSigner;
  /** Signs the ids by which browsers are recognized. */
  deviceIds: DeviceIds;
}

const REFRESH_PURPOSE = 'refresh token pepper';
const HINT_PURPOSE = 'session hint';
const HANDOFF_PURPOSE = 'hand-off grant';
const CEREMONY_PURPOSE = 'passkey ceremony';
const DEVICE_PURPOSE = 'device id';
const DECOY_PURPOSE = 'password decoys';

/**
 * Derives the key that selects the hashing cost for unknown emails. Rotating the signing key changes it.
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
  // Peppers derived from keys remain valid after one is configured, and the reverse.
  const derived = keys.privateKeys.map((key) => pepperFromKey(key, REFRESH_PURPOSE));
  return {
    keys,
    accessTokens: new AccessTokens(keys, { issuer, audience, ttl, clock, logger }),
    refreshTokens: new RefreshTokens([...configured, ...derived]),
    serviceTokens: new ServiceTokens(keys, { issuer, ttl: machine.serviceTokenTtl, clock }),
    apiKeyTokens: new ApiKeyTokens(keys, { issuer, audience, clock }),
    hintKey: pepperFromKey(keys.signingKey, HINT_PURPOSE),
    handoffSigner: signerFor(keys, HANDOFF_PURPOSE, sharedClock),
    ceremonySigner: signerFor(keys, CEREMONY_PURPOSE, sharedClock),
    deviceIds: new DeviceIds(peppersFor(keys, DEVICE_PURPOSE)),
  };
}

/** During a rotation of the signing key, replicas with either key verify values that the others signed. */
const signerFor = (keys: KeySet, purpose: string, clock: SharedClock): ValueSigner =>
  new ValueSigner(peppersFor(keys, purpose), clock);

/** Returns the pepper of the signing key, followed by those of the other keys. */
function peppersFor({ signingKey, privateKeys }: KeySet, purpose: string): [Buffer, ...Buffer[]] {
  const others = privateKeys.filter((key) => !key.equals(signingKey));
  return [pepperFromKey(signingKey, purpose), ...others.map((key) => pepperFromKey(key, purpose))];
}
