import { loginMessages as messages } from '../messages/en/login.js';
import { linkTo } from './keep-language.js';
import { pageData } from './page-data.js';

const { returnTo, brand } = pageData;

/** True if the target is an invitation, which creates the account of a new user itself. */
export const isForInvitation = returnTo?.split(/[?#]/)[0]?.endsWith('/accept-invitation') === true;

/** The reason for a sign-in or a registration. */
export const purpose = isForInvitation
  ? messages.acceptInvitation
  : messages.continueTo.replace('{brand}', () => brand);

/** Returns the address of another page, with the target after it. @param name the last part of its path. */
export const withReturn = (name: string): string => linkTo(name, returnTo === undefined ? {} : { returnTo });
