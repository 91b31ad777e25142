import { randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { attestationObjectOf, signatureOf } from './attestation.js';
import {
  encodeAuthenticatorData,
  type AttestedCredential,
  type AuthenticatorFlags,
} from './authenticator-data.js';
import { collectClientData } from './client-data.js';
import { CoseKeyPair } from './cose-key-pair.js';
import type { CredentialSource } from './credential-source.js';
import type { AuthenticationChanges, Changes, RegistrationChanges } from './webauthn-changes.js';

export interface AuthenticatorOptions {
  /** Of the page, or `android:apk-key-hash:…` of the app, that is said to have asked. */
  origin?: string;
  /** Default: ES256. */
  algorithm?: 'ES256' | 'EdDSA' | 'RS256';
  /** True if its keys are synchronised between devices (flags BE and BS). Defaults to false. */
  synced?: boolean;
}

/**
 * A WebAuthn client and authenticator in one (Level 3 sections 5.1 and 6.3) with real keys, always willing: the user is
 * present and verified. Its responses are right unless a test bends them.
 */
export class SoftwareAuthenticator {
  /** The newest last. */
  readonly credentials: CredentialSource[] = [];
  readonly #origin: string;
  readonly #algorithm: NonNullable<AuthenticatorOptions['algorithm']>;
  readonly #synced: boolean;

  constructor(options: AuthenticatorOptions = {}) {
    this.#origin = options.origin ?? 'http://localhost:3000';
    this.#algorithm = options.algorithm ?? 'ES256';
    this.#synced = options.synced ?? false;
  }

  /** Makes a credential (section 6.3.2). @throws Error when it is excluded, or its algorithm is not offered. */
  async register(
    options: PublicKeyCredentialCreationOptionsJSON,
    changes: RegistrationChanges = {},
  ): Promise<RegistrationResponseJSON> {
    this.#assertNotExcluded(options);
    const credential = await this.#create(options, changes);
    const { id, keyPair } = credential;
    const publicKey = changes.coseKey?.(keyPair.coseKey()) ?? keyPair.coseKey();
    const clientDataJSON = collectClientData(
      { type: 'webauthn.create', challenge: options.challenge, origin: this.#origin },
      changes,
    );
    const attested = { aaguid: NO_MAKE, credentialId: id, publicKey };
    const authenticatorData = this.#authenticatorData(credential, changes, attested);
    const collected = { clientDataJSON, authenticatorData };
    this.credentials.push(credential);
    return {
      ...envelopeOf(id),
      response: {
        clientDataJSON: encode(clientDataJSON),
        attestationObject: encode(await attestationObjectOf(keyPair, collected, changes)),
        // Conveniences for the page (section 5.2.1.1), which are not signed.
        authenticatorData: encode(authenticatorData),
        publicKey: encode(keyPair.publicKey.export({ type: 'spki', format: 'der' })),
        publicKeyAlgorithm: keyPair.algorithm,
        transports: ['internal'],
        ...changes.response,
      },
      ...changes.publicKeyCredential,
    };
  }

  /** Signs a challenge (section 6.3.3). @throws Error when no credential is for this relying party. */
  async authenticate(
    options: PublicKeyCredentialRequestOptionsJSON,
    changes: AuthenticationChanges = {},
  ): Promise<AuthenticationResponseJSON> {
    const credential = changes.credential ?? this.#credentialFor(options);
    credential.signCount += 1;
    const clientDataJSON = collectClientData(
      { type: 'webauthn.get', challenge: options.challenge, origin: this.#origin },
      changes,
    );
    const authenticatorData = this.#authenticatorData(credential, changes);
    const collected = { clientDataJSON, authenticatorData };
    return {
      ...envelopeOf(credential.id),
      response: {
        clientDataJSON: encode(clientDataJSON),
        authenticatorData: encode(authenticatorData),
        signature: encode(await signatureOf(credential.keyPair, collected, changes)),
        userHandle: credential.userHandle,
        ...changes.response,
      },
      ...changes.publicKeyCredential,
    };
  }

  /** Section 6.3.2, step 3. */
  #assertNotExcluded({ rp, excludeCredentials = [] }: PublicKeyCredentialCreationOptionsJSON): void {
    const excluded = excludeCredentials.map(({ id }) => id);
    if (this.credentials.some(({ id, rpId }) => rpId === rp.id && excluded.includes(encode(id)))) {
      throw new Error('InvalidStateError: the user has registered this authenticator.');
    }
  }

  async #create(
    { rp, user, pubKeyCredParams }: PublicKeyCredentialCreationOptionsJSON,
    changes: RegistrationChanges,
  ): Promise<CredentialSource> {
    const keyPair = await CoseKeyPair.generate(changes.algorithm ?? this.#algorithm, changes.modulusLength);
    const isOffered = pubKeyCredParams.some(({ alg }) => alg === keyPair.algorithm);
    if (!isOffered && !changes.algorithm)
      throw new Error(`NotSupportedError: ${this.#algorithm} is not offered.`);
    const id = changes.credentialId ?? randomBytes(32);
    return { id, keyPair, rpId: rp.id ?? '', userHandle: user.id, signCount: 0 };
  }

  #credentialFor({ rpId, allowCredentials }: PublicKeyCredentialRequestOptionsJSON): CredentialSource {
    const allowed = allowCredentials?.map(({ id }) => id);
    const found = this.credentials.findLast(
      (known) => known.rpId === rpId && (allowed?.includes(encode(known.id)) ?? true),
    );
    if (!found) throw new Error(`NotAllowedError: no credential for ${String(rpId)}.`);
    return found;
  }

  #authenticatorData(of: CredentialSource, changes: Changes, attested?: AttestedCredential): Buffer {
    const { rpId = of.rpId, signCount = of.signCount } = changes;
    const flags = { ...this.#flags(attested !== undefined), ...changes.flags };
    const right = encodeAuthenticatorData({ rpId, signCount, flags, attested });
    return changes.authenticatorData?.(right) ?? right;
  }

  #flags(AT: boolean): AuthenticatorFlags {
    return { UP: true, UV: true, BE: this.#synced, BS: this.#synced, AT, ED: false };
  }
}

/** The AAGUID of one that keeps its make to itself, as it does when no attestation is asked for. */
const NO_MAKE = Buffer.alloc(16);

const encode = (bytes: Buffer): string => bytes.toString('base64url');

const envelopeOf = (id: Buffer) => ({
  id: encode(id),
  rawId: encode(id),
  type: 'public-key' as const,
  authenticatorAttachment: 'platform' as const,
  clientExtensionResults: {},
});
