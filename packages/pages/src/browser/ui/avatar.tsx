import type { VNode } from 'preact';
import { Picture } from './picture.js';

/** The picture of a user, or the first letter of the name. */
export const Avatar = ({
  user,
  size,
}: {
  user: { name: string | null; email: string; profilePictureUrl?: string | undefined };
  size?: 'large';
}): VNode => (
  <span class={`avatar ${size ?? ''}`} aria-hidden="true">
    <Picture url={user.profilePictureUrl}>{(user.name ?? user.email).trim().charAt(0).toUpperCase()}</Picture>
  </span>
);
