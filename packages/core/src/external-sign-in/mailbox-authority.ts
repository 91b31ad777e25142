import type { ExternalProviderType } from '../settings/external-provider-settings.js';

const GMAIL = 'gmail.com';

/**
 * Returns whether a provider decides who has the mailbox of the address in these claims: Google for its own mail and for
 * organizations that have it, Microsoft for domains that the tenant has proved. No other provider does, whatever it claims: an
 * address that was verified once may belong to another person by now. `hd` is the domain of an organization at Google; `xms_edov` says
 * that the tenant owns the domain of the address.
 */
export function provesMailbox(
  type: ExternalProviderType,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  const { email } = claims;
  if (typeof email !== 'string') return false;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (type === 'google')
    return claims.email_verified === true && (domain === GMAIL || isHosted(claims.hd, domain));
  if (type === 'microsoft') return TRUE.has(claims.xms_edov);
  return false;
}

const isHosted = (hosted: unknown, domain: string): boolean =>
  typeof hosted === 'string' && hosted !== '' && hosted.toLowerCase() === domain;

/** Microsoft documents a boolean, and sends numbers and texts as well. */
const TRUE = new Set<unknown>([true, 1, '1', 'true']);
