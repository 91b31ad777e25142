/** Recorded times of a key, in ISO 8601. */
export interface KeyRecord {
  madeAt?: string | undefined;
  /** Time since which every service publishes it. */
  publishedSince?: string | undefined;
  /** Time since which it is the signing key. */
  signsSince?: string | undefined;
  /** Time since which no service signs with it. */
  unusedSince?: string | undefined;
}

/** `signing` is the current signing key, `next` will be, `old` was. */
export type KeyRole = 'signing' | 'next' | 'old';

/** A key in the rotation folder. */
export interface RotatingKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  bits: number;
  role: KeyRole;
  isPrivate: boolean;
  /** PKCS#8, or SPKI if the private half is missing. */
  pem: string;
  record: KeyRecord;
}

/**
 * Returns the role of a key that is not the signing key: `next` if it was generated here and never signed. A key without a
 * record is `old`, because keeping it until its time has passed is safe.
 */
export const roleOfOther = ({ madeAt, signsSince }: KeyRecord): KeyRole =>
  madeAt !== undefined && signsSince === undefined ? 'next' : 'old';

/** Returns whether services must be restarted before the waiting time of this key starts. */
export const awaitsRestart = ({ role, record }: RotatingKey): boolean =>
  (role === 'next' && record.publishedSince === undefined) ||
  (role === 'old' && record.unusedSince === undefined);
