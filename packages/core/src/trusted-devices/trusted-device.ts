/** Maximum number of trusted devices of a user; a new one replaces the oldest. */
export const MAX_TRUSTED_DEVICES = 10;

/** Maximum number of secrets of a browser, which several users may share. */
export const MAX_TRUSTED_USERS = 5;

/** A browser on which a user is not asked for a second factor. */
export interface TrustedDevice {
  id: string;
  /** Name of the device, such as "Chrome on macOS"; null if unknown. The client has chosen it. */
  label: string | null;
  /** The address of the last sign-in. */
  ipAddress: string | null;
  createdAt: Date;
  /** The last sign-in without a second factor; null before the first one. */
  lastUsedAt: Date | null;
  expiresAt: Date;
}

/** The secrets that a browser keeps after a device was trusted. */
export interface KeptDevices {
  /** The secrets of the browser, the new one first; those that are worth nothing any more are left out. */
  secrets: readonly string[];
  maxAgeSeconds: number;
}
