import { randomBytes } from 'node:crypto';
import type * as WebAuthn from '@simplewebauthn/server';
import type * as Helpers from '@simplewebauthn/server/helpers';
import { bytesOfBase64url } from '../kernel/base64url.js';
import type { User } from '../users/user.js';
import { readClientData } from './client-data.js';
import { isSoundKey, KEY_ALGORITHMS } from './credential-key.js';
import type {
  AuthenticationResponse,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  RegistrationResponse,
} from './passkey-schema.js';
import {
  CEREMONY_SECONDS,
  cleanTransports,
  userHandleOf,
  type NewCredential,
  type StoredCredential,
  type VerifiedUse,
} from './passkey.js';
import { Refusal } from './refusal.js';

interface RelyingPartyOptions {
  /** A domain. */
  id: string;
  name: string;
  /** Exact origins of web pages, and `android:apk-key-hash:…` of apps. */
  origins: readonly string[];
}

type Library = typeof WebAuthn &
  Pick<typeof Helpers, 'decodeAttestationObject' | 'decodeCredentialPublicKey' | 'isoBase64URL' | 'isoCBOR'>;

/**
 * Attestation formats that are accepted: none is requested; security keys send `packed` nevertheless. To
 * verify the others, the library may query the issuers of certificates over the network for revocations.
 */
const ATTESTATION_FORMATS: readonly string[] = ['none', 'packed'];

/** Head of a CBOR array of two items (RFC 8949 section 3.1). */
const CBOR_PAIR = Buffer.from([0x82]);
const SENTINEL_BYTES = 16;

/** WebAuthn Level 3 section 7.1 step 25. */
const MAX_CREDENTIAL_ID_BYTES = 1023;

/** The server side of WebAuthn: creates the options of ceremonies and verifies responses. */
export class RelyingParty {
  readonly #library: Library;
  readonly #options: RelyingPartyOptions;

  private constructor(library: Library, options: RelyingPartyOptions) {
    this.#library = library;
    this.#options = options;
  }

