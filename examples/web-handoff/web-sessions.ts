import { randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { WebSession } from './web-session.js';

/** Sessions by browser. In memory for this example; a real app stores them encrypted. */
export class WebSessions {
  readonly #sessions = new Map<string, WebSession>();
  readonly #cookie: string;
  readonly #cookieOptions: CookieOptions;

  /** `secure`: the app is served over HTTPS; always true outside development. */
  constructor({ secure }: { secure: boolean }) {
    // With this prefix browsers reject the cookie from any other host.
    this.#cookie = secure ? '__Host-web-session' : 'web-session';
    // Lax, because another program opens the browser here.
    this.#cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure };
  }

  of(request: Request): WebSession | undefined {
    return this.#sessions.get(this.#idOf(request));
  }

  /** Always uses a new id, because one from before the sign-in may be known to an attacker. */
  begin(response: Response, session: WebSession): void {
    const id = randomBytes(32).toString('base64url');
    this.#sessions.set(id, session);
    response.cookie(this.#cookie, id, this.#cookieOptions);
  }

  forget(request: Request, response: Response): void {
    this.#sessions.delete(this.#idOf(request));
    response.clearCookie(this.#cookie, this.#cookieOptions);
  }

  #idOf(request: Request): string {
    const cookies = (request.headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
    return cookies.find(([name]) => name === this.#cookie)?.[1] ?? '';
  }
}
