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

/** Returns whether services must be restarted before the waiting time of this key starts. */
export const awaitsRestart = ({ role, record }: RotatingKey): boolean =>
  (role === 'next' && record.publishedSince === undefined) ||
  (role === 'old' && record.unusedSince === undefined);
