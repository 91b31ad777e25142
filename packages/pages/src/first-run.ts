import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AuthError, type Auth, type ClientInfo } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import { isLocal } from './local-only.js';
import { FIRST_ADMINISTRATOR_PATH } from './page-paths.js';

const SECRET_BYTES = 32;

/** The author of the first superadmin in the audit log: only who reads the output of the service has the link. */
const OPERATOR = { kind: 'operator', name: 'set-up-link' } as const;

/** The creation of the first superadmin in the browser, outside production and on the machine of the service. */
export class FirstRun {
  readonly #auth: Auth;
  /** Kept by this process only: each process prints its own link, and a restart invalidates it. */
  readonly #secret = randomBytes(SECRET_BYTES).toString('base64url');
  #hasSuperadmin = false;
  #isLinked = false;

  constructor(auth: Auth) {
    this.#auth = auth;
  }

  /** True if the host prints the link. */
  get isLinked(): boolean {
    return this.#isLinked;
  }

  /** Returns the link for the output of the service. @param port the port that the service listens on. */
  link(port: number): string {
    this.#isLinked = true;
    return `http://localhost:${port}${FIRST_ADMINISTRATOR_PATH}?token=${this.#secret}`;
  }

  /** Reports whether a request may see that there is no superadmin: outside production and from this machine. */
  isOpenTo(request: HttpRequest): boolean {
    return this.#auth.settings.environment !== 'production' && isLocal(request);
  }

  /** Reports whether there is no superadmin yet. Once there has been one, the database is not asked again. */
  async isNeeded(): Promise<boolean> {
    this.#hasSuperadmin ||= (await this.#auth.admin.bootstrap.superadmin()) !== undefined;
    return !this.#hasSuperadmin;
  }

  /**
   * Reports the same for a page that also works without the answer: false for other requests, and while the database is
   * unavailable.
   */
  async isShownTo(request: HttpRequest): Promise<boolean> {
    return this.isOpenTo(request) && (await this.isNeeded().catch(() => false));
  }

  /**
   * Creates the first superadmin, by the rules of `latchkey bootstrap`. Of simultaneous calls one succeeds.
   * @throws AuthError `validation_error` (the token of the link, password policy), `conflict` (there is a superadmin, or the
   * email is taken).
   */
  async create(
    token: string,
    administrator: { email: string; fullName?: string | undefined; password: string },
    client: ClientInfo,
  ): Promise<{ email: string }> {
    if (!isSame(token, this.#secret)) throw linkUnusable();
    const { superadmin, isNew } = await this.#auth.admin.bootstrap.create(OPERATOR, administrator, client);
    if (!isNew) throw AuthError.conflict('There is already a superadmin. Sign in instead.');
    return { email: superadmin.email };
  }
}

const isSame = (presented: string, secret: string): boolean =>
  timingSafeEqual(digestOf(presented), digestOf(secret));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const linkUnusable = (): AuthError =>
  AuthError.validation('The link is not valid. Use the one that the service printed when it started.', {
    fields: [{ pointer: '/token', reason: 'not_allowed', message: 'is not the token of the printed link' }],
  });

const runs = new WeakMap<Auth, FirstRun>();

/** Returns the first run of a service. */
export function firstRunOf(auth: Auth): FirstRun {
  const run = runs.get(auth) ?? new FirstRun(auth);
  runs.set(auth, run);
  return run;
}
