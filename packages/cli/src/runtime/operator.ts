import { hostname } from 'node:os';
import type { ClientInfo, Settings, TrustedActor } from '@latchkey/core';
import { version } from '../version.js';
import { CommandError } from './failure.js';
import { osAccount, sharedAccount, type OsAccount } from './os-account.js';

const MAX_USER_AGENT = 256;

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

/** @throws CommandError for a text that is not a name. */
export async function assertOperatorName(given: string | undefined): Promise<void> {
  if (given === undefined) return;
  const { isOperatorName, OPERATOR_NAME_RULE } = await import('@latchkey/core/settings');
  if (!isOperatorName(given)) throw CommandError.usage(`--as takes a name: ${OPERATOR_NAME_RULE}.`);
}

/** Returns the host of the command, for the audit row. */
export const operatorClient = (): ClientInfo => ({
  ipAddress: null,
  userAgent: `latchkey-cli/${version} (${hostname()})`.slice(0, MAX_USER_AGENT),
  deviceName: null,
  requestId: null,
});
