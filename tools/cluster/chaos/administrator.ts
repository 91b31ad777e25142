import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiAnswer, ApiRequest } from './api.js';

/** Milliseconds after which an administrator signs in anew: below the lifetime of an access token, and of a step-up. */
const SIGN_IN_AGAIN_MS = 300_000;

/** An administrator who revokes sessions and deactivates users. */
export class Administrator {
  readonly #api: Api;
  readonly #credentials: { email: string; password: string };
  #token: string | undefined;
  #signedInAt = -Infinity;

  constructor(api: Api, credentials: { email: string; password: string }) {
    this.#api = api;
    this.#credentials = credentials;
  }

  async send(request: ApiRequest): Promise<ApiAnswer> {
    return this.#api.send({ ...request, token: await this.#signIn() });
  }

  async #signIn(): Promise<string> {
    while (this.#token === undefined || performance.now() - this.#signedInAt > SIGN_IN_AGAIN_MS) {
      const body = { ...this.#credentials };
      const { data } = await this.#api.send({ method: 'POST', path: '/auth/login', body });
      if (data.accessToken === undefined) {
        await sleep(500);
        continue;
      }
      this.#token = data.accessToken;
      this.#signedInAt = performance.now();
    }
    return this.#token;
  }
}
