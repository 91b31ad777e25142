import { ProfilePictureRepository } from '../../../packages/core/src/profile-pictures/profile-picture-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { UserRepository } from '../../../packages/core/src/users/user-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const id = '0123456789abcdef'.repeat(2);
const picture = { id, contentType: 'image/png', content: Buffer.alloc(1), width: 32, height: 32 } as const;

/** Pictures that users have uploaded. */
export function pictureLookups(database: Database): Lookup[] {
  const pictures = new ProfilePictureRepository(database);
  const users = new UserRepository(database);
  return [
    { name: 'a picture by its address', run: () => pictures.findById(id) },
    {
      name: 'upload and removal of a picture',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await pictures.put(userId, picture, trx);
          await users.update(userId, { profilePictureUrl: `/${id}` }, { raiseTokenVersion: false }, trx);
          await pictures.remove(userId, trx);
        }),
    },
  ];
}
