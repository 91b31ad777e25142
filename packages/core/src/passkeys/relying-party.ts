import { randomBytes } from 'node:crypto';
import type * as WebAuthn from '@simplewebauthn/server';
import type * as Helpers from '@simplewebauthn/server/helpers';
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

export interface RelyingPartyOptions {
  /** A domain. */
  id: string;
  name: string;
  /** Exact origins of web pages, and `android:apk-key-hash:…` of apps. */
  origins: readonly string[];
}

type Library = typeof WebAuthn &
  Pick<typeof Helpers, 'decodeAttestationObject' | 'decodeCredentialPublicKey' | 'isoBase64URL' | 'isoCBOR'>;

/**
 * None is asked for; `packed` is what security keys send all the same. To verify the others, the library may ask the
 * issuers of certificates over the network whether these were revoked.
 */
const ATTESTATION_FORMATS: readonly string[] = ['none', 'packed'];

/** Head of a CBOR array of two items (RFC 8949 section 3.1). */
const CBOR_PAIR = Buffer.from([0x82]);
const SENTINEL_BYTES = 16;

/** WebAuthn Level 3 section 7.1 step 25. */
const MAX_CREDENTIAL_ID_BYTES = 1023;

/** Our side of WebAuthn: what we ask of authenticators, and which of their responses count. */
export class RelyingParty {
  readonly #library: Library;
  readonly #options: RelyingPartyOptions;

  private constructor(library: Library, options: RelyingPartyOptions) {
    this.#library = library;
    this.#options = options;
  }

  /** Loads the library, which costs too much time and memory for those who do not use it. */
  static async load(options: RelyingPartyOptions): Promise<RelyingParty> {
    const [library, helpers] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ]);
    return new RelyingParty({ ...library, ...helpers }, options);
  }

  /** @param own the user's credentials, which their authenticators are not to register again. */
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

  requestOptions(): Promise<PasskeyRequestOptions> {
    return this.#library.generateAuthenticationOptions({
      rpID: this.#options.id,
      timeout: CEREMONY_SECONDS * 1000,
      userVerification: 'required',
    });
  }

  /**
   * The credential of a registration (WebAuthn Level 3 section 7.1). Attestation is not asked for; what comes all the
   * same must be true, but proves nothing to us.
   * @throws Refusal
   */
  async verifyRegistration(credential: RegistrationResponse, challenge: string): Promise<NewCredential> {
    const { clientDataJSON, attestationObject, transports } = credential.response;
    this.#assertOurPage(clientDataJSON);
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

  /** What an assertion (WebAuthn Level 3 section 7.2) says of the stored credential it is of. @throws Refusal */
  async verifyAssertion(
    credential: AuthenticationResponse,
    challenge: string,
    stored: StoredCredential,
  ): Promise<VerifiedUse> {
    const { clientDataJSON, authenticatorData, signature } = credential.response;
    this.#assertOurPage(clientDataJSON);
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

  /** The library lets a framed page pass: at registration always, at sign-in unless the browser names the frame. */
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
   * Whether the bytes are one CBOR item and nothing else. The library reads the first item and ignores what follows,
   * so the bytes are read as the first of two items, and the second has to be the one that was put behind them.
   */
  #isOneItem(bytes: Uint8Array<ArrayBuffer>): boolean {
    const { isoCBOR } = this.#library;
    const sentinel = Uint8Array.from(randomBytes(SENTINEL_BYTES));
    const pair = Buffer.concat([CBOR_PAIR, bytes, isoCBOR.encode(sentinel)]);
    const [, second] = isoCBOR.decodeFirst<[unknown, unknown]>(Uint8Array.from(pair));
    return second instanceof Uint8Array && Buffer.compare(second, sentinel) === 0;
  }

  /** The library compares the algorithm with the list, but neither the kind of key with it nor its strength. */
  #assertSound({ id, publicKey }: WebAuthn.WebAuthnCredential): void {
    const isShort = Buffer.from(id, 'base64url').length <= MAX_CREDENTIAL_ID_BYTES;
    if (!isShort || !isSoundKey(this.#library.decodeCredentialPublicKey(publicKey))) {
      throw new Refusal('response');
    }
  }
}

/** The frame of a response. Results of client extensions are not signed, and none is asked for that we use. */
function plain({ id, rawId, type }: { id: string; rawId: string; type: string }) {
  if (type !== 'public-key') throw new Refusal('response');
  return { id, rawId, type, clientExtensionResults: {} } as const;
}

/** The library tells by errors of many kinds what is wrong with a response; its words may quote the response. */
async function refusing<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new Refusal('response');
  }
}
