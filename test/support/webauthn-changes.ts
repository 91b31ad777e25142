import type { AuthenticatorFlags } from './authenticator-data.js';
import type { AlgorithmName, CoseKey, CoseKeyPair } from './cose-key-pair.js';
import type { CredentialSource } from './credential-source.js';

/**
 * What a test bends in a response that is right in everything else. Unless said otherwise it is bent before signing, so
 * that the signature fits what is sent. Sections are those of WebAuthn Level 3.
 */
export interface Changes {
  /** Members of the client data (5.8.1): replaced, added, or left out where undefined. */
  clientData?: Record<string, unknown>;
  /** The client data as bytes, made from the right ones. */
  clientDataJSON?: (json: Buffer) => Buffer;
  /** The relying party whose hash is at the start of the authenticator data (6.1). */
  rpId?: string;
  flags?: Partial<AuthenticatorFlags>;
  /** In this response alone; the authenticator goes on counting from its own number. */
  signCount?: number;
  /** The authenticator data as bytes, made from the right ones. */
  authenticatorData?: (bytes: Buffer) => Buffer;
  /** The key that signs, in place of the credential's own. */
  signingKey?: CoseKeyPair;
  /** Changes what is signed, while the right bytes are sent. */
  signedBytes?: (bytes: Buffer) => Buffer;
  /** The signature after signing. */
  signature?: (signature: Buffer) => Buffer;
  /** Members of the response (5.1 `response`) after signing; undefined leaves one out. */
  response?: Record<string, unknown>;
  /** Members of the PublicKeyCredential (5.1: `id`, `rawId`, `type`) after signing; undefined leaves one out. */
  publicKeyCredential?: Record<string, unknown>;
}

export interface RegistrationChanges extends Changes {
  /** The algorithm of the new key, whether it was offered or not. */
  algorithm?: AlgorithmName;
  /** Bits of an RSA key. */
  modulusLength?: number;
  /** The public key as it stands in the attested credential data (6.5.1). */
  coseKey?: (key: CoseKey) => CoseKey;
  /** The credential's id, in place of 32 random bytes. */
  credentialId?: Buffer;
  /** `packed` is self attestation: signed by the credential's own key (8.2). Default: `none` (8.7). */
  attestation?: 'none' | 'packed';
  /** The name of the attestation statement's format. */
  format?: string;
  /** The attestation object as bytes (6.5.4), made from the right ones. */
  attestationObject?: (bytes: Buffer) => Buffer;
}

export interface AuthenticationChanges extends Changes {
  /** The credential that answers. Defaults to the newest that the options allow. */
  credential?: CredentialSource;
}
