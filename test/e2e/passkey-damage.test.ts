import { isoCBOR } from '@simplewebauthn/server/helpers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CredentialSource } from '../support/credential-source.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import {
  PASSKEY_ENV,
  registerPasskey,
  registrationOptions,
  REGISTRATION_REFUSED,
  signInOptions,
  signInWithPasskey,
  SIGN_IN_REFUSED,
  verifyRegistration,
  verifySignIn,
} from '../support/passkey-client.js';
import { runsOf } from '../support/scale.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

/** A change of one byte, at any position. */
interface Damage {
  /** Counted from the start again when the bytes are fewer. */
  place: number;
  /** The bits to flip. */
  mask: number;
}

const someDamage = fc.record<Damage>({ place: fc.nat(10_000), mask: fc.integer({ min: 1, max: 255 }) });

/** @param from the first position that may be damaged. */
function damaged(encoded: string, { place, mask }: Damage, from = 0): string {
  const bytes = Buffer.from(encoded, 'base64url');
  const at = from + (place % (bytes.length - from));
  bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at);
  return bytes.toString('base64url');
}

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
});
afterAll(() => service.stop());

describe('a sign-in in which one byte is altered', () => {
  const FIELDS = ['clientDataJSON', 'authenticatorData', 'signature'] as const;
  /** Returns the length of the frame of an ECDSA signature: a change there may keep its two numbers the same. */
  const frameOf = (algorithm: string, field: string): number =>
    algorithm === 'ES256' && field === 'signature' ? 2 : 0;

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'a sign-in in which one byte is altered is refused, with %s',
    async (algorithm) => {
      const authenticator = new SoftwareAuthenticator({ algorithm });
      await registerPasskey(service, await signedInUser(service), authenticator);
      const altered = fc.asyncProperty(fc.constantFrom(...FIELDS), someDamage, async (field, damage) => {
        const { response, ...rest } = await authenticator.authenticate(await signInOptions(service));
        const bent = damaged(response[field], damage, frameOf(algorithm, field));
        const answer = await verifySignIn(service, { ...rest, response: { ...response, [field]: bent } });
        expect(answer).toMatchObject(SIGN_IN_REFUSED);
      });

      await fc.assert(altered, { numRuns: runsOf(50) });
      expect((await signInWithPasskey(service, authenticator)).status).toBe(200);
    },
  );

  it('a sign-in that is altered completely is refused, or a bad request', async () => {
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, await signedInUser(service), authenticator);
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc.jsonValue(),
    );
    const replaced = fc.asyncProperty(fc.constantFrom(...FIELDS), anything, async (field, text) => {
      const { response, ...rest } = await authenticator.authenticate(await signInOptions(service));
      const answer = await verifySignIn(service, { ...rest, response: { ...response, [field]: text } });
      expect([400, 401]).toContain(answer.status);
    });

    await fc.assert(replaced, { numRuns: runsOf(60) });
  });
});

describe('a registration in which one byte is altered', () => {
  const FIELDS = ['clientDataJSON', 'attestationObject'] as const;
  let user: SignedInTestUser;

  beforeAll(async () => {
    user = await signedInUser(service);
  });

  /** Sends a damaged registration. @returns what it stored, if anything, and the expected values. */
  async function registerDamaged(
    attestation: 'none' | 'packed',
    field: (typeof FIELDS)[number],
    damage: Damage,
  ) {
    const authenticator = new SoftwareAuthenticator();
    const options = await registrationOptions(service, user);
    const { response, ...rest } = await authenticator.register(options, { attestation });
    const bent = { ...rest, response: { ...response, [field]: damaged(response[field], damage) } };
    const answer = await verifyRegistration(service, user, bent);
    if (answer.status !== 201) expect(answer).toMatchObject(REGISTRATION_REFUSED);
    // The number of runs would exceed the limit of one account.
    const stored = await service.sql('DELETE FROM passkey_credentials WHERE user_id = $1 RETURNING *', [
      user.id,
    ]);
    return { stored, credential: authenticator.credentials[0]! };
  }

  const keyOf = ({ id, keyPair }: CredentialSource) => ({
    credential_id: id.toString('base64url'),
    public_key: Buffer.from(isoCBOR.encode(keyPair.coseKey())),
  });

  it('a signed registration in which one byte is altered is refused, or stores the same as without the alteration', async () => {
    const altered = fc.asyncProperty(fc.constantFrom(...FIELDS), someDamage, async (field, damage) => {
      const { stored, credential } = await registerDamaged('packed', field, damage);
      const device = { device_type: 'singleDevice', backed_up: false };
      const right = { ...keyOf(credential), ...device, counter: '0' };
      for (const row of stored) expect(row).toMatchObject(right);
    });

    await fc.assert(altered, { numRuns: runsOf(60) });
  });

  it('an unsigned registration in which one byte is altered is refused, or stores the same credential and key', async () => {
    const altered = fc.asyncProperty(fc.constantFrom(...FIELDS), someDamage, async (field, damage) => {
      const { stored, credential } = await registerDamaged('none', field, damage);
      for (const row of stored) expect(row).toMatchObject(keyOf(credential));
    });

    await fc.assert(altered, { numRuns: runsOf(60) });
  });
});
