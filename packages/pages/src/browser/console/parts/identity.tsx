import type { JSX } from 'preact';
import { hrefOf } from '../router.js';
import { Email } from './email.js';
import { Link } from './link.js';
import { Avatar } from './pill.js';

/** A user in a list: the main control of the record, which opens the user. */
export const Identity = ({
  user,
}: {
  user: { id: string; email: string; fullName?: string | null; profilePictureUrl?: string | undefined };
}): JSX.Element => (
  <span class="who">
    <Avatar user={user} />
    <span class="who-text">
      <Link href={hrefOf(`users/${user.id}`)} isMain class="who-name">
        {user.fullName ?? <Email text={user.email} />}
      </Link>
      {user.fullName && (
        <span class="quiet">
          <Email text={user.email} />
        </span>
      )}
    </span>
  </span>
);
