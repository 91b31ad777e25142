import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { withDeadline } from '../kernel/deadline.js';
import { ERROR_CODES } from '../kernel/error-code.js';
import type { HOOK_NAMES } from './before-hooks.js';

type HookName = (typeof HOOK_NAMES)[number];

/** Milliseconds a hook may take: with the work after it, a response still leaves within 5 seconds. */
const DEADLINE = 3_000;

/**
 * Runs a hook. Its argument is frozen: it decides whether the action happens, never with which input.
 * @throws the AuthError that the hook throws; `service_unavailable` if it takes too long; `internal_error`,
 * with the cause, for any other error.
 */
export async function runHook<Attempt extends object>(
  name: HookName,
  hook: (attempt: Readonly<Attempt>, client: Readonly<ClientInfo>) => void | Promise<void>,
  attempt: Attempt,
  client: ClientInfo,
): Promise<void> {
  const ask = async () => hook(Object.freeze(attempt), Object.freeze(withoutSecrets(client)));
  const answer = ask().catch((error: unknown) => {
    throw refusalOf(name, error);
  });
  await withDeadline(answer, DEADLINE, 'This cannot be decided at the moment.');
}

function refusalOf(name: HookName, thrown: unknown): AuthError {
  if (AuthError.is(thrown) && ERROR_CODES.includes(thrown.code)) return thrown;
  const cause = new Error(`The hook before.${name} failed.`, { cause: thrown });
  return new AuthError('internal_error', 'Something went wrong on our side.', { cause });
}

/** Code of the app gets what describes the client, and no secret of it. */
const withoutSecrets = ({ trustedDevices: _secrets, ...client }: ClientInfo): ClientInfo => client;
