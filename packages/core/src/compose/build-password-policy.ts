import type { Logger } from '../kernel/logger.js';
import { PasswordPolicy, type BreachedPasswords } from '../passwords/password-policy.js';
import type { Settings } from '../settings/settings.js';

interface PasswordPolicyDeps {
  /** Undefined: no list is configured. */
  readonly breached: BreachedPasswords | undefined;
  readonly logger: Logger;
}

/** Builds the policy. Outside production the log reports each password that production would refuse. */
export const buildPasswordPolicy = (
  { passwords, brand, environment }: Settings,
  { breached, logger }: PasswordPolicyDeps,
): PasswordPolicy =>
  new PasswordPolicy({
    ...passwords,
    brandName: brand.name,
    breached,
    logger: environment === 'production' ? undefined : logger,
  });
