import { AuthError } from '../kernel/auth-error.js';
import type { ActClaim } from '../tokens/access-token-claims.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { PASSWORD_METHODS } from '../tokens/authentication-methods.js';
import { checkedExtraClaims, NO_EXTRA_CLAIMS, type ExtraClaims } from '../tokens/extra-claims.js';
import { GLOBAL_ROLES, type GlobalRole } from '../users/user.js';

/** The subject of an access token. */
export interface ClaimsSubject {
  userId: string;
  sessionId: string;
  /** As in the token: `NONE` while the session may not use the role, because staff must sign in with a second factor. */
  globalRole: GlobalRole;
  /** Time of the sign-in, seconds since the epoch. */
  authTime: number;
  /** Methods of the sign-in, in values of RFC 8176. */
  amr: readonly string[];
  /** Level of the sign-in: `aal2` with two factors. */
  acr: AuthenticationLevel;
  /** Who acts for the user in this session; undefined in one of the user's own. */
  act?: ActClaim | undefined;
}

/**
 * Function of a host app that returns additional claims of an access token: a plain object, at most 1 KiB as
 * JSON, without reserved names. It is called for each token, also for refreshed ones, so it is synchronous
 * and returns the same claims for the same subject.
 */
export type ClaimsFunction = (about: Readonly<ClaimsSubject>) => Record<string, unknown>;

/**
 * Returns the additional claims of a subject.
 * @throws AuthError `internal_error` when the function throws or returns what may not be in a token.
 */
export function claimsFor(claims: ClaimsFunction | undefined, subject: ClaimsSubject): ExtraClaims {
  if (claims === undefined) return NO_EXTRA_CLAIMS;
  try {
    return checkedExtraClaims(claims(frozenSubject(subject)));
  } catch (error) {
    throw new AuthError('internal_error', 'Something went wrong on our side.', { cause: error });
  }
}

/**
 * Calls the function for a made-up user of each role.
 * @throws TypeError that says what is wrong with it.
 */
export function assertClaimsFunction(claims: unknown): void {
  if (claims === undefined) return;
  if (typeof claims !== 'function') throw new TypeError(`createAuth: ${RIGHT_LINE}`);
  for (const globalRole of GLOBAL_ROLES) {
    try {
      checkedExtraClaims((claims as ClaimsFunction)(frozenSubject({ ...SAMPLE, globalRole })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `createAuth: claims failed for a sample user of role ${globalRole}: ${reason}. ${RIGHT_LINE}`;
      throw new TypeError(message, { cause: error });
    }
  }
}

const RIGHT_LINE =
  "claims must be a function such as ({ globalRole }) => ({ staff: globalRole !== 'NONE' }).";

const SAMPLE = {
  userId: '00000000-0000-7000-8000-000000000000',
  sessionId: '00000000-0000-7000-8000-000000000001',
  authTime: 1_700_000_000,
  amr: PASSWORD_METHODS,
  acr: 'aal1' as const,
};

/** Returns a frozen copy: the function can change neither the session nor the next token. */
const frozenSubject = ({ userId, sessionId, globalRole, authTime, amr, acr, act }: ClaimsSubject) =>
  Object.freeze({
    ...{ userId, sessionId, globalRole, authTime, amr: Object.freeze([...amr]), acr },
    ...(act && { act: Object.freeze({ sub: act.sub }) }),
  });
