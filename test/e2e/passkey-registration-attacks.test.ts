import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CoseKeyPair, type CoseKey } from '../support/cose-key-pair.js';
import { flippedBit } from '../support/flipped-bit.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import {
  ANDROID_ORIGIN,
  ORIGIN,
  PASSKEY_ENV,
  passkeysOf,
  registerPasskey,
  registrationOptions,
  REGISTRATION_REFUSED,
  signInOptions,
  signInWithPasskey,
  SIGN_IN_REFUSED,
  verifyRegistration,
} from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';
import type { RegistrationChanges } from '../support/webauthn-changes.js';

let service: TestService;
let ada: SignedInTestUser;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  ada = await signedInUser(service);
});
afterAll(() => service.stop());

/** Returns all passkeys of all users. */
const stored = () => service.sql('SELECT * FROM passkey_credentials ORDER BY id');

/** Expects that one altered response is refused and leaves nothing. @returns the options it answered. */
async function refused(changes: RegistrationChanges) {
  const options = await registrationOptions(service, ada);
  const bent = await new SoftwareAuthenticator().register(options, changes);
  const before = await stored();

  expect(await verifyRegistration(service, ada, bent)).toMatchObject(REGISTRATION_REFUSED);
  expect(await stored()).toEqual(before);
  return options;
}

/** Expects a refusal, and that the correct response is too late: a ceremony has one attempt. */
async function refusedForGood(changes: RegistrationChanges): Promise<void> {
  const options = await refused(changes);
  const late = await new SoftwareAuthenticator().register(options);
  const before = await stored();

  expect(await verifyRegistration(service, ada, late)).toMatchObject(REGISTRATION_REFUSED);
  expect(await stored()).toEqual(before);
}

const json = (text: string) => (): Buffer => Buffer.from(text);

describe('a registration with altered client data', () => {
  it.each<[string, Record<string, unknown>]>([
    ['the type of a sign-in', { type: 'webauthn.get' }],
    ['a type in capitals', { type: 'WEBAUTHN.CREATE' }],
    ['no type', { type: undefined }],
    ['another host', { origin: 'http://example.com:3000' }],
    ['another port', { origin: 'http://localhost:3001' }],
    ['another scheme', { origin: 'https://localhost:3000' }],
    ['a host that ends alike', { origin: 'http://evil-localhost:3000' }],
    ['a host that begins alike', { origin: 'http://localhost.example.com:3000' }],
    ['a host below', { origin: 'http://login.localhost:3000' }],
    ['a slash at the end', { origin: `${ORIGIN}/` }],
    ['an opaque origin', { origin: 'null' }],
    [
      'an app that is not listed',
      { origin: `android:apk-key-hash:${randomBytes(32).toString('base64url')}` },
    ],
    ['a frame of another origin', { crossOrigin: true }],
    ['a frame whose top is another origin', { crossOrigin: true, topOrigin: 'https://example.com' }],
    ['a top origin and no frame', { topOrigin: ORIGIN }],
    ['a frame that is no boolean', { crossOrigin: 'true' }],
  ])('a registration with altered client data is refused: %s', async (_, clientData) => {
    await refusedForGood({ clientData });
  });

  it.each<[string, RegistrationChanges]>([
    ['no challenge', { clientData: { challenge: undefined } }],
    [
      'a challenge that was never issued',
      { clientData: { challenge: randomBytes(32).toString('base64url') } },
    ],
    ['a challenge that is a number', { clientData: { challenge: 7 } }],
    ['an origin that is null', { clientData: { origin: null } }],
    ['no JSON', { clientDataJSON: json('type=webauthn.create') }],
    ['JSON that breaks off', { clientDataJSON: (bytes) => bytes.subarray(0, -1) }],
    ['a JSON array', { clientDataJSON: (bytes) => Buffer.from(`[${bytes.toString()}]`) }],
    ['null', { clientDataJSON: json('null') }],
    ['nothing at all', { clientDataJSON: json('') }],
    ['another alphabet', { response: { clientDataJSON: '{"type":"webauthn.create"}' } }],
  ])('a registration is refused when its ceremony cannot be found: %s', async (_, changes) => {
    await refused(changes);
  });

  it('a registration is refused with the challenge of a sign-in', async () => {
    const { challenge } = await signInOptions(service);
    await refused({ clientData: { challenge } });
  });

  it("a registration is refused with another user's challenge, which is spent by it", async () => {
    const eve = await signedInUser(service);
    const before = await stored();
    const options = await registrationOptions(service, ada);
    const response = await new SoftwareAuthenticator().register(options);

    expect(await verifyRegistration(service, eve, response)).toMatchObject(REGISTRATION_REFUSED);
    expect(await verifyRegistration(service, ada, response)).toMatchObject(REGISTRATION_REFUSED);
    expect(await stored()).toEqual(before);
  });

  it('a registration is refused with the challenge of another session of the same user', async () => {
    const other = await mintTokens(service, ada.id);
    const before = await stored();
    const options = await registrationOptions(service, ada);
    const response = await new SoftwareAuthenticator().register(options);

    expect(await verifyRegistration(service, other, response)).toMatchObject(REGISTRATION_REFUSED);
    expect(await stored()).toEqual(before);
  });

  it('a registration is refused the second time, also with another key', async () => {
    const grace = await provedByFactor(service, await signedInUser(service));
    const options = await registrationOptions(service, grace);
    const response = await new SoftwareAuthenticator().register(options);
    const other = await new SoftwareAuthenticator().register(options);

    expect((await verifyRegistration(service, grace, response)).status).toBe(201);
    expect(await verifyRegistration(service, grace, response)).toMatchObject(REGISTRATION_REFUSED);
    expect(await verifyRegistration(service, grace, other)).toMatchObject(REGISTRATION_REFUSED);
    expect(await passkeysOf(service, grace)).toHaveLength(1);
  });
});

