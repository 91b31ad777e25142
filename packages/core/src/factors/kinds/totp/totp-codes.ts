import { Secret, TOTP } from 'otpauth';

/** RFC 6238, with the parameters that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Bytes of a new secret: the length of the digest (RFC 4226 section 4). */
const SECRET_BYTES = 20;
/** Time steps before and after the current one whose codes are accepted. */
const DRIFT = 1;

const CODE_PATTERN = /^\d{6}$/;

/** Returns a new secret. */
export const generateTotpSecret = (): Buffer => Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);

/** Returns the secret as people type it: base32 without padding. */
export const totpSecretText = (secret: Buffer): string => secretOf(secret).base32;

/** Returns the secret of a base32 text in capital letters. */
export const totpSecretOfText = (base32: string): Buffer => Buffer.from(Secret.fromBase32(base32).bytes);

/**
 * Returns the address that authenticator apps read from a QR code. A colon separates issuer and account there, also an encoded
 * one, so neither contains any.
 */
export const otpauthUri = (
  secret: Buffer,
  { issuer, account }: { issuer: string; account: string },
): string => {
  const label = withoutColons(account);
  return new TOTP({
    ...PARAMETERS,
    issuer: withoutColons(issuer),
    label,
    secret: secretOf(secret),
  }).toString();
};

/** Also without the wide colons, which NFKC turns into a plain one. */
const withoutColons = (text: string): string => text.replaceAll(/\s*[:\uff1a\ufe55\ufe13]\s*/g, ' ').trim();

/**
 * Returns the time step of a code: of the current one and its neighbours the one that it belongs to; undefined for a
 * wrong code.
 * @param epochSeconds the time.
 */
export function timeStepOf(secret: Buffer, code: string, epochSeconds: number): number | undefined {
  if (!CODE_PATTERN.test(code)) return undefined;
  const timestamp = epochSeconds * 1000;
  const delta = TOTP.validate({
    ...PARAMETERS,
    secret: secretOf(secret),
    token: code,
    timestamp,
    window: DRIFT,
  });
  return delta === null ? undefined : TOTP.counter({ period: PARAMETERS.period, timestamp }) + delta;
}

const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });
