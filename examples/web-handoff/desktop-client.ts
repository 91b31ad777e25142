import type { LatchkeyClient, SecondFactorRequired, Tokens } from './latchkey-client.js';

interface HandoffCode {
  code: string;
  /** In seconds. */
  expiresIn: number;
}

/** A signed-in desktop program that opens pages of the web app for the same user. */
export class DesktopClient {
  readonly #latchkey: LatchkeyClient;
  readonly #landingPage: string;
  #tokens: Tokens | undefined;

  /** `landingPage` is the web app's address for codes. It is configured, never taken from input. */
  constructor(latchkey: LatchkeyClient, landingPage: string) {
    this.#latchkey = latchkey;
    this.#landingPage = landingPage;
  }

  /** @throws LatchkeyError, Error for an account that requires a second factor. */
  async signIn(email: string, password: string): Promise<void> {
    const call = { body: { email, password } };
    const result = await this.#latchkey.call<Tokens | SecondFactorRequired>('POST', '/auth/login', call);
    if ('secondFactor' in result) throw new Error('This program does not support a second factor.');
    this.#tokens = result;
  }

  /**
   * Returns an address that signs the user's browser in, once, within a minute. It contains a code, not a token:
   * addresses end up in histories, logs and screenshots, where a spent code is useless.
   * @throws LatchkeyError `forbidden` for a company without access.
   */
  async webAddress(companyId: string): Promise<string> {
    if (!this.#tokens) throw new Error('Sign in first.');
    const { accessToken } = this.#tokens;
    const call = { accessToken, companyId };
    const { code } = await this.#latchkey.call<HandoffCode>('POST', '/auth/handoff/create', call);
    const address = new URL(this.#landingPage);
    address.searchParams.set('code', code);
    return address.href;
  }
}
