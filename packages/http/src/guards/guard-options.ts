import type { VerifyingAuth } from '@latchkey/core';
import { assertOptions, trueOrFalse, type OptionRule } from '@latchkey/core/settings';

/** Options for the authentication of callers by guards. */
export interface GuardOptions {
  /**
   * `database` sees every revocation that was acknowledged before the request, and reads the user. `hint` accepts a fresh
   * hint of the ephemeral store instead, which is faster; while the store is unavailable, a revocation takes effect when
   * the hint expires (`SESSION_CACHE_TTL`). Defaults to `database`.
   */
  check?: 'database' | 'hint';
  /** True also accepts the access cookie when there is no `Authorization` header. Defaults to false. */
  cookies?: boolean;
  /**
   * True also accepts API keys. Guards of roles and of sign-ins never do: a key has neither. Defaults to false.
   */
  apiKeys?: boolean;
}

const CHECK: OptionRule = {
  allowed: "'database' or 'hint'",
  isAllowed: (value) => value === 'database' || value === 'hint',
};

/**
 * Validates options and applies the defaults.
 * @param others rules for what a host takes beside them.
 * @throws TypeError for unknown options and values, and for `cookies` while cookie mode is off.
 */
export function readGuardOptions(
  auth: VerifyingAuth,
  options: GuardOptions,
  others: Readonly<Record<string, OptionRule>> = {},
): Required<GuardOptions> {
  const rules = { check: CHECK, cookies: trueOrFalse, apiKeys: trueOrFalse, ...others };
  assertOptions({ name: 'createGuards', before: 'auth, ' }, options, rules);
  const { check = 'database', cookies = false, apiKeys = false } = options;
  if (cookies && !auth.settings.http.cookieMode) {
    throw new TypeError(
      'createGuards: { cookies: true } requires cookie mode, which is off: set AUTH_WEB_COOKIE_MODE=true',
    );
  }
  return { check, cookies, apiKeys };
}
