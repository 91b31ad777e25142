import { providerMessages } from '../messages/en/external.js';
import { loginMessages as messages } from '../messages/en/login.js';
import { pendingLink } from './external-flow.js';
import { linkTo } from './keep-language.js';
import { pageData } from './page-data.js';

const { returnTo, brand } = pageData;

/** True if the target is an invitation, which creates the account of a new user itself. */
export const isForInvitation = returnTo?.split(/[?#]/)[0]?.endsWith('/accept-invitation') === true;

/** The account at another service that the user links by signing in here. */
const linking = /\/external\/callback\/[^/]+$/.test(returnTo ?? '') ? pendingLink.read() : undefined;

/** True if the user signs in as before, to link an account at another service. */
export const isForLink = linking !== undefined;

const otherPurpose = linking
  ? providerMessages.linkLead(linking.label)
  : messages.continueTo.replace('{brand}', () => brand);

/** The reason for a sign-in or a registration. */
export const purpose = isForInvitation ? messages.acceptInvitation : otherPurpose;

/** Returns the address of another page, with the target after it. @param name the last part of its path. */
export const withReturn = (name: string, parameters: Record<string, string> = {}): string =>
  linkTo(name, { ...parameters, ...(returnTo !== undefined && { returnTo }) });
