import type { Settings, TrustedActor } from '@latchkey/core';
import { CommandError } from './failure.js';
import { osAccount, sharedAccount, type OsAccount } from './os-account.js';

/**
 * Returns the person at the shell, as audit rows name them: `cli:alice`.
 * @param given the value of `--as`.
 * @throws CommandError in production if no name was given and the account is shared by several people.
 */
export function operatorOf(
  settings: Pick<Settings, 'environment' | 'operatorName'>,
  given: string | undefined,
  account: OsAccount = osAccount(),
): TrustedActor {
  const named = given ?? settings.operatorName;
  if (named !== undefined) return { kind: 'operator', name: named };
  const shared = settings.environment === 'production' ? sharedAccount(account) : undefined;
  if (shared === undefined) return { kind: 'operator', name: account.username };
  throw CommandError.usage(
    `The audit log needs your name, and ${account.username} is ${shared}.`,
    'Add --as <your name>, or set LATCHKEY_OPERATOR.',
  );
}
