import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CoseKeyPair } from '../support/cose-key-pair.js';
import type { CredentialSource } from '../support/credential-source.js';
import { flippedBit } from '../support/flipped-bit.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import {
  ANDROID_ORIGIN,
  ORIGIN,
  PASSKEY_ENV,
  registerPasskey,
  registrationOptions,
  signInOptions,
  signInWithPasskey,
  SIGN_IN_REFUSED,
  verifySignIn,
} from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator, type AuthenticatorOptions } from '../support/software-authenticator.js';
import { provedByFactor } from '../support/step-up-client.js';
import type { AuthenticationChanges } from '../support/webauthn-changes.js';

type Holder = SignedInTestUser & { authenticator: SoftwareAuthenticator; credential: CredentialSource };

let service: TestService;
/** The user of all tests of this file that name no other. */
let ada: Holder;
let eve: Holder;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  ada = await holder();
  eve = await holder();
});
afterAll(() => service.stop());

/** A new user with one passkey. */
async function holder(options?: AuthenticatorOptions): Promise<Holder> {
  const user = await signedInUser(service);
  const authenticator = new SoftwareAuthenticator(options);
  const answer = await registerPasskey(service, user, authenticator);
  expect(answer.status, answer.text).toBe(201);
  return { ...user, authenticator, credential: authenticator.credentials[0]! };
}

/** Returns all rows that a sign-in writes, except the audit log. */
const footprint = () =>
  service.sql(
    `SELECT (SELECT count(*) FROM sessions) AS sessions,
       (SELECT json_agg(p ORDER BY id) FROM passkey_credentials p) AS passkeys`,
  );

/** Expects that one altered response is refused and leaves no trace. @returns the options it answered. */
async function refused(changes: AuthenticationChanges, { authenticator }: Holder = ada) {
  const options = await signInOptions(service);
  const bent = await authenticator.authenticate(options, changes);
  const before = await footprint();

  expect(await verifySignIn(service, bent)).toMatchObject(SIGN_IN_REFUSED);
  expect(await footprint()).toEqual(before);
  return options;
}

/** Expects a refusal, and that the correct response is too late: a ceremony has one attempt. A new ceremony succeeds. */
async function refusedForGood(changes: AuthenticationChanges, who: Holder = ada): Promise<void> {
  const options = await refused(changes, who);
  const late = await verifySignIn(service, await who.authenticator.authenticate(options));
  expect(late).toMatchObject(SIGN_IN_REFUSED);
  expect((await signInWithPasskey(service, who.authenticator)).status).toBe(200);
}

const json = (text: string) => (): Buffer => Buffer.from(text);

