import { z } from 'zod';
import { nameInput } from '../kernel/name-input.js';
import { passwordInput } from '../users/user-schema.js';
import { DEVICE_TYPES, type Passkey } from './passkey.js';

/** The current password, needed before a passkey is added. */
export const passkeyOptionsInput = z.object({
  currentPassword: passwordInput
    .optional()
    .describe('The password of the account; one without a password needs a recent sign-in instead.'),
});

const passkeyName = nameInput(100);
/** base64url of at most this many characters. Its content is checked by the verification. */
const encoded = (maxLength: number) => z.string().max(maxLength);

/** The part of a `PublicKeyCredentialJSON` that both ceremonies share; fields that are not needed are dropped. */
const credential = z.object({
  id: encoded(2_048),
  rawId: encoded(2_048),
  type: z.string().max(64),
});
const clientDataJSON = encoded(16_384);

/** `RegistrationResponseJSON` (WebAuthn Level 3 section 5.1.8.1). */
const registrationResponse = credential.extend({
  response: z.object({
    clientDataJSON,
    attestationObject: encoded(65_536),
    transports: z.array(z.string().max(64)).max(32).optional(),
  }),
});
/** Response of the browser for a new passkey: `credential.toJSON()` (WebAuthn Level 3 section 5.1.8.1). */
export type RegistrationResponse = z.output<typeof registrationResponse>;

/** `AuthenticationResponseJSON` (WebAuthn Level 3 section 5.1.8.2). */
const authenticationResponse = credential.extend({
  response: z.object({
    clientDataJSON,
    authenticatorData: encoded(16_384),
    signature: encoded(4_096),
    userHandle: encoded(256).nullish(),
  }),
});
/**
 * Response of the browser for a sign-in with a passkey: `credential.toJSON()` (WebAuthn Level 3 section
 * 5.1.8.2).
 */
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

/** Response of the browser for a new passkey, with its name. */
export const registerPasskeyInput = z.object({
  credential: registrationResponse,
  name: passkeyName.optional(),
});
/** A new passkey: `credential` from the browser, and a name of at most 100 characters. */
export type RegisterPasskeyInput = z.input<typeof registerPasskeyInput>;

/** Response of the browser for a sign-in with a passkey. */
export const passkeyLoginInput = z.object({ credential: authenticationResponse });

/** A new name of a passkey, 1 to 100 characters without the spaces around it. */
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
/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON` (WebAuthn Level 3 section 5.1.9). */
export type PasskeyCreationOptions = z.output<typeof passkeyCreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 section 5.1.10). */
export const passkeyRequestOptions = z
  .object({
    challenge: z.string(),
    /** Milliseconds. */
    timeout: z.int().optional(),
    rpId: z.string().optional(),
    userVerification: requirement.optional(),
    /** The passkeys of the user, for a step-up; missing at a sign-in, where any passkey will do. */
    allowCredentials: z.array(descriptor).optional(),
  })
  .meta({ id: 'PasskeyRequestOptions' });
/** Input of `PublicKeyCredential.parseRequestOptionsFromJSON` (WebAuthn Level 3 section 5.1.10). */
export type PasskeyRequestOptions = z.output<typeof passkeyRequestOptions>;

const timestamp = z.iso.datetime();

/** A passkey as its owner sees it, without its key. */
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
/** A passkey in the list of its owner; times in ISO 8601. */
export type PasskeyView = z.output<typeof passkeyView>;

export function toPasskeyView({ createdAt, lastUsedAt, ...passkey }: Passkey): PasskeyView {
  return {
    ...passkey,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

/** A passkey with its owner, for administrators. */
export type OwnedPasskeyView = PasskeyView & { userId: string; email: string };
