import type { VerifyingAuth } from '@latchkey/core';
import { assertOptions, trueOrFalse, type OptionRule } from '../assert-options.js';

/**
 * How guards find out who is calling.
 * @example
 * ```ts
 * const options: GuardOptions = { check: 'hint', cookies: false };
 * app.use('/api', createGuards(auth, options).requireAuth);
 * ```
 */
export interface GuardOptions {
  /**
   * `database` sees every revocation that was acknowledged before the request, and reads the user. `hint` lets a fresh
   * hint of the ephemeral store answer instead, which is faster; while the store is away a revocation is seen when the
   * hint ends (`SESSION_CACHE_TTL`). `database` unless told otherwise.
   */
  check?: 'database' | 'hint';
  /** True: the access cookie counts, too, where there is no `Authorization` header. False unless told otherwise. */
  cookies?: boolean;
}

const CHECK: OptionRule = {
  allowed: "'database' or 'hint'",
  isAllowed: (value) => value === 'database' || value === 'hint',
};

/** @throws TypeError for unknown options and values, and for cookies where no client can have any. */
export function readGuardOptions(auth: VerifyingAuth, options: GuardOptions): Required<GuardOptions> {
  assertOptions('createGuards', options, { check: CHECK, cookies: trueOrFalse });
  const { check = 'database', cookies = false } = options;
  if (cookies && !auth.settings.http.cookieMode) {
    throw new TypeError(
      'createGuards: { cookies: true } needs cookie mode, which is off: set AUTH_WEB_COOKIE_MODE=true',
    );
  }
  return { check, cookies };
}
