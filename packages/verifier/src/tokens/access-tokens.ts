import { decodeJwt, decodeProtectedHeader, errors, type CryptoKey } from 'jose';
import type { VerifierClock } from '../clock.js';
import type { KeySet } from '../keys/key-set.js';
import type { VerifierLogger } from '../logger.js';
import { LruMap } from '../lru-map.js';
import { VerificationError } from '../verification-error.js';
import { digestOf } from './digest.js';
import type { VerifiedCaller } from './verified-caller.js';
import { assertValidNow, verifyToken, type TokenExpectation } from './verify-token.js';

/** The option that each claim is compared with. */
const OPTIONS = { iss: 'issuer', aud: 'audience' } as const;

/**
 * Warns once for each option that does not fit the tokens of the service: every request is 401 then, as if its token were bad. Only
 * tokens with a valid signature come so far, so callers cannot cause it.
 */
class WiringWatch {
  readonly #logger: VerifierLogger;
  readonly #reported = new Set<keyof typeof OPTIONS>();

  constructor(logger: VerifierLogger) {
    this.#logger = logger;
  }

  /** Looks at the error of a token that was rejected. */
  observe(
    token: string,
    error: unknown,
    expected: Record<'issuer' | 'audience', string | readonly string[]>,
  ): void {
    const cause = VerificationError.is(error) ? error.cause : undefined;
    if (!(cause instanceof errors.JWTClaimValidationFailed) || cause.reason !== 'check_failed') return;
    const claim = cause.claim;
    if (!isWatched(claim) || this.#reported.has(claim)) return;
    this.#reported.add(claim);
    const option = OPTIONS[claim];
    this.#logger.warn(
      { option, expected: expected[option], found: decodeJwt(token)[claim] },
      `Tokens of the service are rejected because their "${claim}" is another one. Correct the option ${option} of createVerifier.`,
    );
  }
}

const isWatched = (claim: string): claim is keyof typeof OPTIONS => claim in OPTIONS;

interface AccessTokensDeps {
  readonly keys: KeySet;
  readonly expected: TokenExpectation;
  readonly clock: VerifierClock;
  readonly logger: VerifierLogger;
  /** Maximum number of remembered tokens. */
  readonly rememberTokens: number;
}

/** A token by its digest, and its caller. */
export interface KnownToken {
  digest: string;
  caller: VerifiedCaller;
}

/** Verifies tokens and remembers, by digest, that a signature was valid. Times and keys are checked on every use. */
export class AccessTokens {
  readonly #deps: AccessTokensDeps;
  readonly #remembered: LruMap<{ known: KnownToken; keyId: string; key: CryptoKey }>;
  readonly #wiring: WiringWatch;

  constructor(deps: AccessTokensDeps) {
    this.#deps = deps;
    this.#remembered = new LruMap(deps.rememberTokens);
    this.#wiring = new WiringWatch(deps.logger);
  }

  get size(): number {
    return this.#remembered.size;
  }

  /** Returns the caller of a token. @throws VerificationError `unauthorized`, `service_unavailable` without its key. */
  async verify(token: string): Promise<KnownToken> {
    const { keys, expected, clock } = this.#deps;
    const digest = await digestOf(token);
    const remembered = this.#recall(digest);
    if (remembered) return remembered;
    const { caller, key } = await verifyToken(token, (id) => keys.find(id), expected, clock).catch(
      (error: unknown) => {
        this.#wiring.observe(token, error, expected);
        throw error;
      },
    );
    const { kid: keyId = '' } = decodeProtectedHeader(token);
    const known = { digest, caller };
    this.#remembered.set(digest, { known, keyId, key });
    return known;
  }

  /**
   * Returns a remembered token; undefined if it has to be verified, and on platforms that cannot hash at once.
   * @throws VerificationError `unauthorized`.
   */
  recall(token: string): KnownToken | undefined {
    const digest = digestOf(token);
    return typeof digest === 'string' ? this.#recall(digest) : undefined;
  }

  #recall(digest: string): KnownToken | undefined {
    const remembered = this.#remembered.get(digest);
    if (!remembered) return undefined;
    const { known, keyId, key } = remembered;
    // A key that was withdrawn takes its tokens along.
    if (!this.#deps.keys.isCurrent(keyId, key)) {
      this.#remembered.delete(digest);
      return undefined;
    }
    try {
      assertValidNow(known.caller, this.#deps.clock);
      return known;
    } catch (error) {
      this.#remembered.delete(digest);
      throw error;
    }
  }
}
