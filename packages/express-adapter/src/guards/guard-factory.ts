import type { IncomingMessage } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import { withDeadline } from '../http/deadline.js';
import { withDenialsAudited } from '../http/denial.js';
import { rememberCaller } from '../http/request-facts.js';
import { assertIsMiddlewareCall } from './assert-use.js';
import type { AuthContext } from './auth-context.js';
import { denialOf } from './guard-denial.js';
import type { GuardExchange, Guard } from './guard.js';
import { rememberAuth } from './request-auth.js';
import { RequestIdentity, type GuardRules } from './request-identity.js';
import { sendDenial } from './send-denial.js';

/** What is asked of a caller we know. */
export interface GuardSpec {
  /** Which guard asks. */
  name: string;
  /** @throws AuthError when the caller may not go on. */
  permit?: (who: AuthContext, identity: RequestIdentity, request: IncomingMessage) => Promise<void> | void;
  /** What the answer says of the age a sign-in may have, seconds. */
  maxAgeSeconds?: number;
}

/** Where requests of the host app are let in or answered. */
export class GuardFactory {
  readonly #auth: VerifyingAuth;
  readonly #rules: GuardRules;
  readonly #identities = new WeakMap<IncomingMessage, RequestIdentity>();

  constructor(auth: VerifyingAuth, rules: Omit<GuardRules, 'readsAccess'>) {
    this.#auth = auth;
    this.#rules = { ...rules, readsAccess: false };
  }

  /** From now on memberships are read with the session where a company is named. */
  expectAccess(): void {
    this.#rules.readsAccess = true;
  }

  /** @throws AuthError as a route would. */
  async authenticate(request: IncomingMessage): Promise<AuthContext> {
    const who = await this.#identityOf(request).identify();
    rememberCaller(request, who);
    rememberAuth(request, who);
    return who;
  }

  /** A guard that lets in whom the spec permits. */
  guard(spec: GuardSpec): Guard {
    return this.#middleware(spec, async (exchange) => {
      const { request } = exchange;
      const identity = this.#identityOf(request);
      const who = await identity.identify();
      rememberCaller(request, who);
      await withDenialsAudited(
        this.#auth,
        () => denialOf(exchange, who),
        async () => spec.permit?.(who, identity, request),
      );
      rememberAuth(request, who);
    });
  }

  /** A guard that lets in whoever does not pretend. */
  optionalGuard(name: string): Guard {
    return this.#middleware({ name }, async ({ request }) => {
      const who = await this.#identityOf(request).identifyIfAny();
      if (!who) return;
      rememberCaller(request, who);
      rememberAuth(request, who);
    });
  }

  #middleware({ name, maxAgeSeconds }: GuardSpec, decide: (exchange: GuardExchange) => Promise<void>): Guard {
    return (request, response, next) => {
      assertIsMiddlewareCall(name, request, next);
      const exchange = { request, response };
      // A late permission comes to nothing: who was refused for the delay is not let in afterwards.
      return withDeadline(decide(exchange)).then(
        () => next(),
        (error: unknown) => sendDenial(exchange, error, this.#auth, maxAgeSeconds),
      );
    };
  }

  #identityOf(request: IncomingMessage): RequestIdentity {
    const identity = this.#identities.get(request) ?? new RequestIdentity(request, this.#auth, this.#rules);
    this.#identities.set(request, identity);
    return identity;
  }
}
