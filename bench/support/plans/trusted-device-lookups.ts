import { newId } from '../../../packages/core/src/kernel/id.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { TrustedDeviceRepository } from '../../../packages/core/src/trusted-devices/trusted-device-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const digest = Buffer.alloc(32, 6);

/** Browsers that are not asked for a second factor. */
export function trustedDeviceLookups(database: Database): Lookup[] {
  const devices = new TrustedDeviceRepository(database);
  return [
    { name: 'users with trusted devices', run: ({ userId }) => devices.usersAfter(userId, 200) },
    { name: 'trusted devices of a user', run: ({ userId }) => devices.list(userId) },
    {
      name: 'use and removal of a trusted device',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const device = {
            id: newId(),
            userId,
            secretDigest: digest,
            label: null,
            ipAddress: null,
            days: 30,
          };
          await devices.add(device, [digest], trx);
          await devices.use(userId, { secretDigests: [digest], ipAddress: null }, trx);
          await devices.findLive([digest], trx);
          await devices.remove(device.id, userId, trx);
          await devices.removeAll(userId, trx);
        }),
    },
  ];
}
