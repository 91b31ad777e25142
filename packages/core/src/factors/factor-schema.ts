import { z } from 'zod';
import { nameInput } from '../kernel/name-input.js';
import type { TotpFactor } from './totp-factor.js';

const timestamp = z.iso.datetime();
/** Longer than any code, with spaces. */
const code = z.string().min(1).max(32);
const recoveryCode = z.string().min(1).max(64);
const recoveryCodes = z.array(z.string());

/**
 * The name of a new authenticator app, 1 to 100 characters.
 * @example
 * ```ts
 * beginTotpInput.parse({ name: ' Phone ' }); // → { name: 'Phone' }
 * beginTotpInput.parse({}); // → {}
 * ```
 */
export const beginTotpInput = z.object({ name: nameInput(100).optional() });
/**
 * Input of a new authenticator app; without a name it is called "Authenticator app".
 * @example
 * ```ts
 * const input: BeginTotpInput = { name: 'Phone' };
 * beginTotpInput.safeParse(input).success; // → true
 * ```
 */
export type BeginTotpInput = z.input<typeof beginTotpInput>;

/**
 * A code of the app, which confirms it.
 * @example
 * ```ts
 * confirmTotpInput.parse({ code: '123 456' }); // → { code: '123 456' }
 * ```
 */
export const confirmTotpInput = z.object({ code });

/**
 * A new authenticator app that is not confirmed yet.
 * @example
 * ```ts
 * const shown = { secret: 'MFRGG', otpauthUri: 'otpauth://totp/Acme:ann?secret=MFRGG', qrSvg: '<svg/>' };
 * const enrolment = { id: crypto.randomUUID(), ...shown, expiresAt: '2026-11-20T12:00:00.000Z' };
 * totpEnrolment.parse({ ...enrolment, keyId: 'never leaves' }); // → enrolment
 * ```
 */
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
/**
 * A new authenticator app: its secret, shown this once, as text, address and QR code.
 * @example
 * ```ts
 * const linkOf = ({ otpauthUri }: TotpEnrolment): string => `<a href="${otpauthUri}">Open the app</a>`;
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const enrolment = await kit.auth.factors?.own.begin(caller, { name: 'Phone' });
 * enrolment && linkOf(enrolment).startsWith('<a href="otpauth://totp/'); // → true
 * ```
 */
export type TotpEnrolment = z.output<typeof totpEnrolment>;

/**
 * A second factor as its owner sees it.
 * @example
 * ```ts
 * const factor = { id: crypto.randomUUID(), kind: 'totp', name: 'Phone', createdAt: '2026-11-20T12:00:00.000Z' };
 * factorView.parse({ ...factor, secret: 'never leaves' }); // → factor
 * ```
 */
export const factorView = z
  .object({
    id: z.guid(),
    kind: z.literal('totp'),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.optional(),
  })
  .meta({ id: 'Factor' });
/**
 * A second factor of the caller; times in ISO 8601.
 * @example
 * ```ts
 * const lineOf = ({ name, lastUsedAt }: FactorView): string => `${name}, last used ${lastUsedAt ?? 'never'}`;
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * (await kit.auth.factors?.own.list(caller))?.factors.map(lineOf); // → []
 * ```
 */
export type FactorView = z.output<typeof factorView>;

/**
 * The second factors of the caller, and the number of unused recovery codes.
 * @example
 * ```ts
 * ownFactors.parse({ factors: [], recoveryCodesLeft: 0, isRequired: false }).factors; // → []
 * ```
 */
export const ownFactors = z
  .object({
    factors: z.array(factorView),
    recoveryCodesLeft: z.int().min(0),
    /** True if the user must have a second factor. */
    isRequired: z.boolean(),
  })
  .meta({ id: 'OwnFactors' });
/**
 * The second factors of the caller, newest first, and the number of unused recovery codes.
 * @example
 * ```ts
 * const isWarned = ({ factors, recoveryCodesLeft }: OwnFactors): boolean => factors.length > 0 && recoveryCodesLeft < 3;
 * isWarned({ factors: [], recoveryCodesLeft: 0, isRequired: false }); // → false
 * ```
 */
export type OwnFactors = z.output<typeof ownFactors>;

/**
 * The second factors of a user, for administrators.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * userFactors.parse(await kit.auth.admin.factors.ofUser(id)); // → { factors: [], recoveryCodesLeft: 0, passkeys: 0, codesBlocked: false }
 * ```
 */
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
 * @example
 * ```ts
 * const hasFactor = ({ factors, passkeys }: UserFactors): boolean => factors.length + passkeys > 0;
 * const { id } = await kit.user();
 * hasFactor(await kit.auth.admin.factors.ofUser(id)); // → false
 * ```
 */
export type UserFactors = z.output<typeof userFactors>;

/**
 * Reply with a confirmed factor, and the recovery codes with the first one.
 * @example
 * ```ts
 * confirmedFactor.shape.recoveryCodes.parse(undefined); // → undefined
 * ```
 */
export const confirmedFactor = z
  .object({ factor: factorView, recoveryCodes: recoveryCodes.optional() })
  .meta({ id: 'ConfirmedFactor' });
