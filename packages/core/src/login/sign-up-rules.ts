import { AuthError } from '../kernel/auth-error.js';

/** The domains whose addresses may register. `*.example.com` stands for all domains below example.com. */
export interface SignUpRules {
  /** Empty: all that are not blocked. */
  readonly domains: readonly string[];
  readonly blockedDomains: readonly string[];
}

/**
 * Throws unless users with this address may create an account themselves.
 * @param email in its canonical form.
 * @throws AuthError `forbidden`, reason `email_not_allowed`.
 */
export function assertAllowedDomain(email: string, { domains, blockedDomains }: SignUpRules): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const isIn = (list: readonly string[]): boolean => list.some((each) => covers(each, domain));
  if ((domains.length === 0 || isIn(domains)) && !isIn(blockedDomains)) return;
  throw new AuthError(
    'forbidden',
    'Addresses of this domain cannot register here. Use another address, or ask for an invitation.',
    {
      reason: 'email_not_allowed',
    },
  );
}

const covers = (rule: string, domain: string): boolean =>
  rule.startsWith('*.') ? domain.endsWith(rule.slice(1)) : domain === rule;
