import type { Auth } from '../compose/auth.js';
import type { TestClock } from './test-clock.js';
import type { NewTestCompany, TestCompanies, TestCompany } from './test-companies.js';
import { TestMail } from './test-mail.js';
import { TestUsers, type NewTestUser, type TestUser } from './test-users.js';

interface Parts {
  auth: Auth;
  clock: TestClock;
  companies: TestCompanies;
  /** Of the kit alone. */
  databaseUrl: string;
  internalKey: string;
  close(): Promise<void>;
}

/**
 * A real `Auth` on a database of its own, with what tests need around it.
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
  readonly clock: TestClock;
  /** Of this kit's database, for code under test that opens it by itself. It is dropped by `close`. */
  readonly databaseUrl: string;
  /** What machine routes want in `X-Internal-API-Key`. */
  readonly internalKey: string;
  readonly #users: TestUsers;
  readonly #companies: TestCompanies;
  readonly #close: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.auth = parts.auth;
    this.mail = new TestMail(parts.auth.inbox);
    this.clock = parts.clock;
    this.databaseUrl = parts.databaseUrl;
    this.internalKey = parts.internalKey;
    this.#companies = parts.companies;
    this.#users = new TestUsers(parts.auth, parts.companies);
    this.#close = () => parts.close();
  }

  /**
   * A new user who is signed in.
   * @throws TypeError for fields that need a company, AuthError as the services throw (`conflict` for an address that
   * is taken).
   */
  async user(wanted: NewTestUser = {}): Promise<TestUser> {
    return this.#users.create(wanted);
  }

  /** Says what a company is entitled to, in place of what was said before. */
  async company(wanted: NewTestCompany): Promise<TestCompany> {
    return Promise.resolve(this.#companies.declare(wanted));
  }

  /** Closes every connection and drops the database. Calling it twice is fine. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
