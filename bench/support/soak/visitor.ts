import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD, type SignIn } from '../environment.js';

/** The number of responses by `METHOD path status`. */
export type Counts = Map<string, number>;

interface Step {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  expected: number;
  body?: object;
}

/** Between a 503 and the repetition. */
const RETRY_MS = 1000;

const read = (path: string): Step => ({ method: 'GET', path, expected: 200 });

/** What a user does while signed in, in order. */
const VISIT: readonly Step[] = [
  ...Array.from({ length: 10 }, () => read('/auth/me')),
  read('/auth/sessions'),
  { method: 'PATCH', path: '/auth/me', body: { fullName: 'Soaked User' }, expected: 200 },
  ...Array.from({ length: 10 }, () => read('/auth/me')),
];

/** A client that signs in, uses its session, refreshes it and signs out, again and again. */
export class Visitor {
  readonly #url: string;
  readonly #email: string;
  readonly #counts: Counts;

  constructor(url: string, email: string, counts: Counts) {
    this.#url = url;
    this.#email = email;
    this.#counts = counts;
  }

  /**
   * Runs visits until `isOver` returns true. A request that is answered 503 is repeated, as clients do.
   * @throws Error for any other response that is not the expected one.
   */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#fail();
      const session = await this.#signIn();
      for (const step of VISIT) await this.#send(step, session.accessToken);
      const { accessToken, refreshToken } = await this.#refresh(session);
      await this.#send(read('/auth/me'), accessToken);
      await this.#send({ method: 'POST', path: '/auth/logout', body: { refreshToken }, expected: 200 });
      await this.#send({ ...read('/auth/me'), expected: 401 }, accessToken);
    }
  }

  /** Does what must not leave anything behind: a forged token, an invalid body, a reset for an unknown address. */
  async #fail(): Promise<void> {
    const forged = { refreshToken: `lkr_${'A'.repeat(86)}` };
    await this.#send({ method: 'POST', path: '/auth/refresh', body: forged, expected: 401 });
    await this.#send({ method: 'POST', path: '/auth/login', body: { email: 1 }, expected: 400 });
  }

  async #signIn(): Promise<SignIn> {
    const body = { email: this.#email, password: PASSWORD };
    return (await this.#send({ method: 'POST', path: '/auth/login', body, expected: 200 })) as SignIn;
  }

  async #refresh({ refreshToken }: SignIn): Promise<SignIn> {
    const step: Step = { method: 'POST', path: '/auth/refresh', body: { refreshToken }, expected: 200 };
    return (await this.#send(step)) as SignIn;
  }

  async #send(step: Step, accessToken?: string): Promise<unknown> {
    const { status, text } = await this.#sendOnce(step, accessToken);
    if (status === 503) {
      await sleep(RETRY_MS);
      return this.#send(step, accessToken);
    }
    const { method, path, expected } = step;
    if (status !== expected) throw new Error(`${method} ${path} ${status}, expected ${expected}: ${text}`);
    return (JSON.parse(text) as { data?: unknown }).data;
  }

  async #sendOnce(
    { method, path, body }: Step,
    accessToken: string | undefined,
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const key = `${method} ${path} ${response.status}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return { status: response.status, text };
  }
}
