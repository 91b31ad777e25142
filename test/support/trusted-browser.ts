import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { CookieBrowser } from './cookie-browser.js';
import { enrolFactor, type EnrolledFactor } from './enrolled-user.js';
import type { TestService } from './service.js';
import type { NewTestUser, TestUser } from './test-users.js';

export const TRUSTED = '__Host-lk_trusted';

/** A user with an authenticator app. */
export interface FactorUser extends TestUser, EnrolledFactor {}

/** A browser in cookie mode in which users sign in and may trust it. */
export class TrustedBrowser extends CookieBrowser {
  readonly #service: TestService;
  #used = -1;

  constructor(service: TestService) {
    super(service);
    this.#service = service;
  }

  static async newUser(service: TestService, wanted?: NewTestUser): Promise<FactorUser> {
    const user = await service.createUser(wanted);
    return { ...user, ...(await enrolFactor(service.sql, user.id)) };
  }

  /** A browser that a new user has just trusted. */
  static async ofTrustingUser(
    service: TestService,
    wanted?: NewTestUser,
  ): Promise<{ browser: TrustedBrowser; user: FactorUser }> {
    const user = await TrustedBrowser.newUser(service, wanted);
    const browser = new TrustedBrowser(service);
    await browser.signInTrusting(user);
    return { browser, user };
  }

  /** Signs in by password; the answer has `secondFactor` if it is asked for. */
  signIn({ email, password }: Pick<TestUser, 'email' | 'password'>): Promise<Answer> {
    return this.api('POST', '/auth/login', { body: { email, password } });
  }

  /** Signs in with the second factor, and trusts the browser. */
  async signInTrusting(user: FactorUser): Promise<Answer> {
    const asked = await this.signIn(user);
    const { challenge } = asked.data.secondFactor as { challenge: string };
    const body = { challenge, code: user.code(this.#used++), trustDevice: true };
    const answer = await this.api('POST', '/auth/login/second-factor', { body });
    expect(answer.status, answer.text).toBe(200);
    const secrets = this.jar.get(TRUSTED)?.split('.') ?? [];
    for (const secret of secrets) this.#service.client.secrets.add(secret);
    return answer;
  }

  /** Reports whether a sign-in of the user is asked for a second factor here. Signs in if it is not. */
  async isAsked(user: Pick<TestUser, 'email' | 'password'>): Promise<boolean> {
    const answer = await this.signIn(user);
    expect(answer.status, answer.text).toBe(200);
    return answer.data.secondFactor !== undefined;
  }
}
