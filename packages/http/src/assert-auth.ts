import type { Auth, VerifyingAuth } from '@latchkey/core';

/** Common mistakes, each with its message. */
const MISTAKES: readonly { matches: (given: object) => boolean; message: string }[] = [
  { matches: (given) => 'then' in given, message: 'auth is a Promise; await it' },
  {
    matches: (given) => 'http' in given && 'tokens' in given,
    message: 'auth is the settings, not the result of createAuth',
  },
];

const NOT_AN_AUTH = 'auth is not the result of createAuth';

/**
 * Checks `auth` when the app is assembled, not at the first request.
 * @param usage the correct line of code, for the message.
 * @throws TypeError unless `auth` is the result of `createAuth` and is still open.
 */
export function assertAuth(auth: unknown, usage: string): asserts auth is Auth {
  const fault =
    faultOf(auth) ??
    (hasUseCases(auth) ? undefined : 'auth was created with verifyOnly and supports guards only');
  if (fault !== undefined) throw new TypeError(`${fault}. Write: ${usage}`);
}

/**
 * Does the same for functions that also accept an `auth` created with `verifyOnly`.
 * @throws TypeError
 */
export function assertVerifyingAuth(auth: unknown, usage: string): asserts auth is VerifyingAuth {
  const fault = faultOf(auth);
  if (fault !== undefined) throw new TypeError(`${fault}. Write: ${usage}`);
}

const hasUseCases = (auth: unknown): boolean => typeof auth === 'object' && auth !== null && 'login' in auth;

function faultOf(auth: unknown): string | undefined {
  if (auth === undefined || auth === null) return 'auth is missing';
  if (typeof auth !== 'object') return NOT_AN_AUTH;
  if (isAuth(auth)) return auth.isClosed ? 'auth has been closed; create a new one' : undefined;
  return MISTAKES.find(({ matches }) => matches(auth))?.message ?? NOT_AN_AUTH;
}

const isAuth = (given: object): given is VerifyingAuth => 'authenticator' in given && 'close' in given;
