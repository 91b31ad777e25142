import { removedTrustedDevices, trustedDeviceView } from '@latchkey/core/schemas';
import { example } from './example.js';

/** Examples of the responses about trusted devices. */
export const TRUSTED_DEVICE_EXAMPLES = [
  example(trustedDeviceView, {
    id: '01a1f913-5d14-7023-b417-5c4708406dd1',
    label: 'Chrome on macOS',
    ipAddress: '203.0.113.7',
    createdAt: '2026-11-20T13:09:18.235Z',
    lastUsedAt: '2026-11-21T08:30:00.000Z',
    expiresAt: '2026-12-20T13:09:18.235Z',
  }),
  example(removedTrustedDevices, { status: 'ok', removed: 2 }),
];