describe('a registration with altered authenticator data', () => {
  it.each<[string, RegistrationChanges]>([
    ['made for another domain', { rpId: 'example.com' }],
    ['made for the origin, not the domain', { rpId: ORIGIN }],
    ['the user was not present', { flags: { UP: false } }],
    ['the user was not verified', { flags: { UV: false } }],
    ['backed up, but not eligible for it', { flags: { BS: true } }],
    ['the credential is not announced', { flags: { AT: false } }],
    ['no credential', { flags: { AT: false }, authenticatorData: (bytes) => bytes.subarray(0, 37) }],
    ['extensions are announced that are not there', { flags: { ED: true } }],
    ['no key', { authenticatorData: (bytes) => bytes.subarray(0, 37 + 18 + 32) }],
    ['one byte short', { authenticatorData: (bytes) => bytes.subarray(0, -1) }],
    ['one byte too many', { authenticatorData: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) }],
    ['empty', { authenticatorData: () => Buffer.alloc(0) }],
    ['a credential id of no bytes', { credentialId: Buffer.alloc(0) }],
    ['a credential id of 1,024 bytes', { credentialId: randomBytes(1024) }],
  ])('a registration with altered authenticator data is refused: %s', async (_, changes) => {
    await refusedForGood(changes);
  });
});

describe('a registration with an altered key', () => {
  const member = (label: number, value: number | Uint8Array) => ({
    coseKey: (key: CoseKey): CoseKey => new Map(key).set(label, value),
  });
  const without = (label: number) => ({
    coseKey: (key: CoseKey): CoseKey => new Map([...key].filter(([name]) => name !== label)),
  });

  it.each<[string, RegistrationChanges]>([
    ['ES384, which was not offered', { algorithm: 'ES384' }],
    ['PS256, which was not offered', { algorithm: 'PS256' }],
    ['RS1, which was not offered', { algorithm: 'RS1' }],
    ['RSA of 1,024 bits', { algorithm: 'RS256', modulusLength: 1024 }],
    ['an elliptic curve that says RS256', member(3, -257)],
    ['an elliptic curve that says EdDSA', member(3, -8)],
    ['ES256 on another curve', { algorithm: 'ES384', ...member(3, -7) }],
    ['ES256 that names another curve', member(-1, 2)],
    ['RSA that says ES256', { algorithm: 'RS256', ...member(3, -7) }],
    ['RSA with an exponent of one', { algorithm: 'RS256', ...member(-2, Buffer.from([1])) }],
    ['RSA with an even exponent', { algorithm: 'RS256', ...member(-2, Buffer.from([1, 0, 0])) }],
    ['a point that is not on its curve', member(-3, Buffer.alloc(32, 1))],
    ['a point of 31 bytes', member(-2, Buffer.alloc(31, 1))],
    ['a point at infinity', { coseKey: (key) => new Map(key).set(-2, zeros).set(-3, zeros) }],
    ['no algorithm', without(3)],
    ['no kind', without(1)],
    ['no curve', without(-1)],
    ['half a point', without(-3)],
    ['an empty one', { coseKey: () => new Map() }],
  ])('a registration with an altered key is refused: %s', async (_, changes) => {
    await refusedForGood(changes);
  });

  const zeros = Buffer.alloc(32);
});

