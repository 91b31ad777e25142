import type { MachineUserView } from '@latchkey/core';
import type { Administration } from '@latchkey/core/administration';
import type { Call } from './call.js';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import type { Prompts } from './prompts.js';

/** What `[user]` takes, for help texts. */
export const USER_MEANING = 'id, email, or the prefix of one; asked for on a terminal';

/** The `[user]` of a command line, asked for when it was left out. */
export async function userArgument({ args, prompts }: Call): Promise<string> {
  return args[0] ?? (await prompts.text('Which user (id, email or the prefix of one)?', '<user>'));
}

/**
 * A user by id, email or the prefix of either.
 * @throws CommandError for an unknown user, and for a prefix that several share where nobody can be asked.
 */
export async function findUser(
  { users }: Administration,
  text: string,
  prompts: Prompts,
): Promise<MachineUserView> {
  return oneOf(text, await users.findByPrefix(text, CANDIDATES), USER_KIND, prompts);
}

const USER_KIND: Kind<MachineUserView> = {
  singular: 'user',
  plural: 'users',
  list: 'latchkey users list',
  describe: ({ id, email, fullName }) => `${id}  ${email}  ${fullName ?? ''}`.trimEnd(),
};

/** How many active sessions a user has: what would end. */
export async function countSessions(
  { sessionAdministration }: Administration,
  userId: string,
): Promise<number> {
  const { total } = await sessionAdministration.listOfUser(userId, { limit: 1, offset: 0 });
  return total;
}

/** How many passkeys a user has. */
export async function countPasskeys(
  { passkeyAdministration }: Administration,
  userId: string,
): Promise<number> {
  const { total } = await passkeyAdministration.listOfUser(userId, { limit: 1, offset: 0 });
  return total;
}

/** `1 session`, `3 sessions`. */
