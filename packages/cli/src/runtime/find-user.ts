import type { ListTotal, MachineUserView } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import type { Call } from './call.js';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import type { Prompts } from './prompts.js';

/** Explains `[user]`, for help texts. */
export const USER_MEANING = 'id or email, or its first characters; asked for on a terminal';

/** Returns `[user]` of a command line; asks for it if it is missing. */
export async function userArgument({ args, prompts }: Call): Promise<string> {
  return args[0] ?? (await prompts.text('Which user (id or email, or its first characters)?', '<user>'));
}

/**
 * Returns a user by id or email, or the first characters of either.
 * @throws CommandError for an unknown user, or if several match without a terminal.
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

/** Returns the number of a user's active sessions. */
export const countSessions = ({ sessions }: Administration, userId: string): Promise<ListTotal> =>
  sessions.listOfUser(userId, { limit: 1, offset: 0 });

/** Returns the number of a user's passkeys. */
export async function countPasskeys({ passkeys }: Administration, userId: string): Promise<number> {
  const { total } = await passkeys.listOfUser(userId, { limit: 1, offset: 0 });
  return total;
}

/** `1 session`, `3 sessions`. */