describe('a registration with an altered attestation', () => {
  it.each<[string, RegistrationChanges]>([
    ['an unknown format', { format: 'trust-me' }],
    ['a format without its statement', { format: 'packed' }],
    ['another format without its statement', { format: 'fido-u2f' }],
    ['no attestation, with a statement', { attestation: 'packed', format: 'none' }],
    [
      'self attestation with an altered signature',
      { attestation: 'packed', signature: (bytes) => flippedBit(bytes, -1) },
    ],
    [
      'self attestation over other data',
      { attestation: 'packed', signedBytes: (bytes) => bytes.subarray(1) },
    ],
    ['another item behind it', { attestationObject: (bytes) => Buffer.concat([bytes, Buffer.from([0xf6])]) }],
    ['another map behind it', { attestationObject: (bytes) => Buffer.concat([bytes, Buffer.from([0xa0])]) }],
    [
      'a byte behind it that begins an item',
      { attestationObject: (bytes) => Buffer.concat([bytes, Buffer.from([0x50])]) },
    ],
    ['itself behind it', { attestationObject: (bytes) => Buffer.concat([bytes, bytes]) }],
    ['its end is missing', { attestationObject: (bytes) => bytes.subarray(0, -1) }],
    ['its prefix is missing', { attestationObject: (bytes) => bytes.subarray(1) }],
    ['no CBOR', { attestationObject: json('{"fmt":"none"}') }],
    ['a list', { attestationObject: () => Buffer.from([0x80]) }],
    ['an empty map', { attestationObject: () => Buffer.from([0xa0]) }],
    ['a number', { attestationObject: () => Buffer.from([0x01]) }],
    ['a map that never ends', { attestationObject: () => Buffer.from('bbffffffffffffffff', 'hex') }],
    ['a thousand lists in each other', { attestationObject: () => Buffer.alloc(20_000, 0x81) }],
    ['nothing', { attestationObject: () => Buffer.alloc(0) }],
    ['not in base64url', { response: { attestationObject: '%%%' } }],
  ])('a registration with an altered attestation is refused: %s', async (_, changes) => {
    await refusedForGood(changes);
  });

  it('a registration is refused: self attestation by another key', async () => {
    await refusedForGood({ attestation: 'packed', signingKey: await CoseKeyPair.generate('ES256') });
  });
});

describe('a registration in the name of another credential', () => {
  const other = randomBytes(32).toString('base64url');

  it.each<[string, Record<string, unknown>]>([
    ['an id that is not the raw id', { id: other }],
    ['a raw id that is not the id', { rawId: other }],
    ['an id that is not the attested one', { id: other, rawId: other }],
    ['an empty id', { id: '', rawId: '' }],
    ['another type of credential', { type: 'password' }],
  ])('a registration in the name of another credential is refused: %s', async (_, publicKeyCredential) => {
    await refusedForGood({ publicKeyCredential });
  });

  it('a registration of a credential that is registered already is a conflict, and that one stays as it was', async () => {
    const eve = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    expect((await registerPasskey(service, eve, authenticator)).status).toBe(201);
    const credentialId = authenticator.credentials[0]!.id;
    const before = await stored();
    const twice = await registerPasskey(service, ada, new SoftwareAuthenticator(), { credentialId });

    expect(twice).toMatchObject({ status: 409, code: 'conflict' });
    expect(await stored()).toEqual(before);
    const answer = await signInWithPasskey(service, authenticator);
    expect((await service.api('GET', '/auth/me', { token: answer.data.accessToken })).data.id).toBe(eve.id);
  });
});