describe('a sign-in with altered client data', () => {
  it.each<[string, Record<string, unknown>]>([
    ['the type of a registration', { type: 'webauthn.create' }],
    ['the type of a payment', { type: 'payment.get' }],
    ['a type in capitals', { type: 'WEBAUTHN.GET' }],
    ['a type in a list', { type: ['webauthn.get'] }],
    ['no type', { type: undefined }],
    ['another host', { origin: 'http://example.com:3000' }],
    ['another port', { origin: 'http://localhost:3001' }],
    ['no port', { origin: 'http://localhost' }],
    ['another scheme', { origin: 'https://localhost:3000' }],
    ['a host that ends alike', { origin: 'http://evil-localhost:3000' }],
    ['a host that begins alike', { origin: 'http://localhost.example.com:3000' }],
    ['a host below', { origin: 'http://login.localhost:3000' }],
    ['a host in capitals', { origin: 'http://LOCALHOST:3000' }],
    ['a slash at the end', { origin: `${ORIGIN}/` }],
    ['white space before it', { origin: ` ${ORIGIN}` }],
    ['an opaque origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['all origins at once', { origin: PASSKEY_ENV.WEBAUTHN_ORIGINS }],
    [
      'an app that is not listed',
      { origin: `android:apk-key-hash:${randomBytes(32).toString('base64url')}` },
    ],
    ['a frame of another origin', { crossOrigin: true }],
    ['a frame whose top is another origin', { crossOrigin: true, topOrigin: 'https://example.com' }],
    ['a frame whose top is the own origin', { crossOrigin: true, topOrigin: ORIGIN }],
    ['a top origin and no frame', { topOrigin: ORIGIN }],
    ['a frame that is no boolean', { crossOrigin: 'true' }],
  ])('a sign-in with altered client data is refused: %s', async (_, clientData) => {
    await refusedForGood({ clientData });
  });

  it.each<[string, AuthenticationChanges]>([
    ['no challenge', { clientData: { challenge: undefined } }],
    ['an empty challenge', { clientData: { challenge: '' } }],
    [
      'a challenge that was never issued',
      { clientData: { challenge: randomBytes(32).toString('base64url') } },
    ],
    ['a challenge that is a number', { clientData: { challenge: 7 } }],
    ['an origin that is a list', { clientData: { origin: [ORIGIN] } }],
    ['an origin that is null', { clientData: { origin: null } }],
    ['no JSON', { clientDataJSON: json('type=webauthn.get') }],
    ['JSON that breaks off', { clientDataJSON: (bytes) => bytes.subarray(0, -1) }],
    ['JSON and more', { clientDataJSON: (bytes) => Buffer.concat([bytes, Buffer.from('{}')]) }],
    ['a JSON array', { clientDataJSON: (bytes) => Buffer.from(`[${bytes.toString()}]`) }],
    ['a JSON string', { clientDataJSON: (bytes) => Buffer.from(JSON.stringify(bytes.toString())) }],
    ['null', { clientDataJSON: json('null') }],
    ['nothing at all', { clientDataJSON: json('') }],
    ['another alphabet', { response: { clientDataJSON: '{"type":"webauthn.get"}' } }],
  ])('a sign-in is refused when its ceremony cannot be found: %s', async (_, changes) => {
    await refused(changes);
  });

  it('a sign-in is refused with the challenge of a registration', async () => {
    const { challenge } = await registrationOptions(service, await provedByFactor(service, ada));
    await refused({ clientData: { challenge } });
  });

  it('a sign-in is refused in padded base64url, which the library would read', async () => {
    const options = await signInOptions(service);
    const right = await ada.authenticator.authenticate(options);
    const clientDataJSON = `${right.response.clientDataJSON}=`;
    const bent = { ...right, response: { ...right.response, clientDataJSON } };
    expect(await verifySignIn(service, bent)).toMatchObject(SIGN_IN_REFUSED);
  });

  it('a sign-in is refused the second time, and by another answer to the same challenge', async () => {
    const options = await signInOptions(service);
    const response = await ada.authenticator.authenticate(options);

    expect((await verifySignIn(service, response)).status).toBe(200);
    expect(await verifySignIn(service, response)).toMatchObject(SIGN_IN_REFUSED);
    for (const { authenticator } of [ada, eve]) {
      const again = await authenticator.authenticate(options);
      expect(await verifySignIn(service, again)).toMatchObject(SIGN_IN_REFUSED);
    }
  });
});

describe('a sign-in with altered authenticator data', () => {
  it.each<[string, AuthenticationChanges]>([
    ['made for another domain', { rpId: 'example.com' }],
    ['made for the origin, not the domain', { rpId: ORIGIN }],
    ['made for a domain below', { rpId: 'login.localhost' }],
    ['the user was not present', { flags: { UP: false } }],
    ['the user was not verified', { flags: { UV: false } }],
    ['neither present nor verified', { flags: { UP: false, UV: false } }],
    ['backed up, but not eligible for it', { flags: { BS: true } }],
    ['eligible for backup, which it was not at registration', { flags: { BE: true } }],
    ['eligible and backed up, which it was not at registration', { flags: { BE: true, BS: true } }],
    ['a credential is announced that is not there', { flags: { AT: true } }],
    ['extensions are announced that are not there', { flags: { ED: true } }],
    ['no counter', { authenticatorData: (bytes) => bytes.subarray(0, 33) }],
    ['one byte short', { authenticatorData: (bytes) => bytes.subarray(0, -1) }],
    ['one byte too many', { authenticatorData: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) }],
    ['twice in a row', { authenticatorData: (bytes) => Buffer.concat([bytes, bytes]) }],
    ['empty', { authenticatorData: () => Buffer.alloc(0) }],
    ['not in base64url', { response: { authenticatorData: '{}' } }],
  ])('a sign-in with altered authenticator data is refused: %s', async (_, changes) => {
    await refusedForGood(changes);
  });

  it('a sign-in is refused when a synced credential is suddenly bound to one device', async () => {
    const grace = await holder({ synced: true });
    await refusedForGood({ flags: { BE: false, BS: false } }, grace);
  });
});

