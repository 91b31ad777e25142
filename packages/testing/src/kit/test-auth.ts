import type { Auth } from '@latchkey/core';
import type { TestClock } from './test-clock.js';
import type { NewTestCompany, TestCompanies, TestCompany } from './test-companies.js';
import { TestMail } from './test-mail.js';
import { TestUsers, type NewTestUser, type TestUser } from './test-users.js';
import { TestWebhooks } from './test-webhooks.js';

interface TestAuthDeps {
  readonly auth: Auth;
  readonly clock: TestClock;
  readonly companies: TestCompanies;
  /** The URL of the kit's own database. */
  readonly databaseUrl: string;
  readonly internalKey: string;
  /** Closes the service, does the work, and drops the database. */
  close(work: () => Promise<void>): Promise<void>;
}

/**
 * A real `Auth` on a database of its own, with the usual helpers of tests.
 * @example
 * ```ts
 * const ann = await kit.user({ company: 'acme', modules: ['billing'] });
 * const access = await kit.auth.access.resolveOf(ann.id, ann.companyId ?? '');
 * access.modules; // → ['billing']
 * ```
 */
export class TestAuth implements AsyncDisposable {
  readonly auth: Auth;
  readonly mail: TestMail;
  /** The bodies of webhooks that a receiver of all events gets. */
  readonly webhooks: TestWebhooks;
  readonly clock: TestClock;
  /** The URL of this kit's database, for code under test that opens it itself. It is dropped by `close`. */
  readonly databaseUrl: string;
  /** The value of `X-Internal-API-Key` on machine routes. */
  readonly internalKey: string;
  readonly #users: TestUsers;
  readonly #companies: TestCompanies;
  readonly #close: TestAuthDeps['close'];
  readonly #closeFirst: (() => unknown)[] = [];
  #closing: Promise<void> | undefined;

  constructor(deps: TestAuthDeps) {
    this.auth = deps.auth;
    this.mail = new TestMail(deps.auth.inbox);
    this.webhooks = new TestWebhooks(deps.auth.audit);
    this.clock = deps.clock;
    this.databaseUrl = deps.databaseUrl;
    this.internalKey = deps.internalKey;
    this.#companies = deps.companies;
    this.#users = new TestUsers(deps.auth, deps.companies);
    this.#close = (work) => deps.close(work);
  }

  /**
   * Creates a user who is signed in.
   * @throws TypeError for unknown fields, values of a wrong type and fields that require a company, AuthError as the services throw (`conflict` for an
   * email that is taken).
   */
  async user(wanted: NewTestUser = {}): Promise<TestUser> {
    return this.#users.create(wanted);
  }

  /** Sets the entitlements of a company, in place of earlier ones. */
  async company(wanted: NewTestCompany): Promise<TestCompany> {
    return Promise.resolve(this.#companies.declare(wanted));
  }

  /**
   * Registers work for `close`, such as `() => pool.end()`: it runs when the last listener has finished and before the
   * database is dropped, the last registered first. If work fails, the rest runs, and `close` rejects with the error.
   */
  onClose(work: () => unknown): void {
    if (typeof work !== 'function')
      throw new TypeError('kit.onClose: pass a function. Write: kit.onClose(() => pool.end())');
    if (this.#closing) throw new Error('kit.onClose: the kit is closed already; call it before kit.close()');
    this.#closeFirst.push(work);
  }

  /** Closes every connection, does the work of `onClose` and drops the database. Calling it twice is safe. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close(() => this.#runClosingWork()));
  }

  async #runClosingWork(): Promise<void> {
    const errors: unknown[] = [];
    for (const work of this.#closeFirst.toReversed()) {
      try {
        await work();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Work of kit.onClose failed.');
    if (errors.length === 1) throw errors[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
