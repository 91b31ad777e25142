import { z } from 'zod';
import type { TrustedDevice } from './trusted-device.js';

const timestamp = z.iso.datetime();

/** Schema of a trusted device. */
export const trustedDeviceView = z
  .object({
    id: z.guid(),
    /** Name of the device, such as "Chrome on macOS"; null if unknown. */
    label: z.string().nullable(),
    /** The address of the last sign-in. */
    ipAddress: z.string().nullable(),
    createdAt: timestamp,
    /** The last sign-in without a second factor. */
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp,
  })
  .meta({ id: 'TrustedDevice' });
/** A browser on which the user is not asked for a second factor; times in ISO 8601. */
export type TrustedDeviceView = z.output<typeof trustedDeviceView>;

/** Schema of the number of removed trusted devices. */
export const removedTrustedDevices = z
  .object({ status: z.literal('ok'), removed: z.int().min(0) })
  .meta({ id: 'RemovedTrustedDevices' });
/** The number of trusted devices that were removed. */
export type RemovedTrustedDevices = z.output<typeof removedTrustedDevices>;

export const toTrustedDeviceView = ({
  createdAt,
  lastUsedAt,
  expiresAt,
  ...device
}: TrustedDevice): TrustedDeviceView => ({
  ...device,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  expiresAt: expiresAt.toISOString(),
});
