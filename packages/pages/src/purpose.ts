import type { Auth } from '@latchkey/core';
import { markup, type Markup } from './markup.js';
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';
import { ACCEPT_PATH, siblingPath } from './page-paths.js';

/** Returns the reason for a sign-in or a registration. @param returnTo the target after it, validated. */
export const purposeOf = (returnTo: string | undefined, { settings }: Auth, { login }: Messages): Markup =>
  isInvitation(returnTo)
    ? markup`${login.acceptInvitation}`
    : fillIn(login.continueTo, { brand: settings.brand.name });

/** Reports whether the target is an invitation, which creates the account of a new user itself. */
export const isInvitation = (returnTo: string | undefined): boolean =>
  returnTo?.split(/[?#]/)[0]?.endsWith(ACCEPT_PATH) === true;

/** Returns the address of a page relative to another page, with the target after it. */
export const linkWithReturn = (path: string, returnTo: string | undefined): string =>
  returnTo === undefined
    ? siblingPath(path)
    : `${siblingPath(path)}?returnTo=${encodeURIComponent(returnTo)}`;
