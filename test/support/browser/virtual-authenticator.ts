import type { CDPSession, Page } from 'playwright-core';

/** A passkey as the authenticator keeps it. */
export interface KeptCredential {
  /** Base64, not base64url. */
  credentialId: string;
  rpId: string | undefined;
  /** Base64 of the user id from the service. */
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
 * The built-in authenticator of a computer, simulated by Chromium for one page: it stores passkeys, verifies its user and
 * responds at once. For conditional mediation it picks its first passkey from the suggestions; without a passkey it fails
 * at once, whereas a real browser would leave the request open.
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

  /** False: user verification fails from now on, and requests that require it fail with `NotAllowedError`. */
  async setUserVerified(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { ...this.#itself, isUserVerified });
  }

  /** False: the user is absent, and new requests stay open, even after the user has returned. */
  async setPresent(enabled: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', { ...this.#itself, enabled });
  }

  /** Deletes the passkey on the device without notifying the service. */
  async forget(credentialId: string): Promise<void> {
    await this.#session.send('WebAuthn.removeCredential', { ...this.#itself, credentialId });
  }

  /** Sets the counter of every passkey, as on a copy of the device that was made earlier. */
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

/** Adds a virtual authenticator to a page. */
export function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  return VirtualAuthenticator.addTo(page);
}
