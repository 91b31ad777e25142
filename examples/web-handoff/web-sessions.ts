import { randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { WebSession } from './web-session.js';

/** Which browser has which session. In memory, for an example; a real app keeps them in its own store, encrypted. */
export class WebSessions {
  readonly #sessions = new Map<string, WebSession>();
  readonly #cookie: string;
  readonly #cookieOptions: CookieOptions;

  /** `secure`: the app is served over HTTPS, as it always is outside development. */
  constructor({ secure }: { secure: boolean }) {
    // The prefix makes browsers refuse such a cookie from any other host.
    this.#cookie = secure ? '__Host-web-session' : 'web-session';
    // Lax, since the browser comes here from another program.
    this.#cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure };
  }

  of(request: Request): WebSession | undefined {
    return this.#sessions.get(this.#idOf(request));
  }

  /** Always under a new id: one that was there before a sign-in may be known to somebody else. */
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
