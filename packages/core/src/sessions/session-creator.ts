import type { AuditEvent } from '../audit/audit-event.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import { newId } from '../kernel/id.js';
import { digestOf } from '../kernel/secret.js';
import type { SignInDevices } from '../sign-in-devices/sign-in-devices.js';
import type { Database, Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { RefreshTokens } from '../tokens/refresh-token.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { accountChanged } from './account-changed.js';
import type { NewActing } from './acting.js';
import { deviceNameOf } from './device-name.js';
import type { Lifetimes } from './lifetimes.js';
import type { HeldSession, SessionRepository } from './session-repository.js';
import type { TokenPair } from './session-schema.js';
import type { OpeningIdentity, SessionOrigin } from './session.js';
import type { TokenIssuer } from './token-issuer.js';

/** Verified facts from which a session is created. */
export interface VerifiedSignIn {
  user: Pick<User, 'id' | 'globalRole' | 'tokenVersion'>;
  origin: SessionOrigin;
  /** Name of the way in, for the audit log of a sign-in that a second factor completes. Defaults to the origin. */
  method?: string | undefined;
  /** Methods of the sign-in, in values of RFC 8176. */
  amr: readonly string[];
  /** The level of the sign-in; a session with a parent has that of its parent. */
  acr: AuthenticationLevel;
  /**
   * The parent session, locked by the transaction. The new session is as old as its parent: same time of
   * sign-in, same absolute limit.
   */
  parent?: HeldSession;
  /** The hash that the password was verified against; null for other proofs. */
  passwordHash: string | null;
  /** Time of the sign-in, in seconds since the epoch. Defaults to now. */
  authTime?: number;
  /** The identity at another service by which the user signed in. */
  external?: OpeningIdentity;
  /** The version of the user's factors that was checked; the session is created only while it is current. */
  factorVersion?: number;
  /** Who acts in the session for its user. */
  acting?: NewActing;
  /** Digest of the one-time grant that is spent for this session. */
  grantDigest?: Buffer;
  /** Fields of the audit row. Actor and subject default to the user. */
  audit: Pick<AuditEvent, 'event' | 'actor' | 'companyId' | 'details'>;
}

interface SessionCreatorDeps {
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly issuer: TokenIssuer;
  readonly refreshTokens: RefreshTokens;
  readonly lifetimes: Lifetimes;
  readonly devices: SignInDevices;
  readonly clock: Clock;
}

/** Creates sessions, for every way of signing in. */
export class SessionCreator {
  readonly #deps: SessionCreatorDeps;

  constructor(deps: SessionCreatorDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a session, within `trx` when given, if the verified state still holds at the moment of writing.
   * @throws AuthError the sign-in codes when the user may no longer sign in, `unauthorized` when the password,
   * the token version or a factor has changed meanwhile.
   * @throws GrantSpentError when the grant has created a session already.
   */
  async create(signIn: VerifiedSignIn, client: ClientInfo, trx?: Transaction): Promise<TokenPair> {
    const sessionId = newId();
    const { amr, parent, acting } = signIn;
    const acr = parent?.acr ?? signIn.acr;
    const authTime = parent?.authTime ?? signIn.authTime ?? epochSeconds(this.#deps.clock);
    const refreshToken = this.#deps.refreshTokens.first();
    const { id: userId, globalRole, tokenVersion } = signIn.user;
    const bearer = {
      ...{ userId, sessionId, globalRole, tokenVersion, authTime, amr, acr },
      ...(acting && { act: acting.party, notAfter: acting.until.getTime() / 1000 }),
    };
    const deviceName = deviceNameOf(client);
    // Tokens that another sign-in led to, or an operator, are not a sign-in of this device.
    const isOwnSignIn = !parent && signIn.origin !== 'minted';
    const device = isOwnSignIn ? this.#deps.devices.describe(client, deviceName) : undefined;
    const prepared = this.#deps.issuer.prepare(bearer);
    // Signing keeps a processor busy for a moment; the database does not wait for it.
    const [inserted, tokens] = await Promise.all([
      this.#deps.sessions.insert(
        {
          id: sessionId,
          userId,
          verified: { tokenVersion, passwordHash: signIn.passwordHash, factorVersion: signIn.factorVersion },
          requiresVerifiedEmail: this.#deps.signInPolicy.requiresVerifiedEmail,
          selectorDigest: digestOf(refreshToken.selector),
          secretDigest: digestOf(refreshToken.secret),
          origin: signIn.origin,
          amr,
          acr,
          authTime,
          grantDigest: signIn.grantDigest ?? null,
          ipAddress: client.ipAddress,
          userAgent: client.userAgent,
          deviceName,
          device,
          parent,
          external: signIn.external,
          acting,
          lifetimes: this.#deps.lifetimes,
        },
        auditOf(signIn, sessionId, client),
        trx,
      ),
      this.#deps.issuer.issue(prepared, refreshToken),
    ]);
    if (!inserted) return this.#throwReason(userId);
    if (inserted.isDeviceNoticed) this.#deps.devices.sendQueued(trx);
    return tokens;
  }

  async #throwReason(userId: string): Promise<never> {
    const user = await this.#deps.users.findById(userId);
    if (user) this.#deps.signInPolicy.assertMaySignIn(user);
    throw accountChanged();
  }
}

/** Returns the event of the sign-in, with all of its properties at once: a spread would leave hidden classes each time. */
const auditOf = ({ user, audit }: VerifiedSignIn, sessionId: string, client: ClientInfo): AuditEvent => ({
  event: audit.event,
  outcome: 'success',
  actor: audit.actor,
  subjectUserId: user.id,
  companyId: audit.companyId,
  sessionId,
  client,
  details: audit.details,
});
