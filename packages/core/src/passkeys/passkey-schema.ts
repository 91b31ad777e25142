import { z } from 'zod';
import { passwordInput } from '../users/user-schema.js';
import { DEVICE_TYPES, type OwnedPasskey, type Passkey } from './passkey.js';

export const passkeyOptionsInput = z.object({ currentPassword: passwordInput });

const passkeyName = z.string().trim().min(1).max(100);
/** base64url of at most so many characters. What it holds is for the verification to judge. */
const encoded = (maxLength: number) => z.string().max(maxLength);

/** The part of a `PublicKeyCredentialJSON` that both ceremonies share; fields that are not needed are dropped. */
const credential = z.object({
  id: encoded(2_048),
  rawId: encoded(2_048),
  type: z.string().max(64),
});
const clientDataJSON = encoded(16_384);

/** `RegistrationResponseJSON` (WebAuthn Level 3 section 5.1.8.1). */
export const registrationResponse = credential.extend({
  response: z.object({
    clientDataJSON,
    attestationObject: encoded(65_536),
    transports: z.array(z.string().max(64)).max(32).optional(),
  }),
});
export type RegistrationResponse = z.output<typeof registrationResponse>;

/** `AuthenticationResponseJSON` (WebAuthn Level 3 section 5.1.8.2). */
export const authenticationResponse = credential.extend({
  response: z.object({
    clientDataJSON,
    authenticatorData: encoded(16_384),
    signature: encoded(4_096),
    userHandle: encoded(256).nullish(),
  }),
});
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

export const registerPasskeyInput = z.object({
  credential: registrationResponse,
  name: passkeyName.optional(),
});
export type RegisterPasskeyInput = z.output<typeof registerPasskeyInput>;

export const passkeyLoginInput = z.object({ credential: authenticationResponse });

export const passkeyPatchInput = z.object({ name: passkeyName });

const descriptor = z.object({
  id: z.string(),
  type: z.string(),
  transports: z.array(z.string()).optional(),
});
const requirement = z.enum(['discouraged', 'preferred', 'required']);

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 section 5.1.9). */
export const passkeyCreationOptions = z
  .object({
    rp: z.object({ id: z.string().optional(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    /** Milliseconds. */
    timeout: z.int().optional(),
    excludeCredentials: z.array(descriptor).optional(),
    authenticatorSelection: z
      .object({
        authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
        residentKey: requirement.optional(),
        requireResidentKey: z.boolean().optional(),
        userVerification: requirement.optional(),
      })
      .optional(),
    hints: z.array(z.string()).optional(),
    attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']).optional(),
    extensions: z.object({ credProps: z.boolean().optional() }).optional(),
  })
  .meta({ id: 'PasskeyCreationOptions' });
export type PasskeyCreationOptions = z.output<typeof passkeyCreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 section 5.1.10). */
export const passkeyRequestOptions = z
  .object({
    challenge: z.string(),
    /** Milliseconds. */
    timeout: z.int().optional(),
    rpId: z.string().optional(),
    userVerification: requirement.optional(),
  })
  .meta({ id: 'PasskeyRequestOptions' });
export type PasskeyRequestOptions = z.output<typeof passkeyRequestOptions>;

const timestamp = z.iso.datetime();

export const passkeyView = z
  .object({
    id: z.guid(),
    name: z.string(),
    deviceType: z.enum(DEVICE_TYPES),
    backedUp: z.boolean(),
    transports: z.array(z.string()),
    createdAt: timestamp,
    lastUsedAt: timestamp.optional(),
  })
  .meta({ id: 'Passkey' });
export type PasskeyView = z.output<typeof passkeyView>;

export function toPasskeyView({ createdAt, lastUsedAt, ...passkey }: Passkey): PasskeyView {
  return {
    ...passkey,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

/** A passkey for those who look after other people's. */
export type OwnedPasskeyView = PasskeyView & { userId: string; email: string };

export const toOwnedPasskeyView = ({ owner, ...passkey }: OwnedPasskey): OwnedPasskeyView => ({
  ...toPasskeyView(passkey),
  userId: owner.id,
  email: owner.email,
});
