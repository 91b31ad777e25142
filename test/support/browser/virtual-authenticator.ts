import type { CDPSession, Page } from 'playwright-core';

/** A passkey as the authenticator keeps it. */
export interface KeptCredential {
  /** Base64, not base64url. */
  credentialId: string;
  rpId: string | undefined;
  /** Base64: the user's id as the service gave it. */
  userHandle: string | undefined;
  isResident: boolean;
  signCount: number;
}

/** Settings of a service for passkeys in the browser, whose relying party is `localhost`. */
export const passkeySettings = (port: number): Record<string, string> => ({
  PASSKEYS_ENABLED: 'true',
  WEBAUTHN_RP_ID: 'localhost',
  WEBAUTHN_ORIGINS: `http://localhost:${port}`,
});

/**
 * The built-in authenticator of a computer, played by Chromium for one page: it keeps passkeys, verifies its user, and
 * answers at once. A request with conditional mediation is answered as if its first passkey had been chosen from the
 * list under the field; without a passkey it fails at once, where a real browser would leave it open.
 */
export class VirtualAuthenticator {
  readonly #session: CDPSession;
  readonly #authenticatorId: string;

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session;
    this.#authenticatorId = authenticatorId;
  }

  static async addTo(page: Page): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new VirtualAuthenticator(session, authenticatorId);
  }

  async credentials(): Promise<KeptCredential[]> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', this.#itself);
    return credentials.map(({ credentialId, rpId, userHandle, isResidentCredential, signCount }) => ({
      credentialId,
      rpId,
      userHandle,
      isResident: isResidentCredential,
      signCount,
    }));
  }

  /** False: fingerprint or PIN are refused from now on, and requests that need them fail with `NotAllowedError`. */
  async setUserVerified(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { ...this.#itself, isUserVerified });
  }

  /** False: nobody answers requests that come from now on. They stay open, also when somebody is there again. */
  async setPresent(enabled: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', { ...this.#itself, enabled });
  }

  /** The passkey is deleted on the device, which tells nobody. */
  async forget(credentialId: string): Promise<void> {
    await this.#session.send('WebAuthn.removeCredential', { ...this.#itself, credentialId });
  }

  /** Every passkey counts on from here, as those of a copy of the device do that was made back then. */
  async setSignCount(signCount: number): Promise<void> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', this.#itself);
    for (const credential of credentials) {
      await this.forget(credential.credentialId);
      await this.#session.send('WebAuthn.addCredential', {
        ...this.#itself,
        credential: { ...credential, signCount },
      });
    }
  }

  get #itself(): { authenticatorId: string } {
    return { authenticatorId: this.#authenticatorId };
  }
}

/** @see VirtualAuthenticator */
export function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  return VirtualAuthenticator.addTo(page);
}