  /** Loads the library on demand: it costs too much time and memory for services without passkeys. */
  static async load(options: RelyingPartyOptions): Promise<RelyingParty> {
    const [library, helpers] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ]);
    return new RelyingParty({ ...library, ...helpers }, options);
  }

  /**
   * Returns the options of a registration.
   * @param own credentials of the user, which their authenticators must not register again.
   */
  creationOptions(user: User, own: { id: string; transports: string[] }[]): Promise<PasskeyCreationOptions> {
    return this.#library.generateRegistrationOptions({
      rpID: this.#options.id,
      rpName: this.#options.name,
      userID: userHandleOf(user.id),
      userName: user.email,
      userDisplayName: user.fullName ?? user.email,
      timeout: CEREMONY_SECONDS * 1000,
      attestationType: 'none',
      excludeCredentials: own,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: KEY_ALGORITHMS,
    });
  }

  /** Returns the options of an assertion. @param allowed the accepted credentials; any if missing. */
  requestOptions(allowed?: { id: string; transports: string[] }[]): Promise<PasskeyRequestOptions> {
    return this.#library.generateAuthenticationOptions({
      ...(allowed && { allowCredentials: allowed }),
      rpID: this.#options.id,
      timeout: CEREMONY_SECONDS * 1000,
      userVerification: 'required',
    });
  }

  /**
   * Verifies a registration (WebAuthn Level 3 section 7.1) and returns its credential. Attestation is not
   * requested; if it is sent nevertheless, it must be valid, but proves nothing.
   * @throws Refusal
   */
  async verifyRegistration(credential: RegistrationResponse, challenge: string): Promise<NewCredential> {
    const { clientDataJSON, attestationObject, transports } = credential.response;
    this.#assertOurPage(clientDataJSON);
    assertEncoded(credential.id, credential.rawId, attestationObject);
    await refusing(() => this.#assertOffline(attestationObject));
    const { registrationInfo: info } = await refusing(() =>
      this.#library.verifyRegistrationResponse({
        response: { ...plain(credential), response: { clientDataJSON, attestationObject } },
        ...this.#expectations(challenge),
        requireUserPresence: true,
        supportedAlgorithmIDs: KEY_ALGORITHMS,
      }),
    );
    if (info?.credential.id !== credential.id) throw new Refusal('response');
    this.#assertSound(info.credential);
    return {
      credentialId: info.credential.id,
      publicKey: info.credential.publicKey,
      counter: info.credential.counter,
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
      aaguid: info.aaguid,
      transports: cleanTransports(transports),
    };
  }

  /** Verifies an assertion (WebAuthn Level 3 section 7.2) of the stored credential. @throws Refusal */
  async verifyAssertion(
    credential: AuthenticationResponse,
    challenge: string,
    stored: StoredCredential,
  ): Promise<VerifiedUse> {
    const { clientDataJSON, authenticatorData, signature } = credential.response;
    this.#assertOurPage(clientDataJSON);
    assertEncoded(credential.id, credential.rawId, authenticatorData, signature);
    const { verified, authenticationInfo: info } = await refusing(() =>
      this.#library.verifyAuthenticationResponse({
        response: {
          ...plain(credential),
          response: { clientDataJSON, authenticatorData, signature },
        },
        ...this.#expectations(challenge),
        credential: { id: stored.credentialId, publicKey: stored.publicKey, counter: stored.counter },
      }),
    );
    if (!verified) throw new Refusal('response');
    return {
      counter: info.newCounter,
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
    };
  }

  #expectations(expectedChallenge: string) {
    const { id, origins } = this.#options;
    return {
      expectedChallenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
    };
  }

  /**
   * Rejects framed pages, which the library accepts: at registration always, at sign-in unless the browser
   * names the frame.
   */
  #assertOurPage(clientDataJSON: string): void {
    const clientData = readClientData(clientDataJSON);
    if (!clientData || clientData.isEmbedded) throw new Refusal('origin');
    if (!this.#options.origins.includes(clientData.origin)) throw new Refusal('origin');
  }

  async #assertOffline(attestationObject: string): Promise<void> {
    const { decodeAttestationObject, isoBase64URL } = this.#library;
    const bytes = isoBase64URL.toBuffer(attestationObject);
    const format = decodeAttestationObject(bytes).get('fmt');
    if (!ATTESTATION_FORMATS.includes(format) || !this.#isOneItem(bytes)) throw new Refusal('response');
    return Promise.resolve();
  }

  /**
   * Reports whether the bytes are one CBOR item and nothing else. The library reads the first item and
   * ignores what follows, so the bytes are read as the first of two items, and the second must be the one
   * that was appended to them.
   */
  #isOneItem(bytes: Uint8Array<ArrayBuffer>): boolean {
    const { isoCBOR } = this.#library;
    const sentinel = Uint8Array.from(randomBytes(SENTINEL_BYTES));
    const pair = Buffer.concat([CBOR_PAIR, bytes, isoCBOR.encode(sentinel)]);
    const [, second] = isoCBOR.decodeFirst<[unknown, unknown]>(Uint8Array.from(pair));
    return second instanceof Uint8Array && Buffer.compare(second, sentinel) === 0;
  }

  /** Checks type and strength of the key: the library only compares the algorithm with the list. */
  #assertSound({ id, publicKey }: WebAuthn.WebAuthnCredential): void {
    const length = bytesOfBase64url(id)?.length ?? Infinity;
    if (length > MAX_CREDENTIAL_ID_BYTES || !isSoundKey(this.#library.decodeCredentialPublicKey(publicKey))) {
      throw new Refusal('response');
    }
  }
}

/** Returns the common fields of a response. Results of client extensions are not signed, and none is used. */
function plain({ id, rawId, type }: { id: string; rawId: string; type: string }) {
  if (type !== 'public-key') throw new Refusal('response');
  return { id, rawId, type, clientExtensionResults: {} } as const;
}

/** Throws unless the texts are exactly base64url: the decoder of the library skips what is none. */
function assertEncoded(...texts: readonly string[]): void {
  if (texts.some((text) => bytesOfBase64url(text) === undefined)) throw new Refusal('response');
}

/** Turns errors of the library, which are of many kinds and may quote the response, into a refusal. */
async function refusing<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new Refusal('response');
  }
}
