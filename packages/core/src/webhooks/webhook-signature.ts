import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 5 * 60;

/** The signed parts of a message (Standard Webhooks). */
export interface SignedMessage {
  /** `webhook-id`: the same in every attempt. */
  readonly id: string;
  /** `webhook-timestamp`: seconds since the epoch, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns a new secret, and the form in which receivers configure it. */
export function generateWebhookSecret(): { bytes: Buffer; text: string } {
  const bytes = randomBytes(SECRET_BYTES);
  return { bytes, text: PREFIX + bytes.toString('base64') };
}

/** Returns `webhook-signature`: one signature for each secret. */
export const signatureOf = (message: SignedMessage, secrets: readonly Buffer[]): string =>
  secrets.map((secret) => `v1,${digestOf(message, secret).toString('base64')}`).join(' ');

/**
 * Returns whether one of the signatures was made with the secret, within five minutes.
 * @param secret with its prefix `whsec_`.
 * @param now in milliseconds; undefined for any time.
 * @throws TypeError for text that is not a secret.
 * @example
 * ```ts
 * const message = { id: 'delivery', timestamp: 1_795_593_600, body: '{}' };
 * const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
 * isSignedBy(message, 'v1,forged', secret); // → false
 * ```
 */
export function isSignedBy(
  message: SignedMessage,
  signatures: string,
  secret: string,
  now?: number,
): boolean {
  const key = secretOf(secret);
  const age = now === undefined ? 0 : Math.abs(now / 1000 - message.timestamp);
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = digestOf(message, key);
  return signatures.split(' ').some((signature) => {
    const [version, digest = ''] = signature.split(',');
    const given = Buffer.from(digest, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function secretOf(text: string): Buffer {
  const digits = text.trim().startsWith(PREFIX) ? text.trim().slice(PREFIX.length) : undefined;
  const bytes = digits === undefined ? undefined : Buffer.from(digits, 'base64');
  if (!bytes || bytes.toString('base64') !== digits || bytes.length < 24)
    throw new TypeError('A secret begins with whsec_, followed by base64.');
  return bytes;
}

const digestOf = ({ id, timestamp, body }: SignedMessage, secret: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest();
