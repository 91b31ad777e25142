import { digestOf, generateSecret } from '../kernel/secret.js';
import type { ValueSigner } from '../kernel/signed-value.js';
import type { HeldSession } from '../sessions/session-repository.js';
import type { SignInFacts } from '../sessions/sign-in-freshness.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { HandoffCode } from './handoff-schema.js';

/** The grant of a user, who passes the own session on. */
export interface HandoffGrant {
  userId: string;
  companyId: string;
  /** The session that created the code. */
  sessionId: string;
  /**
   * The sign-in of the token that created the code: a step-up of its session afterwards is not passed on, so a token
   * from before gains nothing by it. Missing in grants of the previous version.
   */
  signIn?: SignInFacts & Pick<HeldSession, 'acr'>;
}

/** The grant of a member of staff, who is about to act for a user. */
export interface ActingGrant {
  userId: string;
  /** The company of the app that the code is for; null: it is for the pages of the service. */
  companyId: string | null;
  actorUserId: string;
  /** The session of the member of staff. */
  sessionId: string;
  reason: string;
  /** Seconds that the acting session lasts. */
  seconds: number;
}

type Grant = HandoffGrant | ActingGrant;

/** The prefixes of codes: one that a user has made, and one of a member of staff. */
type Prefix = 'lkh_' | 'lka_';

const CODE_PATTERN = /^lk[ha]_[A-Za-z0-9_-]{43}$/;

export const isActingGrant = (grant: Grant | undefined): grant is ActingGrant =>
  grant !== undefined && 'actorUserId' in grant;

/** Codes that work once, and the grants that they represent. Only the digest of a code is stored. */
export class HandoffCodes {
  readonly #deps;

  constructor(deps: { readonly store: EphemeralStore; readonly handoffSigner: ValueSigner }) {
    this.#deps = deps;
  }

  /** Creates a code. @throws AuthError `service_unavailable` without the ephemeral store. */
  async create(prefix: Prefix, grant: Grant, ttlSeconds: number): Promise<HandoffCode> {
    const { store, handoffSigner } = this.#deps;
    const code = generateSecret(prefix);
    const key = keyOf(code);
    await store.set(key, await handoffSigner.sign(key, grant, ttlSeconds), ttlSeconds);
    return { code, expiresIn: ttlSeconds };
  }

  /**
   * Spends a code. @returns its grant; undefined for a code that is unknown, spent or expired.
   * @throws AuthError `service_unavailable` without the ephemeral store.
   */
  async take(code: string): Promise<Grant | undefined> {
    if (!CODE_PATTERN.test(code)) return undefined;
    const key = keyOf(code);
    const signed = await this.#deps.store.getAndDelete(key);
    return signed === undefined
      ? undefined
      : ((await this.#deps.handoffSigner.verify(key, signed)) as Grant | undefined);
  }
}

const keyOf = (code: string): string => `handoff:${digestOf(code).toString('hex')}`;
