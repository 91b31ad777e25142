// Entry point for key management and tokens. Separate from the others, since most programs do without the
// library behind it.
export { developmentKeyFile, factorKeyFile } from './settings/development-key.js';
export { readFactorKeys } from './settings/read-factor-keys.js';
export { generateEncryptionKey } from './encryption/generate-encryption-key.js';
export { generateSigningKey, type SigningKeyBits } from './tokens/generate-signing-key.js';
export { inspectKeys, type KeyInspection } from './tokens/key-inspection.js';
export { KEY_SET_MAX_AGE, KeySet, toJwks } from './tokens/key-set.js';
export { PublishedKeys, type PublicKeys } from './tokens/published-keys.js';
export { publicPemOf, readRsaKey, readRsaKeys, type PublicJwk, type RsaKey } from './tokens/signing-key.js';
export type { TokenExpectation, VerifiedAccessToken } from './tokens/access-token-claims.js';
export { TokenFault } from './tokens/token-fault.js';
export { decodeToken, judgeToken, type DecodedToken, type TokenVerdict } from './tokens/token-inspection.js';
export { isSignedBy, type SignedMessage } from './webhooks/webhook-signature.js';