/**
 * A confirmed factor. Recovery codes come with the first one only, and are shown this once.
 * @example
 * ```ts
 * const toPrint = ({ recoveryCodes = [] }: ConfirmedFactor): string => recoveryCodes.join('\n');
 * const factor = { id: 'f', kind: 'totp' as const, name: 'Phone', createdAt: '2026-11-20T12:00:00.000Z' };
 * toPrint({ factor }); // → ''
 * ```
 */
export type ConfirmedFactor = z.output<typeof confirmedFactor>;

/**
 * Reply with a new set of recovery codes.
 * @example
 * ```ts
 * renewedRecoveryCodes.parse({ recoveryCodes: ['a'], digests: 'never leave' }); // → { recoveryCodes: ['a'] }
 * ```
 */
export const renewedRecoveryCodes = z.object({ recoveryCodes }).meta({ id: 'RecoveryCodes' });
/**
 * A new set of recovery codes, shown this once; the codes before it no longer work.
 * @example
 * ```ts
 * const count = ({ recoveryCodes }: RenewedRecoveryCodes): number => recoveryCodes.length;
 * count({ recoveryCodes: [] }); // → 0
 * ```
 */
export type RenewedRecoveryCodes = z.output<typeof renewedRecoveryCodes>;

const challenge = z.string().min(1).max(128);

/**
 * The challenge of a sign-in, and either a code or a recovery code; the use case rejects both and neither.
 * @example
 * ```ts
 * secondFactorInput.safeParse({ challenge: 'lkc_x', code: '123456' }).success; // → true
 * secondFactorInput.safeParse({ code: '123456' }).success; // → false
 * ```
 */
export const secondFactorInput = z
  .object({
    challenge,
    code: code.optional(),
    recoveryCode: recoveryCode.optional(),
  })
  .meta({ minProperties: 2, maxProperties: 2 });
/**
 * Input of `auth.factors.signIn.complete`.
 * @example
 * ```ts
 * const input: SecondFactorInput = { challenge: 'lkc_x', recoveryCode: '7k2m9-x0p4q-v8w1z' };
 * secondFactorInput.safeParse(input).success; // → true
 * ```
 */
export type SecondFactorInput = z.input<typeof secondFactorInput>;

/**
 * The challenge of a sign-in that requires a new factor, and a name for it.
 * @example
 * ```ts
 * enrolAtSignInInput.safeParse({ challenge: 'lkc_x', name: 'Phone' }).success; // → true
 * ```
 */
export const enrolAtSignInInput = z.object({ challenge, name: nameInput(100).optional() });
/**
 * Input of `auth.factors.signIn.beginEnrolment`.
 * @example
 * ```ts
 * const input: EnrolAtSignInInput = { challenge: 'lkc_x' };
 * enrolAtSignInInput.safeParse(input).success; // → true
 * ```
 */
export type EnrolAtSignInInput = z.input<typeof enrolAtSignInInput>;

/**
 * The challenge, the id of the new factor, and a code of it.
 * @example
 * ```ts
 * const id = crypto.randomUUID();
 * confirmAtSignInInput.safeParse({ challenge: 'lkc_x', id, code: '123456' }).success; // → true
 * ```
 */
export const confirmAtSignInInput = z.object({ challenge, id: z.guid().toLowerCase(), code });
/**
 * Input of `auth.factors.signIn.confirmEnrolment`.
 * @example
 * ```ts
 * const input: ConfirmAtSignInInput = { challenge: 'lkc_x', id: crypto.randomUUID(), code: '123456' };
 * confirmAtSignInInput.safeParse(input).success; // → true
 * ```
 */
export type ConfirmAtSignInInput = z.input<typeof confirmAtSignInInput>;

/**
 * The reason for removing the factors of a user, for the audit log.
 * @example
 * ```ts
 * resetFactorsInput.parse({ reason: ' lost phone, identified by video call ' }).reason; // → 'lost phone, identified by video call'
 * ```
 */
export const resetFactorsInput = z.object({
  reason: z.string().trim().min(1).max(500).meta({ pattern: '\\S' }),
});

/**
 * Numbers of removed factors and ended sessions.
 * @example
 * ```ts
 * const counts = { totp: 1, recoveryCodes: 10, passkeys: 0 };
 * resetFactors.parse({ status: 'ok', removed: counts, revoked: 2 }).removed; // → counts
 * ```
 */
export const resetFactors = z
  .object({
    status: z.literal('ok'),
    removed: z.object({ totp: z.int(), recoveryCodes: z.int(), passkeys: z.int() }),
    /** Number of ended sessions. */
    revoked: z.int().min(0),
  })
  .meta({ id: 'ResetFactors' });
/**
 * The factors that a reset has removed.
 * @example
 * ```ts
 * const total = ({ removed }: ResetFactors): number => removed.totp + removed.passkeys;
 * const { id } = await kit.user();
 * const operator = { kind: 'operator', name: 'alice' } as const;
 * total(await kit.auth.admin.factors.reset(operator, id, 'lost phone')); // → 0
 * ```
 */
export type ResetFactors = z.output<typeof resetFactors>;

export const toFactorView = ({ id, name, createdAt, lastUsedAt }: TotpFactor): FactorView => ({
  id,
  kind: 'totp',
  name,
  createdAt: createdAt.toISOString(),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
});
