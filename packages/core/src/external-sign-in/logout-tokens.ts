import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { ProviderRefusal, ProviderUnavailable, type ProviderLogout } from './external-provider.js';
import { providerFetch } from './provider-fetch.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Providers that follow the first drafts name the general type, or none. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'logout+jwt', 'application/logout+jwt']);
/** A logout is sent when it happens. */
const MAX_AGE_SECONDS = 300;
const CLOCK_TOLERANCE = 30;

/** Verifies logout tokens by a key set (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
export class LogoutTokens {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(jwksUri: string) {
    this.#keys = createRemoteJWKSet(new URL(jwksUri), {
      [customFetch]: (url: string, options: { headers: Headers }) =>
        providerFetch(url, { headers: options.headers }),
    });
  }

  /** @throws ProviderRefusal, ProviderUnavailable */
  async verify(
    token: string,
    expected: { issuer: string; audience: string; algorithms: string[] },
  ): Promise<ProviderLogout> {
    try {
      if (!TYPES.has(decodeProtectedHeader(token).typ)) throw new ProviderRefusal('type');
      const requiredClaims = ['iat', 'exp', 'jti', 'events'];
      const options = {
        ...expected,
        requiredClaims,
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE,
      };
      return logoutOf((await jwtVerify(token, this.#keys, options)).payload);
    } catch (error) {
      if (error instanceof ProviderRefusal || error instanceof ProviderUnavailable) throw error;
      throw new ProviderRefusal('logout_token', { cause: error });
    }
  }
}

function logoutOf({ sub, sid, jti, nonce, events }: JWTPayload): ProviderLogout {
  const event: unknown =
    typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : undefined;
  if (typeof event !== 'object' || event === null) throw new ProviderRefusal('events');
  // An ID token must not pass for a logout.
  if (nonce !== undefined) throw new ProviderRefusal('nonce');
  if (typeof jti !== 'string' || jti === '') throw new ProviderRefusal('token_id');
  const session = typeof sid === 'string' && sid !== '' ? sid : undefined;
  const subject = typeof sub === 'string' && sub !== '' ? sub : undefined;
  if (subject === undefined && session === undefined) throw new ProviderRefusal('subject');
  return { subject, sessionId: session, tokenId: jti };
}
