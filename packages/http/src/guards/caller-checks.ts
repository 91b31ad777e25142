import type { VerifyingAuth } from '@latchkey/core';
import { principalActor } from '../callers/api-key.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { rememberCaller } from '../exchange/request-facts.js';
import { withDenialsAudited, type Denial } from '../routing/denial.js';
import type { AuthContext } from './auth-context.js';
import { GuardClient } from './guard-denial.js';
import { rememberAuth } from './request-auth.js';
import { RequestIdentity, type GuardRules } from './request-identity.js';

/** Route patterns of host apps are shorter. */
const MAX_PATH = 256;

/** Describes a denied request for the audit log. @param path the pattern of its route. */
function denialOf(request: HttpRequest, path: string, caller: AuthContext): Denial {
  const { ipAddress, userAgent, deviceName, requestId } = new GuardClient(request);
  return {
    actor: principalActor(caller),
    apiKeyId: caller.apiKey?.id,
    client: { ipAddress, userAgent, deviceName, requestId, act: caller.act },
    method: request.method,
    path: path.slice(0, MAX_PATH),
  };
}

/** Decides whether an authenticated caller is allowed. @throws AuthError when it is not. */
export type Permit = (
  caller: AuthContext,
  identity: RequestIdentity,
  request: HttpRequest,
) => Promise<void> | void;

/** The checks of one `createGuards`, which share what they find out about a request. */
export class CallerChecks {
  readonly #auth: VerifyingAuth;
  readonly #rules: GuardRules;
  readonly #identities = new WeakMap<object, RequestIdentity>();

  constructor(auth: VerifyingAuth, rules: Omit<GuardRules, 'readsAccess'>) {
    this.#auth = auth;
    this.#rules = { ...rules, readsAccess: false };
  }

  /** Makes requests with `x-org` read the memberships together with the session from now on. */
  expectAccess(): void {
    this.#rules.readsAccess = true;
  }

  /** Returns the caller of a request. @throws AuthError as a route would. */
  async authenticate(request: HttpRequest): Promise<AuthContext> {
    const caller = await this.#identityOf(request).identify();
    return remembered(request, caller);
  }

  /** Returns the caller if credentials are present. @throws AuthError for invalid ones. */
  async authenticateIfAny(request: HttpRequest): Promise<AuthContext | undefined> {
    const caller = await this.#identityOf(request).identifyIfAny();
    return caller && remembered(request, caller);
  }

  /**
   * Authenticates the caller and decides; a denial is audited.
   * @param path the pattern of the route, for the audit log.
   * @param takesKeys true accepts API keys. Defaults to the option of the guards.
   * @throws AuthError as a route would.
   */
  async decide(
    request: HttpRequest,
    path: string,
    permit?: Permit,
    takesKeys?: boolean,
  ): Promise<AuthContext> {
    const identity = this.#identityOf(request);
    const caller = await identity.identify(takesKeys);
    rememberCaller(request, caller);
    await withDenialsAudited(
      this.#auth,
      () => denialOf(request, path, caller),
      async () => permit?.(caller, identity, request),
    );
    return remembered(request, caller);
  }

  #identityOf(request: HttpRequest): RequestIdentity {
    const { source } = request;
    const identity = this.#identities.get(source) ?? new RequestIdentity(request, this.#auth, this.#rules);
    this.#identities.set(source, identity);
    return identity;
  }
}

function remembered(request: HttpRequest, caller: AuthContext): AuthContext {
  rememberCaller(request, caller);
  rememberAuth(request, caller);
  return caller;
}
