import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import { describe, expect, it } from 'vitest';
import type { AlgorithmName } from './cose-key-pair.js';
import { flippedBit } from './flipped-bit.js';
import { SoftwareAuthenticator } from './software-authenticator.js';
import type { AuthenticationChanges, RegistrationChanges } from './webauthn-changes.js';

const origin = 'http://localhost:3000';
const rpID = 'localhost';

const creation = (supportedAlgorithmIDs = [-7, -8, -257]) =>
  generateRegistrationOptions({ rpName: 'Latchkey', rpID, userName: 'ada', supportedAlgorithmIDs });

/** Returns the verdict of the library on a registration in which everything is expected to be right. */
async function register(authenticator: SoftwareAuthenticator, changes?: RegistrationChanges) {
  const options = await creation();
  const { registrationInfo, verified } = await verifyRegistrationResponse({
    response: await authenticator.register(options, changes),
    expectedChallenge: options.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    supportedAlgorithmIDs: [-7, -8, -257, -35, -37, -65535],
  });
  if (!verified) throw new Error('The attestation is not verified.');
  return { ...registrationInfo, userHandle: options.user.id };
}

async function authenticate(
  authenticator: SoftwareAuthenticator,
  credential: WebAuthnCredential,
  changes?: AuthenticationChanges,
) {
  const options = await generateAuthenticationOptions({ rpID });
  const response = await authenticator.authenticate(options, changes);
  const expected = { expectedChallenge: options.challenge, expectedOrigin: origin, expectedRPID: rpID };
  return { response, ...(await verifyAuthenticationResponse({ response, credential, ...expected })) };
}

describe('the software authenticator', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)('registers and signs in with %s', async (algorithm) => {
    const authenticator = new SoftwareAuthenticator({ algorithm });
    const { credential, userHandle, ...registered } = await register(authenticator);
    const { response, verified, authenticationInfo } = await authenticate(authenticator, credential);

    expect(registered).toMatchObject({
      fmt: 'none',
      userVerified: true,
      credentialDeviceType: 'singleDevice',
    });
    expect(credential).toMatchObject({ counter: 0, transports: ['internal'] });
    expect(response.response.userHandle).toBe(userHandle);
    expect(verified).toBe(true);
    expect(authenticationInfo).toMatchObject({ newCounter: 1, credentialBackedUp: false });
  });

  it.each<AlgorithmName>(['ES384', 'PS256', 'RS1'])('has real keys for %s too', async (algorithm) => {
    const authenticator = new SoftwareAuthenticator();
    const { credential } = await register(authenticator, { algorithm });
    expect((await authenticate(authenticator, credential)).verified).toBe(true);
  });

  it('an authenticator attests itself if the options request it', async () => {
    const { fmt } = await register(new SoftwareAuthenticator(), { attestation: 'packed' });
    expect(fmt).toBe('packed');
    const signature = (bytes: Buffer) => flippedBit(bytes, -1);
    const altered = register(new SoftwareAuthenticator({ algorithm: 'EdDSA' }), {
      attestation: 'packed',
      signature,
    });
    await expect(altered).rejects.toThrow('not verified');
  });

  it('says that synced keys are backed up', async () => {
    const { credentialDeviceType, credentialBackedUp } = await register(
      new SoftwareAuthenticator({ synced: true }),
    );
    expect({ credentialDeviceType, credentialBackedUp }).toEqual({
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
    });
  });

  it('signs what it bends before signing', async () => {
    const authenticator = new SoftwareAuthenticator();
    const { credential } = await register(authenticator);
    const clientData = { extra: { of: ['any', 'kind'] } };
    const { verified, authenticationInfo } = await authenticate(authenticator, credential, {
      clientData,
      signCount: 4_000_000_000,
    });

    expect(verified).toBe(true);
    expect(authenticationInfo.newCounter).toBe(4_000_000_000);
    expect((await authenticate(authenticator, credential)).authenticationInfo.newCounter).toBe(2);
  });

  it.each<[AuthenticationChanges]>([
    [{ signedBytes: (bytes) => bytes.subarray(1) }],
    [{ signature: (bytes) => flippedBit(bytes, -1) }],
  ])('does not sign what it bends afterwards', async (changes) => {
    const authenticator = new SoftwareAuthenticator();
    const { credential } = await register(authenticator);
    expect((await authenticate(authenticator, credential, changes)).verified).toBe(false);
  });

  it('keeps to what is offered, excluded and allowed', async () => {
    const authenticator = new SoftwareAuthenticator();
    const { credential } = await register(authenticator);
    const again = { ...(await creation()), excludeCredentials: [{ id: credential.id, type: 'public-key' }] };
    const elsewhere = await generateAuthenticationOptions({ rpID: 'example.com' });

    await expect(authenticator.register(again)).rejects.toThrow('InvalidStateError');
    await expect(authenticator.register(await creation([-8]))).rejects.toThrow('NotSupportedError');
    await expect(authenticator.authenticate(elsewhere)).rejects.toThrow('NotAllowedError');
  });
});
