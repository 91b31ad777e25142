import type { z } from 'zod';
import {
  AuthError,
  type AccessView,
  type VerifyingAuth,
  type ErrorCode,
  type KeyForAccess,
  type SignedInMember,
} from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';
import { apiKeyOf, notWithApiKey } from '../callers/api-key.js';
import type { Credentials } from '../callers/caller.js';
import { accessTokenOf } from '../callers/signed-in.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { companyContext, readHeader, readHeaders } from '../exchange/request-input.js';
import { ACCESS_COOKIE, tokenInCookie } from '../routing/auth-cookies.js';
import { assertOwnOrigin } from '../routing/cookie-origin.js';
import type { AuthContext } from './auth-context.js';
import { GuardClient } from './guard-denial.js';
import type { GuardOptions } from './guard-options.js';

/** RFC 9110 section 9.2.1. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the credentials of a request to a route of the host app.
 *
 * The cookie requires no `X-Auth-Mode`: a browser that opens a page cannot send it. JSON is not required either, since
 * host apps have forms. Other sites are kept out by SameSite=Lax, which omits the cookie from their forms and scripts.
 * Other origins of the same site are kept out by the `Origin` check.
 */
function credentialsOf(request: HttpRequest, auth: VerifyingAuth, takesCookies: boolean): Credentials {
  return {
    header: (name) => readHeader(request, name),
    cookieToken: () => (takesCookies ? cookieTokenOf(request, auth) : undefined),
  };
}

/** @throws AuthError `forbidden` when a page of another origin makes a request that can change state. */
function cookieTokenOf(request: HttpRequest, { settings: { http } }: VerifyingAuth): string | undefined {
  const token = tokenInCookie(request, ACCESS_COOKIE);
  if (token !== undefined && mayChange(request)) assertOwnOrigin(request, http);
  return token;
}

/** A WebSocket starts with a GET that any page may send, and can change state afterwards. */
const mayChange = ({ method, headers: { upgrade = '' } }: HttpRequest): boolean =>
  !SAFE_METHODS.has(method) || /\bwebsocket\b/i.test(String(upgrade));

export interface GuardRules extends Required<GuardOptions> {
  /** True when a guard reads memberships: those of `x-org` are then read together with the session. */
  readsAccess: boolean;
}

/** The identity of one request, shared by the guards of one `createGuards`: each fact is read once. */
export class RequestIdentity {
  readonly #auth: VerifyingAuth;
  readonly #rules: GuardRules;
  readonly #credentials: Credentials;
  readonly #request: HttpRequest;
  #caller: Promise<AuthContext> | undefined;
  #member: Promise<SignedInMember> | undefined;
  #key: Promise<KeyForAccess> | undefined;
  readonly #access = new Map<string, Promise<AccessView>>();

  constructor(request: HttpRequest, auth: VerifyingAuth, rules: GuardRules) {
    this.#auth = auth;
    this.#rules = rules;
    this.#request = request;
    this.#credentials = credentialsOf(request, auth, rules.cookies);
  }

  /**
   * Returns the caller.
   * @param takesKeys true accepts an API key. Defaults to the option of the guards.
   * @throws AuthError what the authenticators throw, `forbidden` for an API key that is not accepted, `validation_error`, `forbidden` for a cookie of a foreign page.
   */
  identify(takesKeys = this.#rules.apiKeys): Promise<AuthContext> {
    const apiKey = apiKeyOf(this.#credentials, this.#auth);
    if (apiKey === undefined) return (this.#caller ??= this.#identify());
    // A key that a guard refuses is not looked up for it.
    if (!takesKeys) throw notWithApiKey();
    return (this.#caller ??= this.#identifyKey(apiKey));
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
   * Returns the access in the company of `x-org`; of an API key in its own company, if there is no `x-org`.
   * @throws AuthError `validation_error` without a valid `x-org`, what `identify` and `AccessService.resolve` throw.
   */
  async access(): Promise<AccessView> {
    if (this.#caller && (await this.#caller).kind === 'api-key') return this.#accessOfKey();
    await this.identify();
    const companyId = this.#companyOf(companyContext);
    const access = this.#access.get(companyId) ?? this.#resolve(companyId);
    this.#access.set(companyId, access);
    return access;
  }

  async #identify(): Promise<AuthContext> {
    const { authenticator } = this.#auth;
    if (this.#member) return this.#member;
    if (this.#rules.check === 'hint')
      return authenticator.authenticateByHint(accessTokenOf(this.#credentials, this.#auth));
    const asksForCompany = this.#rules.readsAccess && this.#credentials.header('x-org') !== undefined;
    return asksForCompany
      ? this.#asMember()
      : authenticator.authenticate(accessTokenOf(this.#credentials, this.#auth));
  }

  async #resolve(companyId: string): Promise<AccessView> {
    return this.#auth.access.resolve(await this.#asMember(), companyId);
  }

  async #identifyKey(apiKey: string): Promise<AuthContext> {
    const { authenticator } = this.#auth.apiKeys;
    const client = new GuardClient(this.#request);
    if (!this.#rules.readsAccess) return authenticator.authenticate(apiKey, client);
    return (this.#key ??= authenticator.authenticateForAccess(apiKey, client));
  }

  async #accessOfKey(): Promise<AccessView> {
    const { authenticator } = this.#auth.apiKeys;
    const apiKey = apiKeyOf(this.#credentials, this.#auth) ?? '';
    const caller = await (this.#key ??= authenticator.authenticateForAccess(
      apiKey,
      new GuardClient(this.#request),
    ));
    const companyId = this.#companyOf(companyContext.partial()) ?? '';
    const access = this.#access.get(companyId) ?? authenticator.accessOf(caller, companyId || undefined);
    this.#access.set(companyId, access);
    return access;
  }

  #companyOf<Schema extends z.ZodObject<{ 'x-org': z.ZodType }>>(schema: Schema): z.output<Schema>['x-org'] {
    return checkInput(schema, readHeaders(schema, this.#credentials), 'header')['x-org'];
  }

  #asMember(): Promise<SignedInMember> {
    const token = accessTokenOf(this.#credentials, this.#auth);
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
