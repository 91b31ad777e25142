import type { ClientInfo } from '../kernel/client-info.js';
import type { Database, Transaction } from '../storage/database.js';
import type { SessionCreator, VerifiedSignIn } from './session-creator.js';
import type { SecondFactorRequired, SignInResult } from './sign-in-schema.js';

/** The version of the user's factors, and what took the place of a second factor, for the audit row. */
interface CheckedFactors {
  factorVersion: number;
  details?: Record<string, unknown>;
}

/**
 * Decides whether a verified sign-in needs a second factor. Returns the version of the user's factors if the sign-in is
 * complete, so that no session is created after they have changed; undefined if factors do not matter. What it writes
 * is bound to the verified state of the user, and is part of `trx` when given, which it is for a browser with trusted devices.
 */
export type SecondFactorCheck = (
  signIn: VerifiedSignIn,
  client: ClientInfo,
  trx?: Transaction,
) => Promise<SecondFactorRequired | CheckedFactors | undefined>;

/**
 * Completes sign-ins by one factor. Ways in that count as two factors, or that pass on the sign-in of another
 * session, use the session creator.
 */
export class SignInCompleter {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly sessionCreator: SessionCreator;
    readonly secondFactorCheck: SecondFactorCheck;
  }) {
    this.#deps = deps;
  }

  /**
   * Creates a session, within `trx` when given, unless a second factor is required. Then there is neither a session
   * nor an audit row of a successful sign-in.
   * @throws as `SessionCreator.create`.
   */
  async complete(signIn: VerifiedSignIn, client: ClientInfo, trx?: Transaction): Promise<SignInResult> {
    // A trusted device that is removed meanwhile must create no session: the check and the session are one transaction.
    if (!trx && client.trustedDevices?.length)
      return this.#deps.database.transaction((own) => this.complete(signIn, client, own));
    const checked = await this.#deps.secondFactorCheck(signIn, client, trx);
    if (checked && 'secondFactor' in checked) return checked;
    const { details, ...factors } = checked ?? {};
    const audit = details
      ? { ...signIn.audit, details: { ...signIn.audit.details, ...details } }
      : signIn.audit;
    return this.#deps.sessionCreator.create({ ...signIn, ...factors, audit }, client, trx);
  }
}
