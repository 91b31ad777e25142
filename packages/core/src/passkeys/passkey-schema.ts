import { z } from 'zod';
import { nameInput } from '../kernel/name-input.js';
import { passwordInput } from '../users/user-schema.js';
import { DEVICE_TYPES, type OwnedPasskey, type Passkey } from './passkey.js';

/**
 * The current password, needed before a passkey is added.
 * @example
 * ```ts
 * passkeyOptionsInput.parse({ currentPassword: 'a long walk home' }); // → { currentPassword: 'a long walk home' }
 * ```
 */
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
/**
 * Response of the browser for a new passkey: `credential.toJSON()` (WebAuthn Level 3 section 5.1.8.1).
 * @example
 * ```ts
 * const idOf = ({ id }: RegistrationResponse): string => id;
 * const response = { clientDataJSON: 'e30', attestationObject: 'oA' };
 * idOf({ id: 'AQID', rawId: 'AQID', type: 'public-key', response }); // → 'AQID'
 * ```
 */
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
 * @example
 * ```ts
 * const isForUser = ({ response }: AuthenticationResponse): boolean => typeof response.userHandle === 'string';
 * const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AQID' };
 * isForUser({ id: 'AQID', rawId: 'AQID', type: 'public-key', response }); // → true
 * ```
 */
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

/**
 * Response of the browser for a new passkey, with its name.
 * @example
 * ```ts
 * const name = registerPasskeyInput.shape.name;
 * name.parse(' Phone '); // → 'Phone'
 * name.safeParse('').success; // → false
 * ```
 */
export const registerPasskeyInput = z.object({
  credential: registrationResponse,
  name: passkeyName.optional(),
});
/**
 * A new passkey: `credential` from the browser, and a name of at most 100 characters.
 * @example
 * ```ts
 * const named = (credential: RegistrationResponse, name: string): RegisterPasskeyInput => ({ credential, name });
 * const response = { clientDataJSON: 'e30', attestationObject: 'oA' };
 * named({ id: 'AQID', rawId: 'AQID', type: 'public-key', response }, 'Phone').name; // → 'Phone'
 * ```
 */
export type RegisterPasskeyInput = z.input<typeof registerPasskeyInput>;

/**
 * Response of the browser for a sign-in with a passkey.
 * @example
 * ```ts
 * passkeyLoginInput.safeParse({ credential: { id: 'AQID' } }).success; // → false
 * ```
 */
export const passkeyLoginInput = z.object({ credential: authenticationResponse });

/**
 * A new name of a passkey, 1 to 100 characters without the spaces around it.
 * @example
 * ```ts
 * passkeyPatchInput.parse({ name: ' Key at work ' }); // → { name: 'Key at work' }
 * ```
 */
export const passkeyPatchInput = z.object({ name: passkeyName });

const descriptor = z.object({
  id: z.string(),
  type: z.string(),
  transports: z.array(z.string()).optional(),
});
const requirement = z.enum(['discouraged', 'preferred', 'required']);

/**
 * `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 section 5.1.9).
 * @example
 * ```ts
 * const user = { id: 'AQID', name: 'ann@example.com', displayName: 'Ann' };
 * const options = { rp: { name: 'Acme' }, user, challenge: 'AQID', pubKeyCredParams: [] };
 * passkeyCreationOptions.parse({ ...options, state: 'never leaves' }); // → options
 * ```
 */
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
/**
 * Input of `PublicKeyCredential.parseCreationOptionsFromJSON` (WebAuthn Level 3 section 5.1.9).
 * @example
 * ```ts
 * const secondsToAnswer = ({ timeout = 60_000 }: PasskeyCreationOptions): number => timeout / 1000;
 * const ann = { id: 'AQID', name: 'ann@example.com', displayName: 'Ann' };
 * secondsToAnswer({ rp: { name: 'Acme' }, user: ann, challenge: 'AQID', pubKeyCredParams: [] }); // → 60
 * ```
 */
export type PasskeyCreationOptions = z.output<typeof passkeyCreationOptions>;

/**
 * `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 section 5.1.10).
 * @example
 * ```ts
 * passkeyRequestOptions.parse({ challenge: 'AQID', rpId: 'example.com' }).rpId; // → 'example.com'
 * ```
 */
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
/**
 * Input of `PublicKeyCredential.parseRequestOptionsFromJSON` (WebAuthn Level 3 section 5.1.10).
 * @example
 * ```ts
 * const isAsked = ({ userVerification }: PasskeyRequestOptions): boolean => userVerification === 'required';
 * isAsked({ challenge: 'AQID', userVerification: 'required' }); // → true
 * ```
 */
export type PasskeyRequestOptions = z.output<typeof passkeyRequestOptions>;

const timestamp = z.iso.datetime();

/**
 * A passkey as its owner sees it, without its key.
 * @example
 * ```ts
 * const passkey = { id: crypto.randomUUID(), name: 'Phone', deviceType: 'multiDevice', backedUp: true };
 * const shown = { ...passkey, transports: ['internal'], createdAt: '2026-11-20T12:00:00.000Z' };
 * passkeyView.parse({ ...shown, publicKey: 'never leaves' }); // → shown
 * ```
 */
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
/**
 * A passkey in the list of its owner; times in ISO 8601.
 * @example
 * ```ts
 * const isSynced = ({ backedUp }: PasskeyView): boolean => backedUp;
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const passkeys = await kit.auth.passkeys?.own.list(caller);
 * passkeys?.items.filter(isSynced) ?? []; // → []
 * ```
 */
export type PasskeyView = z.output<typeof passkeyView>;

export function toPasskeyView({ createdAt, lastUsedAt, ...passkey }: Passkey): PasskeyView {
  return {
    ...passkey,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

/**
 * A passkey with its owner, for administrators.
 * @example
 * ```ts
 * const lineOf = ({ email, name }: OwnedPasskeyView): string => `${email}: ${name}`;
 * const found: OwnedPasskeyView[] = await kit.auth.admin.passkeys.findByPrefix('0000', 10);
 * found.map(lineOf); // → []
 * ```
 */
export type OwnedPasskeyView = PasskeyView & { userId: string; email: string };

export const toOwnedPasskeyView = ({ owner, ...passkey }: OwnedPasskey): OwnedPasskeyView => ({
  ...toPasskeyView(passkey),
  userId: owner.id,
  email: owner.email,
});
