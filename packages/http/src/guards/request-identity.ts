import {
  AuthError,
  type AccessView,
  type VerifyingAuth,
  type ErrorCode,
  type SignedInMember,
} from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';
import type { Credentials } from '../callers/caller.js';
import { accessTokenOf } from '../callers/signed-in.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { companyContext, readHeaders } from '../exchange/request-input.js';
import type { AuthContext } from './auth-context.js';
import type { GuardOptions } from './guard-options.js';
import { credentialsOf } from './request-credentials.js';

export interface GuardRules extends Required<GuardOptions> {
  /** True when a guard reads memberships: those of `x-org` are then read together with the session. */
  readsAccess: boolean;
}

/** The identity of one request, shared by the guards of one `createGuards`: each fact is read once. */
export class RequestIdentity {
  readonly #auth: VerifyingAuth;
  readonly #rules: GuardRules;
  readonly #credentials: Credentials;
  #caller: Promise<AuthContext> | undefined;
  #member: Promise<SignedInMember> | undefined;
  readonly #access = new Map<string, Promise<AccessView>>();

  constructor(request: HttpRequest, auth: VerifyingAuth, rules: GuardRules) {
    this.#auth = auth;
    this.#rules = rules;
    this.#credentials = credentialsOf(request, auth, rules.cookies);
  }

  /**
   * Returns the caller.
   * @throws AuthError what the authenticator throws, `validation_error`, `forbidden` for a cookie of a foreign page.
   */
  identify(): Promise<AuthContext> {
    return (this.#caller ??= this.#identify());
  }

  /**
   * Returns the caller, or undefined without credentials or with a cookie that is no longer valid: a browser sends cookies
   * automatically. A token in the header is sent on purpose, so an invalid one is rejected.
   */
  async identifyIfAny(): Promise<AuthContext | undefined> {
    if (this.#credentials.header('authorization') !== undefined) return this.identify();
    if (this.#credentials.cookieToken() === undefined) return undefined;
    return this.identify().catch(undefinedIfSignedOut);
  }

  /**
   * Returns the access in the company of `x-org`.
   * @throws AuthError `validation_error` without a valid `x-org`, what `identify` and `AccessService.resolve` throw.
   */
  async access(): Promise<AccessView> {
    await this.identify();
    const companyId = checkInput(companyContext, readHeaders(companyContext, this.#credentials), 'header')[
      'x-org'
    ];
    const access = this.#access.get(companyId) ?? this.#resolve(companyId);
    this.#access.set(companyId, access);
    return access;
  }

  async #identify(): Promise<AuthContext> {
    const { authenticator } = this.#auth;
    if (this.#member) return this.#member;
    if (this.#rules.check === 'hint')
      return authenticator.authenticateByHint(accessTokenOf(this.#credentials));
    const asksForCompany = this.#rules.readsAccess && this.#credentials.header('x-org') !== undefined;
    return asksForCompany ? this.#asMember() : authenticator.authenticate(accessTokenOf(this.#credentials));
  }

  async #resolve(companyId: string): Promise<AccessView> {
    return this.#auth.access.resolve(await this.#asMember(), companyId);
  }

  #asMember(): Promise<SignedInMember> {
    const token = accessTokenOf(this.#credentials);
    return (this.#member ??= this.#auth.authenticator.authenticateForAccess(token));
  }
}

/** Codes that mean that the user of a cookie is not signed in any more. */
const SIGNED_OUT: readonly ErrorCode[] = [
  'unauthorized',
  'session_revoked',
  'pending_approval',
  'registration_rejected',
  'account_inactive',
];

function undefinedIfSignedOut(error: unknown): undefined {
  if (AuthError.is(error) && SIGNED_OUT.includes(error.code)) return undefined;
  throw error;
}
