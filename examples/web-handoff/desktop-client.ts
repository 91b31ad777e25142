import type { LatchkeyClient, Tokens } from './latchkey-client.js';

interface HandoffCode {
  code: string;
  /** Seconds. */
  expiresIn: number;
}

/** A program on somebody's desk: it is signed in, and opens pages of the web app for the same person. */
export class DesktopClient {
  readonly #latchkey: LatchkeyClient;
  readonly #landingPage: string;
  #tokens: Tokens | undefined;

  /** `landingPage`: the address at which the web app takes codes. It is configured here and asked of nobody. */
  constructor(latchkey: LatchkeyClient, landingPage: string) {
    this.#latchkey = latchkey;
    this.#landingPage = landingPage;
  }

  /** @throws LatchkeyError */
  async signIn(email: string, password: string): Promise<void> {
    this.#tokens = await this.#latchkey.call<Tokens>('POST', '/auth/login', { body: { email, password } });
  }

  /**
   * An address that signs the person's browser in, once, within a minute. It holds a code and no token: addresses end
   * up in histories, logs and screenshots, and there a spent code is worth nothing.
   * @throws LatchkeyError `forbidden` for a company the person has no access to.
   */
  async webAddress(companyId: string): Promise<string> {
    if (!this.#tokens) throw new Error('Nobody is signed in.');
    const { accessToken } = this.#tokens;
    const call = { accessToken, companyId };
    const { code } = await this.#latchkey.call<HandoffCode>('POST', '/auth/handoff/create', call);
    const address = new URL(this.#landingPage);
    address.searchParams.set('code', code);
    return address.href;
  }
}
