import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { ExternalFlowRepository } from '../identities/external-flow-repository.js';
import { LINK_PREFIX, LINK_SECONDS, flowInvalid } from '../identities/external-flow.js';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import type { ExternalIdentity, ProvedIdentity } from '../identities/external-identity.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import { newId } from '../kernel/id.js';
import { digestOf, generateSecret } from '../kernel/secret.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import { accountChanged } from '../sessions/account-changed.js';
import { assertAllowedToSignIn } from '../sessions/allowed-to-sign-in.js';
import type { PasswordVoider } from '../sessions/password-voider.js';
import type { SessionCreator, VerifiedSignIn } from '../sessions/session-creator.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { SignInResult } from '../sessions/sign-in-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import { EXTERNAL_METHODS } from '../tokens/authentication-methods.js';
import { isStaff } from '../users/authority.js';
import { canonicalEmail } from '../users/email.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn, type AuthProvider, type User } from '../users/user.js';
import { signInFailed, type EndedFlow } from './external-flows.js';
import type { ProviderTraits, ProviderUser } from './external-provider.js';
import type { FinishedExternal } from './external-schema.js';
import type { IdentityAddition } from './identity-addition.js';

export interface ExternalAccountsDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly identities: ExternalIdentityRepository;
  readonly identityAddition: IdentityAddition;
  readonly externalFlows: ExternalFlowRepository;
  /** The parts of registration and of the password setter that are needed here. */
  readonly registration: {
    assertMaySignUp(email: string): void;
    addProved(
      registration: {
        id: string;
        email: string;
        fullName: string | null;
        authProvider: AuthProvider;
        isEmailVerified: boolean;
        details: Record<string, unknown>;
      },
      client: ClientInfo,
      trx: Transaction,
    ): Promise<User>;
  };
  readonly setter: PasswordVoider;
  readonly signInPolicy: SignInPolicy;
  readonly beforeHooks: BeforeHookRunner;
  readonly signInCompleter: SignInCompleter;
  readonly sessionCreator: SessionCreator;
  readonly refusals: RefusalSampler;
  readonly audit: AuditRepository;
  readonly notices: SecurityNotices;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** True: a first sign-in creates an account. */
  readonly signUp: boolean;
  /** The ways in that a user is offered to link an identity. */
  readonly linkMethods: readonly ('password' | 'passkey')[];
}

/** A sign-in that a provider has proved. */
interface Proved extends EndedFlow {
  identity: ProvedIdentity;
  client: ClientInfo;
}

/** Decides whose sign-in a provider has proved, and completes it. */
export class ExternalAccounts {
  readonly #deps: ExternalAccountsDeps;

  constructor(deps: ExternalAccountsDeps) {
    this.#deps = deps;
  }

  /**
   * Signs in the user of an identity. An unknown identity never takes over an account by its address alone: the provider must decide
   * who has the mailbox, and the account must not be that of staff; else its user signs in as before and links the identity.
   * @throws AuthError the sign-in codes, `registration_disabled`, `unauthorized`, `conflict`, the refusal of a hook,
   * `service_unavailable`.
   */
  async signIn(ended: EndedFlow, client: ClientInfo): Promise<FinishedExternal> {
    const proved = { ...ended, identity: identityOf(ended), client };
    const known = await this.#deps.identities.find(proved.identity);
    if (known) return this.#signInKnown(known, proved);
    const { email } = proved.identity;
    if (email === null) {
      await this.#refuse(undefined, 'email_missing', proved);
      throw signInFailed();
    }
    const owner = await this.#deps.users.findByEmail(email);
    if (!owner) return this.#signUp(email, proved);
    const isTrusted = proved.identity.provesMailbox && !isStaff(owner.globalRole);
    return isTrusted ? this.#adopt(owner, proved) : this.#offerLink(owner, proved);
  }

