import type { CoseKeyPair } from './cose-key-pair.js';

/** A public key credential source (WebAuthn Level 3 section 4), kept by the authenticator. */
export interface CredentialSource {
  id: Buffer;
  keyPair: CoseKeyPair;
  rpId: string;
  /** Base64url, as the relying party sent it. */
  userHandle: string;
  signCount: number;
}
