import { expect } from 'vitest';
import type { Answer, ApiOptions } from './api-client.js';
import { mintTokens } from './minted-token.js';
import type { TestService } from './service.js';
import type { NewTestUser, TestUser } from './test-users.js';

export const ACCESS = '__Host-lk_access';
export const REFRESH = '__Host-lk_refresh';
export const DEVICE = '__Host-lk_device';
export const STATE = 'lk_state';

/** A cookie as an answer sets it, its attributes as they are written, sorted. */
export interface SetCookie {
  value: string;
  attributes: string[];
}

/** By hand, since what reads them should not be what wrote them. */
export function cookiesSetBy({ headers }: Answer): Record<string, SetCookie> {
  const cookies: Record<string, SetCookie> = {};
  for (const line of headers['set-cookie'] ?? []) {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', ...value] = pair.split('=');
    expect(cookies, 'no cookie is set twice').not.toHaveProperty([name]);
    cookies[name] = { value: value.join('='), attributes: attributes.sort() };
  }
  return cookies;
}

/** The cookie headers of a response that signs out. */
export const CLEARED: Record<string, SetCookie> = {
  [ACCESS]: { value: '', attributes: ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Lax', 'Secure'] },
  [REFRESH]: { value: '', attributes: ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Lax', 'Secure'] },
  [STATE]: { value: '', attributes: ['Max-Age=0', 'Path=/', 'SameSite=Lax', 'Secure'] },
};

/** A page of the service itself in cookie mode: a jar, the header, the origin. */
export class CookieBrowser {
  readonly jar = new Map<string, string>();
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** One that holds the cookies of a session of this user. */
  static async of(service: TestService, { id }: Pick<TestUser, 'id'>): Promise<CookieBrowser> {
    const { token, refreshToken } = await mintTokens(service, id);
    const browser = new CookieBrowser(service);
    browser.#keep(ACCESS, token);
    browser.#keep(REFRESH, refreshToken);
    browser.#keep(STATE, '1');
    return browser;
  }

  static async ofNewUser(service: TestService, wanted?: NewTestUser): Promise<CookieBrowser> {
    return CookieBrowser.of(service, await service.createUser(wanted));
  }

  /** Sends a request and keeps what the answer sets. A header given as undefined is left out. */
  async api(method: string, path: string, options: ApiOptions = {}): Promise<Answer> {
    const headers = {
      'x-auth-mode': 'cookie',
      origin: method === 'GET' ? undefined : this.#service.publicUrl,
      cookie: this.jar.size > 0 ? this.cookieHeader() : undefined,
      ...options.headers,
    };
    const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
    const answer = await this.#service.api(method, path, { ...options, headers: Object.fromEntries(sent) });
    for (const [name, { value }] of Object.entries(cookiesSetBy(answer))) this.#keep(name, value);
    return answer;
  }

  /** The same without taking note of what the answer sets, as of a tab that lost it. */
  async apiUnnoted(method: string, path: string, options?: ApiOptions): Promise<Answer> {
    const kept = [...this.jar];
    const answer = await this.api(method, path, options);
    this.jar.clear();
    for (const [name, value] of kept) this.jar.set(name, value);
    return answer;
  }

  cookieHeader(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(name: string, value: string): void {
    if (value === '') this.jar.delete(name);
    else this.jar.set(name, value);
    if (value !== '' && (name === ACCESS || name === REFRESH)) this.#service.client.secrets.add(value);
  }
}