describe('a sign-in with an altered signature', () => {
  it.each<[string, AuthenticationChanges]>([
    ['its last bit', { signature: (bytes) => flippedBit(bytes, -1) }],
    ['a bit in its middle', { signature: (bytes) => flippedBit(bytes, 20, 6) }],
    ['its end is missing', { signature: (bytes) => bytes.subarray(0, -1) }],
    ['it is empty', { signature: () => Buffer.alloc(0) }],
    ['it is all zeros', { signature: (bytes) => Buffer.alloc(bytes.length) }],
    ['r and s are zero', { signature: () => Buffer.from('3006020100020100', 'hex') }],
    ['not in base64url', { response: { signature: '%%%' } }],
    ['it covers the authenticator data alone', { signedBytes: (bytes) => bytes.subarray(0, -32) }],
    ['it covers the client data alone', { signedBytes: (bytes) => bytes.subarray(-32) }],
    ['it covers another counter', { signedBytes: (bytes) => flippedBit(bytes, 36) }],
    ['it covers other client data', { signedBytes: (bytes) => flippedBit(bytes, -1) }],
  ])('a sign-in with an altered signature is refused: %s', async (_, changes) => {
    await refusedForGood(changes);
  });

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'a sign-in is refused: made by another key, %s',
    async (algorithm) => {
      await refusedForGood({ signingKey: await CoseKeyPair.generate(algorithm) });
    },
  );

  it("a sign-in is refused: made by another user's key", async () => {
    await refusedForGood({ signingKey: eve.credential.keyPair });
  });

  it.each(['EdDSA', 'RS256'] as const)(
    'a sign-in is refused: one bit of an %s signature',
    async (algorithm) => {
      const signature = (bytes: Buffer) => flippedBit(bytes, 5);
      await refusedForGood({ signature }, await holder({ algorithm }));
    },
  );
});

describe('a sign-in in the name of another credential or user', () => {
  it.each<[string, () => AuthenticationChanges]>([
    ['no user handle', () => ({ response: { userHandle: undefined } })],
    ['a user handle that is null', () => ({ response: { userHandle: null } })],
    ['an empty user handle', () => ({ response: { userHandle: '' } })],
    ["another user's handle", () => ({ response: { userHandle: eve.credential.userHandle } })],
    ['half a user handle', () => ({ response: { userHandle: ada.credential.userHandle.slice(0, 12) } })],
    [
      "the user's id as text",
      () => ({ response: { userHandle: Buffer.from(ada.id).toString('base64url') } }),
    ],
    ['an unknown credential', () => ({ publicKeyCredential: idOf(randomBytes(32)) })],
    ["another user's credential", () => ({ publicKeyCredential: idOf(eve.credential.id) })],
    ['an empty credential id', () => ({ publicKeyCredential: { id: '', rawId: '' } })],
    ['an id that is not the raw id', () => ({ publicKeyCredential: { rawId: base64url(randomBytes(32)) } })],
    [
      "a raw id that is another user's",
      () => ({ publicKeyCredential: { rawId: base64url(eve.credential.id) } }),
    ],
    ['another type of credential', () => ({ publicKeyCredential: { type: 'password' } })],
  ])('a sign-in in the name of another credential or user is refused: %s', async (_, changes) => {
    await refusedForGood(changes());
  });

  it("a sign-in is refused with the other's credential and handle, signed with the own key", async () => {
    const { userHandle, id } = eve.credential;
    await refusedForGood({ publicKeyCredential: idOf(id), response: { userHandle } });
  });

  const base64url = (bytes: Buffer): string => bytes.toString('base64url');
  const idOf = (id: Buffer) => ({ id: base64url(id), rawId: base64url(id) });
});