  /** The identity is known, so the address that it has by now does not matter. */
  async #signInKnown(known: ExternalIdentity, proved: Proved): Promise<SignInResult> {
    const user = await this.#deps.users.findById(known.userId);
    if (!user || user.erasedAt) throw accountChanged();
    await this.#assertMaySignIn(user, proved);
    return this.#deps.database.transaction(async (trx) => {
      const locked = await this.#locked(user, trx);
      if (!(await this.#deps.identities.touch(known, proved.identity, trx))) throw accountChanged();
      return this.#complete(locked, known.id, proved, trx);
    });
  }

  async #signUp(email: string, proved: Proved): Promise<SignInResult> {
    const { identity, provider, user, client } = proved;
    if (!this.#deps.signUp) {
      await this.#refuse(undefined, 'sign_up_off', proved);
      throw noAccount();
    }
    this.#deps.registration.assertMaySignUp(email);
    const fields = {
      id: newId(),
      email,
      fullName: user.fullName ?? null,
      authProvider: AUTH_PROVIDER[provider.traits.type],
      isEmailVerified: identity.provesMailbox,
    };
    await this.#deps.beforeHooks.register({ ...fields, fullName: fields.fullName ?? '' }, client);
    const details = { method: 'external', connectionId: provider.traits.id };
    await this.#deps.database.transaction(async (trx) => {
      await this.#link(
        await this.#deps.registration.addProved({ ...fields, details }, client, trx),
        proved,
        trx,
      );
    });
    return this.#signInLinked(proved);
  }

  /** Signs in by an identity that has just been linked: the link stays if the account may not sign in yet. */
  async #signInLinked(proved: Proved): Promise<SignInResult> {
    const linked = await this.#deps.identities.find(proved.identity);
    if (!linked) throw accountChanged();
    return this.#signInKnown(linked, proved);
  }

  /**
   * Links the identity to the account of its address, whose mailbox the provider has proved. What was set up before the first proof of
   * it may be another person's, who has registered the address: it is removed.
   */
  async #adopt(owner: User, proved: Proved): Promise<SignInResult> {
    const { provider, client } = proved;
    const { id: connectionId } = provider.traits;
    // A pending account gets its owner's identity, but is not approved by it; one that staff have closed gets nothing.
    if (owner.approvalStatus !== 'PENDING')
      await assertAllowedToSignIn(this.#deps, asProved(owner), {
        client,
        details: { method: 'external', connectionId },
      });
    await this.#deps.beforeHooks.link(owner, { connectionId }, client);
    await this.#deps.database.transaction(async (trx) => {
      const locked = (await this.#deps.users.lock([owner.id], trx)).get(owner.id);
      if (locked?.email !== proved.identity.email || isStaff(locked.globalRole)) throw accountChanged();
      const isFirstProof = await this.#deps.users.markEmailVerified(locked.id, trx);
      const user = isFirstProof ? await this.#reclaim(locked, proved, trx) : locked;
      await this.#link(user, proved, trx);
      await this.#notify(user, isFirstProof ? 'identity_reclaimed' : 'identity_linked', proved, trx);
    });
    return this.#signInLinked(proved);
  }

  #reclaim({ id: userId }: User, { provider, client }: Proved, trx: Transaction): Promise<User> {
    const cause = {
      reason: 'password_changed',
      event: 'external_identity_reclaimed',
      actor: { kind: 'user', userId },
      client,
      details: { connectionId: provider.traits.id },
    } as const;
    return this.#deps.setter.voidWithin(userId, cause, trx);
  }

  /** @throws AuthError `conflict` if the identity has a user by now, or the user has too many. */
  async #link(user: User, { identity, client }: Proved, trx: Transaction): Promise<void> {
    const target = { userId: user.id, identity, sessionId: undefined, client, ifTaken: accountChanged };
    await this.#deps.identityAddition.addWithin(target, trx);
  }

  async #notify(
    { email: recipient, fullName }: User,
    kind: 'identity_linked' | 'identity_reclaimed',
    { provider }: Proved,
    trx: Transaction,
  ): Promise<void> {
    const payload = { fullName, connectionName: provider.traits.label };
    if (kind === 'identity_linked') await this.#deps.notices.enqueue(trx, { kind, recipient, payload });
    else await this.#deps.outbox.enqueue(trx, { kind, recipient, payload });
  }

  /** A mailed link would wait for one click of a victim, so the user has to sign in as before. */
  async #offerLink(owner: User, proved: Proved): Promise<FinishedExternal> {
    const token = generateSecret(LINK_PREFIX);
    const pending = { userId: owner.id, identity: proved.identity };
    if (!(await this.#deps.externalFlows.offerLink(proved.flow.id, digestOf(token), pending)))
      throw flowInvalid();
    await this.#refuse(owner.id, isStaff(owner.globalRole) ? 'staff' : 'mailbox_unproved', proved);
    return { link: { token, methods: [...this.#deps.linkMethods], expiresIn: LINK_SECONDS } };
  }

  /** Records at most one refusal of an account a minute. */
  async #refuse(userId: string | undefined, reason: string, { provider, client }: Proved): Promise<void> {
    const sampled = await this.#deps.refusals.sample(
      `external-link:${userId ?? provider.traits.id}:${reason}`,
    );
    if (!sampled) return;
    await this.#deps.audit.insert({
      event: 'external_identity_link_refused',
      outcome: 'denied',
      actor: { kind: 'anonymous' },
      subjectUserId: userId,
      client,
      details: { connectionId: provider.traits.id, reason, ...sampled },
    });
  }

  async #assertMaySignIn(user: User, { provider, client }: Proved): Promise<void> {
    const { id: connectionId } = provider.traits;
    await assertAllowedToSignIn(this.#deps, user, { client, details: { method: 'external', connectionId } });
    await this.#deps.beforeHooks.login(user, { method: 'external', connectionId }, client);
  }

  /** @returns the locked row. @throws AuthError if it is not the one that was judged. */
  async #locked(judged: User, trx: Transaction): Promise<User> {
    const locked = (await this.#deps.users.lock([judged.id], trx)).get(judged.id);
    if (!locked || !maySignIn(locked) || locked.tokenVersion !== judged.tokenVersion) throw accountChanged();
    return locked;
  }

  #complete(user: User, identityId: string, proved: Proved, trx: Transaction): Promise<SignInResult> {
    const { provider, user: proof, client } = proved;
    const details = { method: 'external', connectionId: provider.traits.id, identityId };
    const signIn: VerifiedSignIn = {
      user,
      origin: 'external',
      method: 'external',
      amr: proof.hadFactors ? [...EXTERNAL_METHODS, 'mfa'] : EXTERNAL_METHODS,
      acr: proof.hadFactors ? 'aal2' : 'aal1',
      authTime: this.#authTimeOf(provider.traits, proof),
      external: { identityId, providerSessionId: proof.sessionId ?? null },
      passwordHash: null,
      audit: { event: 'login', actor: { kind: 'user', userId: user.id }, details },
    };
    return proof.hadFactors
      ? this.#deps.sessionCreator.create(signIn, client, trx)
      : this.#deps.signInCompleter.complete(signIn, client, trx);
  }

  /**
   * Returns the time at which the user proved their identity. A provider that signs users in again without asking them says nothing
   * about it, so no time is recent: 0.
   */
  #authTimeOf({ reauthenticates }: ProviderTraits, { authTime }: ProviderUser): number {
    if (!reauthenticates || authTime === undefined) return 0;
    return Math.max(0, Math.min(authTime, epochSeconds(this.#deps.clock)));
  }
}

/** Returns the user as the proof of the mailbox leaves it. */
const asProved = (user: User): User => ({ ...user, emailVerifiedAt: user.emailVerifiedAt ?? new Date() });

const AUTH_PROVIDER = { google: 'google', microsoft: 'microsoft', github: 'other', oidc: 'other' } as const;

/** Returns the identity of an ended flow, with its address as accounts have it. */
export function identityOf({ provider, user }: Pick<EndedFlow, 'provider' | 'user'>): ProvedIdentity {
  const email = user.email === undefined ? undefined : canonicalEmail(user.email);
  return {
    connectionId: provider.traits.id,
    subject: user.subject,
    email: email ?? null,
    emailVerified: user.emailVerified && email !== undefined,
    provesMailbox: user.provesMailbox && email !== undefined,
  };
}

const noAccount = (): AuthError =>
  new AuthError(
    'registration_disabled',
    'No account is linked to this sign-in. Sign in as before and link it, or ask for an account.',
  );
