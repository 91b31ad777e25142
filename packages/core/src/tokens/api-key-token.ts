import { randomUUID } from 'node:crypto';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { TokenKeys } from './key-set.js';
import { signToken } from './sign-token.js';

/** Media type of a token that an API key was exchanged for. It is accepted as no other kind of token. */
const API_KEY_TOKEN_TYPE = 'key+jwt';
/** Longest lifetime in seconds. */
const LONGEST_LIFETIME = 300;

interface ApiKeyTokenClaims {
  /** The owner, or `key:<id>`. */
  subject: string;
  keyId: string;
  kind: string;
  companyId: string | null;
  /** Seconds since the epoch at which the key expires. */
  notAfter: number | null;
}

/** Issues the short tokens that API keys are exchanged for, signed with RS256. They have no role and no session. */
export class ApiKeyTokens {
  readonly #keys: TokenKeys;
  readonly #options;

  constructor(
    keys: TokenKeys,
    options: { readonly issuer: string; readonly audience: string; readonly clock: Clock },
  ) {
    this.#keys = keys;
    this.#options = options;
  }

  /** @returns the token, and the seconds until it expires: at most 300, and no later than the key. */
  async issue({ subject, keyId, kind, companyId, notAfter }: ApiKeyTokenClaims) {
    const { issuer, audience, clock } = this.#options;
    const now = epochSeconds(clock);
    const expiresIn = Math.max(1, Math.min(LONGEST_LIFETIME, (notAfter ?? Infinity) - now));
    const content = {
      sid: keyId,
      keyKind: kind,
      ...(companyId !== null && { companyId }),
      iss: issuer,
      aud: audience,
      sub: subject,
      iat: now,
      nbf: now,
      exp: now + expiresIn,
      jti: randomUUID(),
    };
    return { accessToken: await signToken(API_KEY_TOKEN_TYPE, content, this.#keys), expiresIn };
  }
}
