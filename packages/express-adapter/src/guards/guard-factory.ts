import type { IncomingMessage } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import { withDeadline } from '../http/deadline.js';
import { withDenialsAudited } from '../http/denial.js';
import { rememberCaller } from '../http/request-facts.js';
import { assertIsMiddlewareCall, assertIsNodeRequest } from './assert-use.js';
import type { AuthContext } from './auth-context.js';
import { denialOf } from './guard-denial.js';
import type { GuardExchange, Guard } from './guard.js';
import { rememberAuth } from './request-auth.js';
import { RequestIdentity, type GuardRules } from './request-identity.js';
import { sendDenial } from './send-denial.js';

/** The specification of a guard. */
export interface GuardSpec {
  /** For messages: `requireAuth`. */
  name: string;
  /** @throws AuthError when the caller is not allowed. */
  permit?: (caller: AuthContext, identity: RequestIdentity, request: IncomingMessage) => Promise<void> | void;
}

/** Creates the guards of one `createGuards`, which share what they find out about a request. */
export class GuardFactory {
  readonly #auth: VerifyingAuth;
  readonly #rules: GuardRules;
  readonly #identities = new WeakMap<IncomingMessage, RequestIdentity>();

  constructor(auth: VerifyingAuth, rules: Omit<GuardRules, 'readsAccess'>) {
    this.#auth = auth;
    this.#rules = { ...rules, readsAccess: false };
  }

  /** Makes requests with `x-org` read the memberships together with the session from now on. */
  expectAccess(): void {
    this.#rules.readsAccess = true;
  }

  /** Returns the caller of a request. @throws AuthError as a route would. */
  async authenticate(request: IncomingMessage): Promise<AuthContext> {
    assertIsNodeRequest('guards.authenticate', request);
    const caller = await this.#identityOf(request).identify();
    rememberCaller(request, caller);
    rememberAuth(request, caller);
    return caller;
  }

  /** Returns a middleware that authenticates the caller and applies the spec. */
  guard(spec: GuardSpec): Guard {
    return this.#middleware(spec, async (exchange) => {
      const { request } = exchange;
      const identity = this.#identityOf(request);
      const caller = await identity.identify();
      rememberCaller(request, caller);
      await withDenialsAudited(
        this.#auth,
        () => denialOf(exchange, caller),
        async () => spec.permit?.(caller, identity, request),
      );
      rememberAuth(request, caller);
    });
  }

  /** Returns a middleware that authenticates the caller if credentials are present, and rejects invalid ones. */
  optionalGuard(name: string): Guard {
    return this.#middleware({ name }, async ({ request }) => {
      const caller = await this.#identityOf(request).identifyIfAny();
      if (!caller) return;
      rememberCaller(request, caller);
      rememberAuth(request, caller);
    });
  }

  #middleware({ name }: GuardSpec, decide: (exchange: GuardExchange) => Promise<void>): Guard {
    return (request, response, next) => {
      assertIsMiddlewareCall(name, request, next);
      const exchange = { request, response };
      // If the deadline has passed, a later success is ignored: the request has already been rejected.
      return withDeadline(decide(exchange)).then(
        () => next(),
        (error: unknown) => sendDenial(exchange, error, this.#auth),
      );
    };
  }

  #identityOf(request: IncomingMessage): RequestIdentity {
    const identity = this.#identities.get(request) ?? new RequestIdentity(request, this.#auth, this.#rules);
    this.#identities.set(request, identity);
    return identity;
  }
}
