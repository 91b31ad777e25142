/** What is known of the life of a key: ISO 8601 times. */
export interface KeyRecord {
  madeAt?: string | undefined;
  /** Since then every service publishes it. */
  publishedSince?: string | undefined;
  /** Since then it is the key that signs. */
  signsSince?: string | undefined;
  /** Since then no service signs with it any more. */
  unusedSince?: string | undefined;
}

/** `signing` signs, `next` is about to, `old` did. */
export type KeyRole = 'signing' | 'next' | 'old';

/** A key in the folder of a rotation. */
export interface RotatingKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  bits: number;
  role: KeyRole;
  isPrivate: boolean;
  /** PKCS#8, or SPKI of a key whose private half is not there. */
  pem: string;
  record: KeyRecord;
}

/**
 * The part of a key that does not sign: next, if it was made here and never signed. One of which nothing is known
 * counts as old, because to keep it until its time has passed does no harm.
 */
export const roleOfOther = ({ madeAt, signsSince }: KeyRecord): KeyRole =>
  madeAt !== undefined && signsSince === undefined ? 'next' : 'old';

/** Whether the services have yet to be restarted, so that the times of this key begin to run. */
export const awaitsRestart = ({ role, record }: RotatingKey): boolean =>
  (role === 'next' && record.publishedSince === undefined) ||
  (role === 'old' && record.unusedSince === undefined);