describe('the signature counter', () => {
  let grace: Holder;

  beforeEach(async () => {
    grace = await holder();
  });

  const storeCounter = (counter: number) =>
    service.sql('UPDATE passkey_credentials SET counter = $1 WHERE user_id = $2', [counter, grace.id]);
  const signIn = (signCount: number) => signInWithPasskey(service, grace.authenticator, { signCount });
  const storedCounter = async () => {
    const [row] = await service.sql('SELECT counter FROM passkey_credentials WHERE user_id = $1', [grace.id]);
    return Number(row?.counter);
  };

  it('the signature counter must grow', async () => {
    await storeCounter(10);

    expect(await signIn(9)).toMatchObject(SIGN_IN_REFUSED);
    expect(await signIn(10)).toMatchObject(SIGN_IN_REFUSED);
    expect(await storedCounter()).toBe(10);
    expect((await signIn(11)).status).toBe(200);
    expect(await storedCounter()).toBe(11);
  });

  it('the signature counter may jump, and reach what four bytes can hold', async () => {
    expect((await signIn(4_294_967_295)).status).toBe(200);
    expect(await storedCounter()).toBe(4_294_967_295);
    expect(await signIn(4_294_967_295)).toMatchObject(SIGN_IN_REFUSED);
  });

  it('the signature counter may stay at zero, as that of an authenticator that does not count', async () => {
    expect((await signIn(0)).status).toBe(200);
    expect((await signIn(0)).status).toBe(200);
  });

  it('the signature counter must not fall to zero', async () => {
    expect((await signIn(5)).status).toBe(200);
    expect(await signIn(0)).toMatchObject(SIGN_IN_REFUSED);
    expect(await storedCounter()).toBe(5);
  });
});

describe('an account that cannot sign in', () => {
  it.each([
    ['account_inactive', 'APPROVED'],
    ['pending_approval', 'PENDING'],
    ['registration_rejected', 'REJECTED'],
  ])('an account that cannot sign in gets %s after a valid assertion only', async (code, approval) => {
    const grace = await holder();
    const state = [grace.id, approval];
    await service.sql('UPDATE users SET is_active = false, approval_status = $2 WHERE id = $1', state);
    const before = await footprint();

    expect(await signInWithPasskey(service, grace.authenticator)).toMatchObject({ status: 403, code });
    expect(await footprint()).toEqual(before);
    await refused({ signature: (bytes) => flippedBit(bytes, -1) }, grace);
    await refused({ flags: { UV: false } }, grace);
    await refused({ response: { userHandle: eve.credential.userHandle } }, grace);
  });

  it('an account that cannot sign in spends the ceremony all the same', async () => {
    const grace = await holder();
    const setActive = (is: boolean) =>
      service.sql('UPDATE users SET is_active = $2 WHERE id = $1', [grace.id, is]);
    const options = await signInOptions(service);
    const response = await grace.authenticator.authenticate(options);
    await setActive(false);
    expect(await verifySignIn(service, response)).toMatchObject({ status: 403, code: 'account_inactive' });
    await setActive(true);

    expect(await verifySignIn(service, response)).toMatchObject(SIGN_IN_REFUSED);
  });
});

