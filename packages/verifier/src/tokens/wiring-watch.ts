import { errors, decodeJwt } from 'jose';
import type { VerifierLogger } from '../logger.js';
import { VerificationError } from '../verification-error.js';

/** The option that each claim is compared with. */
const OPTIONS = { iss: 'issuer', aud: 'audience' } as const;

/**
 * Warns once for each option that does not fit the tokens of the service: every request is 401 then, as if its token were bad. Only
 * tokens with a valid signature come so far, so callers cannot cause it.
 */
export class WiringWatch {
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
