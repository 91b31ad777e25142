import { AuthError } from '../kernel/auth-error.js';
import { withDeadline } from '../kernel/deadline.js';
import { readEntitlements, type EntitlementsAnswer } from './entitlements-answer.js';
import type { Entitlements, EntitlementSource } from './entitlements.js';

/** A function of a host app that returns the entitlements of a company; undefined for an unknown one. */
export type EntitlementsFunction = (
  companyId: string,
) => EntitlementsAnswer | undefined | Promise<EntitlementsAnswer | undefined>;

/** Returns entitlements from a function of the host app, in place of a core service. */
export class StaticEntitlements implements EntitlementSource {
  readonly #find: EntitlementsFunction;
  readonly #timeoutMs: number;

  /** @param options `timeout`: seconds. */
  constructor(find: EntitlementsFunction, { timeout }: { timeout: number }) {
    this.#find = find;
    this.#timeoutMs = timeout * 1000;
  }

  async fetch(companyId: string): Promise<Entitlements> {
    try {
      const answer = await withDeadline(
        this.#ask(companyId),
        this.#timeoutMs,
        'The entitlements were not found in time.',
      );
      if (answer === undefined) throw AuthError.forbidden('The company is not known.', 'company_unknown');
      return readEntitlements(answer);
    } catch (error) {
      if (AuthError.is(error)) throw error;
      throw AuthError.unavailable('The entitlements of the company cannot be used.', error);
    }
  }

  /** Calls the function. Async, so that a synchronous error is a rejection too. */
  async #ask(companyId: string): Promise<EntitlementsAnswer | undefined> {
    return this.#find(companyId);
  }
}