describe('a request that is no response of an authenticator', () => {
  type Bend = (right: Awaited<ReturnType<SoftwareAuthenticator['authenticate']>>) => unknown;
  const inResponse =
    (change: Record<string, unknown>): Bend =>
    (right) => ({ ...right, response: { ...right.response, ...change } });

  it.each<[string, Bend]>([
    ['none', () => undefined],
    ['null', () => null],
    ['a string', (right) => JSON.stringify(right)],
    ['a list', (right) => [right]],
    ['an empty object', () => ({})],
    ['without response', (right) => ({ ...right, response: undefined })],
    ['a response that is a list', (right) => ({ ...right, response: [right.response] })],
    ['without type', (right) => ({ ...right, type: undefined })],
    ['an id that is a number', (right) => ({ ...right, id: 1, rawId: 1 })],
    ['an endless id', (right) => ({ ...right, id: 'A'.repeat(50_000) })],
    ['NUL in its id', (right) => ({ ...right, id: `${right.id}\0` })],
    ['half a character in its id', (right) => ({ ...right, id: `${right.id}\ud800` })],
    ['without client data', inResponse({ clientDataJSON: undefined })],
    ['client data as an object', inResponse({ clientDataJSON: { type: 'webauthn.get' } })],
    ['endless client data', inResponse({ clientDataJSON: 'A'.repeat(90_000) })],
    ['without authenticator data', inResponse({ authenticatorData: undefined })],
    ['authenticator data as bytes', inResponse({ authenticatorData: [1, 2, 3] })],
    ['without signature', inResponse({ signature: undefined })],
    ['a signature that is a number', inResponse({ signature: 1 })],
    ['NUL in its signature', inResponse({ signature: 'MEUC\0' })],
    ['a user handle that is an object', inResponse({ userHandle: {} })],
  ])('a sign-in request is a bad request and spends nothing: %s', async (_, bend) => {
    const right = await ada.authenticator.authenticate(await signInOptions(service));
    const before = await footprint();

    expect(await verifySignIn(service, bend(right))).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await footprint()).toEqual(before);
    expect((await verifySignIn(service, right)).status).toBe(200);
  });

  it('a sign-in request is refused unread when it is larger than any response', async () => {
    const credential = { id: 'A'.repeat(110_000) };
    expect(await verifySignIn(service, credential)).toMatchObject({ status: 413, code: 'validation_error' });
  });
});

describe('an unusual and correct sign-in', () => {
  const signIn = async ({ authenticator }: Holder, changes: AuthenticationChanges) => {
    const answer = await signInWithPasskey(service, authenticator, changes);
    expect(answer.status, answer.text).toBe(200);
    return service.api('GET', '/auth/me', { token: answer.data.accessToken });
  };

  it.each<[string, AuthenticationChanges]>([
    ['unknown keys', { clientData: { other_keys_can_be_added_here: 'see https://goo.gl/yabPex' } }],
    [
      'keys of other kinds',
      { clientData: { a: null, b: [{}], c: 1, toString: 'x', origins: ['https://e'] } },
    ],
    ['a key that is no key', { clientDataJSON: withMember('"__proto__":{"origin":"https://example.com"}') }],
    ['the origin of a listed app', { clientData: { origin: ANDROID_ORIGIN } }],
    ['no word about frames', { clientData: { crossOrigin: undefined } }],
    ['white space in its client data', { clientDataJSON: (bytes) => Buffer.from(` ${bytes.toString()}\n`) }],
  ])('an unusual and correct sign-in opens a session: %s', async (_, changes) => {
    expect((await signIn(ada, changes)).data.id).toBe(ada.id);
  });

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'a correct sign-in opens a session with %s',
    async (algorithm) => {
      const grace = await holder({ algorithm });
      expect((await signIn(grace, {})).data.id).toBe(grace.id);
    },
  );

  /** The correct client data with one more member, as text. */
  function withMember(member: string) {
    return (bytes: Buffer): Buffer => Buffer.from(bytes.toString().replace(/}$/, `,${member}}`));
  }
});
