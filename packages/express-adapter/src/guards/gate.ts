import type { IncomingMessage } from 'node:http';
import type { VerifyingAuth } from '@latchkey/core';
import { withDeadline } from '../http/deadline.js';
import { withDenialsAudited } from '../http/denial.js';
import { rememberCaller } from '../http/request-facts.js';
import { rememberWho } from './admitted.js';
import { assertIsMiddlewareCall } from './assert-use.js';
import type { AuthContext } from './auth-context.js';
import { denialOf } from './guard-denial.js';
import type { Exchange, Guard } from './guard.js';
import { refuse } from './refuse.js';
import { Visit, type VisitRules } from './visit.js';

/** What is asked of a caller we know. */
export interface Demand {
  /** Which guard asks. */
  name: string;
  /** @throws AuthError when the caller may not go on. */
  permit?: (who: AuthContext, visit: Visit, request: IncomingMessage) => Promise<void> | void;
  /** What the answer says of the age a sign-in may have, seconds. */
  maxAgeSeconds?: number;
}

/** Where requests of the host app are let in or answered. */
export class Gate {
  readonly #auth: VerifyingAuth;
  readonly #rules: VisitRules;
  readonly #visits = new WeakMap<IncomingMessage, Visit>();

  constructor(auth: VerifyingAuth, rules: Omit<VisitRules, 'readsAccess'>) {
    this.#auth = auth;
    this.#rules = { ...rules, readsAccess: false };
  }

  /** From now on memberships are read with the session where a company is named. */
  expectAccess(): void {
    this.#rules.readsAccess = true;
  }

  /** @throws AuthError as a route would. */
  async authenticate(request: IncomingMessage): Promise<AuthContext> {
    const who = await this.#visitOf(request).identify();
    rememberCaller(request, who);
    rememberWho(request, who);
    return who;
  }

  /** A guard that lets in whom the demand permits. */
  guard(demand: Demand): Guard {
    return this.#middleware(demand, async (exchange) => {
      const { request } = exchange;
      const visit = this.#visitOf(request);
      const who = await visit.identify();
      rememberCaller(request, who);
      await withDenialsAudited(
        this.#auth,
        () => denialOf(exchange, who),
        async () => demand.permit?.(who, visit, request),
      );
      rememberWho(request, who);
    });
  }

  /** A guard that lets in whoever does not pretend. */
  optionalGuard(name: string): Guard {
    return this.#middleware({ name }, async ({ request }) => {
      const who = await this.#visitOf(request).identifyIfAny();
      if (!who) return;
      rememberCaller(request, who);
      rememberWho(request, who);
    });
  }

  #middleware({ name, maxAgeSeconds }: Demand, decide: (exchange: Exchange) => Promise<void>): Guard {
    return (request, response, next) => {
      assertIsMiddlewareCall(name, request, next);
      const exchange = { request, response };
      // A late permission comes to nothing: who was refused for the delay is not let in afterwards.
      return withDeadline(decide(exchange)).then(
        () => next(),
        (error: unknown) => refuse(exchange, error, this.#auth, maxAgeSeconds),
      );
    };
  }

  #visitOf(request: IncomingMessage): Visit {
    const visit = this.#visits.get(request) ?? new Visit(request, this.#auth, this.#rules);
    this.#visits.set(request, visit);
    return visit;
  }
}
