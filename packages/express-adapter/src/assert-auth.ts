import type { Auth, VerifyingAuth } from '@latchkey/core';

/** What else people hand over, and what is wrong with it. */
const MISTAKES: readonly { isIt: (given: object) => boolean; told: string }[] = [
  { isIt: (given) => 'then' in given, told: 'auth is a Promise, which is not awaited yet' },
  {
    isIt: (given) => 'http' in given && 'tokens' in given,
    told: 'these are the settings, not what is made of them',
  },
];

/**
 * Wrong wiring is told when the app is put together, not at the first request.
 * @param usage the right line of code.
 * @throws TypeError unless `auth` is what `createAuth` gave and is open still.
 */
export function assertAuth(auth: unknown, usage: string): asserts auth is Auth {
  const fault = faultOf(auth) ?? (hasUseCases(auth) ? undefined : 'this auth only verifies, for guards');
  if (fault !== undefined) throw new TypeError(`${fault}. Write: ${usage}`);
}

/** The same for what an `auth` with `verifyOnly` can do, too. */
export function assertVerifyingAuth(auth: unknown, usage: string): asserts auth is VerifyingAuth {
  const fault = faultOf(auth);
  if (fault !== undefined) throw new TypeError(`${fault}. Write: ${usage}`);
}

const hasUseCases = (auth: unknown): boolean => typeof auth === 'object' && auth !== null && 'login' in auth;

function faultOf(auth: unknown): string | undefined {
  if (auth === undefined || auth === null) return 'auth is missing';
  if (typeof auth !== 'object') return 'auth is not what createAuth gives';
  if (isAuth(auth)) return auth.isClosed ? 'this auth has been closed; open another one' : undefined;
  return MISTAKES.find(({ isIt }) => isIt(auth))?.told ?? 'auth is not what createAuth gives';
}

const isAuth = (given: object): given is VerifyingAuth => 'authenticator' in given && 'close' in given;
