import { z } from 'zod';
import { nameInput } from '../kernel/name-input.js';
import type { TotpFactor } from './kinds/totp/totp-factor.js';

const timestamp = z.iso.datetime();
/** Longer than any code, with spaces. */
const code = z.string().min(1).max(32);
const recoveryCode = z.string().min(1).max(64);
const recoveryCodes = z.array(z.string());

/** The name of a new authenticator app, 1 to 100 characters. */
export const beginTotpInput = z.object({ name: nameInput(100).optional() });
/** Input of a new authenticator app; without a name it is called "Authenticator app". */
export type BeginTotpInput = z.input<typeof beginTotpInput>;

/** A code of the app, which confirms it. */
export const confirmTotpInput = z.object({ code });

/** A new authenticator app that is not confirmed yet. */
export const totpEnrolment = z
  .object({
    id: z.guid(),
    /** Base32, for apps that cannot read a QR code. */
    secret: z.string(),
    otpauthUri: z.string(),
    /** The address as QR code, an SVG document. */
    qrSvg: z.string(),
    expiresAt: timestamp,
  })
  .meta({ id: 'TotpEnrolment' });
/** A new authenticator app: its secret, shown this once, as text, address and QR code. */
export type TotpEnrolment = z.output<typeof totpEnrolment>;

/** Schema of a second factor as its owner sees it. */
export const factorView = z
  .object({
    id: z.guid(),
    kind: z.literal('totp'),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.optional(),
  })
  .meta({ id: 'Factor' });
/** A second factor of the caller; times in ISO 8601. */
export type FactorView = z.output<typeof factorView>;

/** Schema of a list of the own second factors. */
export const ownFactors = z
  .object({
    factors: z.array(factorView),
    recoveryCodesLeft: z.int().min(0),
    /** True if the user must have a second factor. */
    isRequired: z.boolean(),
  })
  .meta({ id: 'OwnFactors' });
/** The second factors of the caller, newest first, and the number of unused recovery codes. */
export type OwnFactors = z.output<typeof ownFactors>;

/** Schema of a list of a user's second factors, for administrators. */
export const userFactors = z
  .object({
    factors: z.array(factorView),
    recoveryCodesLeft: z.int().min(0),
    /** Number of passkeys, which count as second factors. */
    passkeys: z.int().min(0),
    /** True after 100 wrong codes in a row: no code is compared until the user proves something else. */
    codesBlocked: z.boolean(),
  })
  .meta({ id: 'UserFactors' });
/**
 * The second factors of a user, newest first, the numbers of unused recovery codes and of passkeys, and whether codes are blocked after
 * too many wrong ones.
 */
export type UserFactors = z.output<typeof userFactors>;

/** Reply with a confirmed factor. */
export const confirmedFactor = z
  .object({ factor: factorView, recoveryCodes: recoveryCodes.optional() })
  .meta({ id: 'ConfirmedFactor' });
/** A confirmed factor. Recovery codes come with the first one only, and are shown this once. */
export type ConfirmedFactor = z.output<typeof confirmedFactor>;

/** Reply with a new set of recovery codes. */
export const renewedRecoveryCodes = z.object({ recoveryCodes }).meta({ id: 'RecoveryCodes' });
/** A new set of recovery codes, shown this once; the codes before it no longer work. */
export type RenewedRecoveryCodes = z.output<typeof renewedRecoveryCodes>;

const challenge = z.string().min(1).max(128);

/** The challenge of a sign-in, and either a code or a recovery code; the use case rejects both and neither. */
export const secondFactorInput = z
  .object({
    challenge,
    code: code.optional(),
    recoveryCode: recoveryCode.optional(),
    trustDevice: z
      .boolean()
      .optional()
      .describe(
        'True: this browser is not asked for a second factor for the `trustDeviceDays` of the sign-in, which has to offer them.',
      ),
  })
  .meta({ minProperties: 2, maxProperties: 3 });
/** Input of `auth.factors.signIn.complete`. */
export type SecondFactorInput = z.input<typeof secondFactorInput>;

/** The challenge of a sign-in that requires a new factor, and a name for it. */
export const enrolAtSignInInput = z.object({ challenge, name: nameInput(100).optional() });
/** Input of `auth.factors.signIn.beginEnrolment`. */
export type EnrolAtSignInInput = z.input<typeof enrolAtSignInInput>;

/** The challenge, the id of the new factor, and a code of it. */
export const confirmAtSignInInput = z.object({ challenge, id: z.guid().toLowerCase(), code });
/** Input of `auth.factors.signIn.confirmEnrolment`. */
export type ConfirmAtSignInInput = z.input<typeof confirmAtSignInInput>;

/** The reason for removing the factors of a user, for the audit log. */
export const resetFactorsInput = z.object({
  reason: z.string().trim().min(1).max(500).meta({ pattern: '\\S' }),
});

/** Numbers of removed factors and ended sessions. */
export const resetFactors = z
  .object({
    status: z.literal('ok'),
    removed: z.object({ totp: z.int(), recoveryCodes: z.int(), passkeys: z.int() }),
    /** Number of ended sessions. */
    revoked: z.int().min(0),
  })
  .meta({ id: 'ResetFactors' });
/** The factors that a reset has removed. */
export type ResetFactors = z.output<typeof resetFactors>;

export const toFactorView = ({ id, name, createdAt, lastUsedAt }: TotpFactor): FactorView => ({
  id,
  kind: 'totp',
  name,
  createdAt: createdAt.toISOString(),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
});
