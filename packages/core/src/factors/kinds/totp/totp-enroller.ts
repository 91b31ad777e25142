import { renderSVG } from 'uqr';
import type { AuditRepository } from '../../../audit/audit-repository.js';
import type { ValueCipher } from '../../../encryption/value-cipher.js';
import { AuthError } from '../../../kernel/auth-error.js';
import type { ClientInfo } from '../../../kernel/client-info.js';
import { newId } from '../../../kernel/id.js';
import type { SecurityNotices } from '../../../mail/security-notices.js';
import type { Transaction } from '../../../storage/database.js';
import type { TrustedDeviceRemoval } from '../../../trusted-devices/trusted-device-removal.js';
import type { UserRepository } from '../../../users/user-repository.js';
import type { User } from '../../../users/user.js';
import type { CodeGuesses } from '../../code-guesses.js';
import { toFactorView, type ConfirmedFactor, type TotpEnrolment } from '../../factor-schema.js';
import { replaceRecoveryCodes } from '../recovery-code/recovery-code-kind.js';
import type { RecoveryCodeRepository } from '../recovery-code/recovery-code-repository.js';
import { generateTotpSecret, otpauthUri, totpSecretText } from './totp-codes.js';
import { MAX_TOTP_FACTORS, placeOfSecret, type TotpFactor } from './totp-factor.js';
import { matchingSecret } from './totp-kind.js';
import type { TotpRepository } from './totp-repository.js';

/** The user who enrols, and the session or challenge by which they do. */
interface EnrollingUser {
  user: User;
  begunBy: string;
  client: ClientInfo;
  /** The session, if there is one already. */
  sessionId?: string;
}

export interface TotpEnrollerDeps {
  readonly users: UserRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly guesses: CodeGuesses;
  readonly cipher: ValueCipher;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly notices: SecurityNotices;
  readonly audit: AuditRepository;
  /** Shown by authenticator apps. */
  readonly issuer: string;
}

const UNNAMED = 'Authenticator app';

/** Adds authenticator apps, within transactions that have locked the row of the user. */
export class TotpEnroller {
  readonly #deps: TotpEnrollerDeps;

  constructor(deps: TotpEnrollerDeps) {
    this.#deps = deps;
  }

  /** Begins an enrolment. @throws AuthError `conflict` when the user has the maximum number of factors. */
  async begin(
    { user, begunBy }: EnrollingUser,
    name: string | undefined,
    trx: Transaction,
  ): Promise<TotpEnrolment> {
    await this.#assertBelowLimit(user.id, trx);
    const [id, secret] = [newId(), generateTotpSecret()];
    const encrypted = this.#deps.cipher.encrypt(secret, placeOfSecret(user.id, id));
    const factor = { id, userId: user.id, name: name ?? UNNAMED, secret: encrypted, begunBy };
    const expiresAt = await this.#deps.totp.insert(factor, trx);
    const uri = otpauthUri(secret, { issuer: this.#deps.issuer, account: user.email });
    return {
      id,
      secret: totpSecretText(secret),
      otpauthUri: uri,
      // Black on white in every colour scheme, because cameras read no other.
      qrSvg: renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 1 }),
      expiresAt: expiresAt.toISOString(),
    };
  }

  /**
   * Confirms an enrolment that the same session or challenge began, and removes all others that wait. The first factor
   * of a user comes with recovery codes.
   * @returns undefined for a wrong code.
   * @throws AuthError `not_found` for an enrolment that is gone or expired, `conflict`, `service_unavailable`.
   */
  async confirm(
    enrolling: EnrollingUser,
    { id, code }: { id: string; code: string },
    trx: Transaction,
  ): Promise<ConfirmedFactor | undefined> {
    const { user, begunBy } = enrolling;
    const key = { id, userId: user.id, begunBy };
    const stored = await this.#deps.totp.findUnconfirmed(key, trx);
    if (!stored) throw factorNotFound();
    const match = await this.#deps.guesses.run(user, trx, () =>
      matchingSecret(user.id, [stored], code, this.#deps.cipher),
    );
    if (!match) return undefined;
    await this.#assertBelowLimit(user.id, trx);
    await this.#deps.users.raiseFactorVersion(user.id, trx);
    const factor = await this.#deps.totp.confirm(key, match.step, trx);
    if (!factor) return undefined;
    await this.#deps.totp.removeUnconfirmed(user.id, trx);
    await this.#report(enrolling, factor, trx);
    const recoveryCodes = await this.#firstRecoveryCodes(user.id, trx);
    return { factor: toFactorView(factor), ...(recoveryCodes && { recoveryCodes }) };
  }

  async #firstRecoveryCodes(userId: string, trx: Transaction): Promise<string[] | undefined> {
    const isFirst = (await this.#deps.totp.list(userId, trx)).length === 1;
    return isFirst ? replaceRecoveryCodes(this.#deps, userId, trx) : undefined;
  }

  async #assertBelowLimit(userId: string, trx: Transaction): Promise<void> {
    if ((await this.#deps.totp.list(userId, trx)).length < MAX_TOTP_FACTORS) return;
    throw AuthError.conflict(
      `An account has at most ${MAX_TOTP_FACTORS} authenticator apps. Remove one first.`,
      'factor_limit_reached',
    );
  }

  async #report(
    { user, client, sessionId }: EnrollingUser,
    factor: TotpFactor,
    trx: Transaction,
  ): Promise<void> {
    const actor = { kind: 'user', userId: user.id } as const;
    const ended = { userId: user.id, reason: 'factor_added', actor, client };
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
    await this.#deps.audit.insert(
      {
        event: 'factor_added',
        outcome: 'success',
        actor,
        subjectUserId: user.id,
        sessionId,
        client,
        details: { factorId: factor.id },
      },
      trx,
    );
    await this.#deps.notices.enqueue(trx, {
      kind: 'factor_added',
      recipient: user.email,
      payload: { fullName: user.fullName, factorName: factor.name },
    });
  }
}

export const factorNotFound = (): AuthError => AuthError.notFound('The second factor', 'factor_not_found');