describe('a registration request that is no response of an authenticator', () => {
  type Bend = (right: Awaited<ReturnType<SoftwareAuthenticator['register']>>) => unknown;
  const inResponse =
    (change: Record<string, unknown>): Bend =>
    (right) => ({ ...right, response: { ...right.response, ...change } });

  it.each<[string, Bend]>([
    ['none', () => undefined],
    ['null', () => null],
    ['a string', (right) => JSON.stringify(right)],
    ['a list', (right) => [right]],
    ['without response', (right) => ({ ...right, response: undefined })],
    ['without type', (right) => ({ ...right, type: undefined })],
    ['an id that is a number', (right) => ({ ...right, id: 1, rawId: 1 })],
    ['an endless id', (right) => ({ ...right, id: 'A'.repeat(50_000) })],
    ['NUL in its id', (right) => ({ ...right, id: `${right.id}\0` })],
    ['without client data', inResponse({ clientDataJSON: undefined })],
    ['endless client data', inResponse({ clientDataJSON: 'A'.repeat(90_000) })],
    ['without attestation object', inResponse({ attestationObject: undefined })],
    ['an attestation object as a map', inResponse({ attestationObject: { fmt: 'none' } })],
    ['an endless attestation object', inResponse({ attestationObject: 'A'.repeat(90_000) })],
    ['transports that are no list', inResponse({ transports: 'usb' })],
    ['transports of another kind', inResponse({ transports: [1] })],
    ['a NUL among its transports', inResponse({ transports: ['usb\0'] })],
  ])('a registration request is a bad request and spends nothing: %s', async (_, bend) => {
    const grace = await signedInUser(service);
    const right = await new SoftwareAuthenticator().register(await registrationOptions(service, grace));
    const bad = { status: 400, code: 'validation_error' };

    expect(await verifyRegistration(service, grace, bend(right))).toMatchObject(bad);
    expect(await passkeysOf(service, grace)).toEqual([]);
    expect((await verifyRegistration(service, grace, right)).status).toBe(201);
  });
});

describe('an unusual and correct registration', () => {
  it.each<[string, RegistrationChanges]>([
    ['unknown keys in the client data', { clientData: { other_keys_can_be_added_here: [] } }],
    ['the origin of a listed app', { clientData: { origin: ANDROID_ORIGIN } }],
    ['no word about frames', { clientData: { crossOrigin: undefined } }],
    ['EdDSA', { algorithm: 'EdDSA' }],
    ['RS256', { algorithm: 'RS256' }],
    ['self attestation', { attestation: 'packed' }],
    ['a counter that has counted', { signCount: 1000 }],
    ['a credential id of one byte', { credentialId: Buffer.from([7]) }],
    ['a credential id of 1,023 bytes', { credentialId: randomBytes(1023) }],
    ['unknown transports', { response: { transports: ['telepathy', 'usb', 'usb'] } }],
    ['no transports', { response: { transports: undefined } }],
  ])('an unusual and correct registration gives a passkey that works: %s', async (_, changes) => {
    const grace = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    const registered = await registerPasskey(service, grace, authenticator, changes);
    const signedIn = await signInWithPasskey(service, authenticator, { signCount: 1001 });

    expect(registered.status, registered.text).toBe(201);
    expect(signedIn.status, signedIn.text).toBe(200);
  });

  it('the counter of a passkey continues from that of the registration', async () => {
    const grace = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, grace, authenticator, { signCount: 1000 });

    expect(await signInWithPasskey(service, authenticator, { signCount: 1000 })).toMatchObject(
      SIGN_IN_REFUSED,
    );
  });

  it('a registration takes the key that was attested, whatever the page is sent beside it', async () => {
    const grace = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    const signingKey = await CoseKeyPair.generate('ES256');
    const publicKey = signingKey.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
    const response = { publicKey, authenticatorData: 'AAAA', publicKeyAlgorithm: -65535 };

    expect((await registerPasskey(service, grace, authenticator, { response })).status).toBe(201);
    expect(await signInWithPasskey(service, authenticator, { signingKey })).toMatchObject(SIGN_IN_REFUSED);
    expect((await signInWithPasskey(service, authenticator)).status).toBe(200);
  });
});
