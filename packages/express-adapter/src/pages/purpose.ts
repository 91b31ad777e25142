import type { Auth } from '@latchkey/core';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { ACCEPT_PATH, siblingPath } from './page-paths.js';

/** Returns the reason for a sign-in or a registration. @param returnTo the target after it, validated. */
export function purposeOf(returnTo: string | undefined, { settings }: Auth, { login }: Messages): Markup {
  const path = returnTo?.split(/[?#]/)[0];
  return path?.endsWith(ACCEPT_PATH) === true
    ? markup`${login.acceptInvitation}`
    : fillIn(login.continueTo, { brand: settings.brand.name });
}

/** Returns the address of a page relative to another page, with the target after it. */
export const linkWithReturn = (path: string, returnTo: string | undefined): string =>
  returnTo === undefined
    ? siblingPath(path)
    : `${siblingPath(path)}?returnTo=${encodeURIComponent(returnTo)}`;
