import type { Administration, MachineUserView } from '@latchkey/core';
import type { Call } from './call.js';
import { CommandError, EXIT } from './failure.js';

/** The `[user]` of a command line, asked for when it was left out. */
export async function userArgument({ args, prompts }: Call): Promise<string> {
  return args[0] ?? (await prompts.text('Which user (id or email)?', '<user>'));
}

/** A user by id or email. @throws CommandError for a text that is neither, and for an unknown user. */
export async function findUser({ users }: Administration, text: string): Promise<MachineUserView> {
  const { AuthError, canonicalEmail, isUuid } = await import('@latchkey/core');
  const email = canonicalEmail(text);
  if (!isUuid(text) && email === undefined) {
    throw CommandError.usage(
      `"${text}" is neither a user id nor an email address.`,
      'See: latchkey users list',
    );
  }
  try {
    return email === undefined ? await users.get(text.toLowerCase()) : await users.getByEmail(email);
  } catch (error) {
    if (!(error instanceof AuthError) || error.code !== 'not_found') throw error;
    throw new CommandError(EXIT.notFound, `There is no user ${text}.`, 'See: latchkey users list');
  }
}

/** How many active sessions a user has: what would end. */
export async function countSessions(
  { sessionAdministration }: Administration,
  userId: string,
): Promise<number> {
  const { total } = await sessionAdministration.listOfUser(userId, { limit: 1, offset: 0 });
  return total;
}

/** `1 session`, `3 sessions`. */
export const sessionsInWords = (count: number): string => (count === 1 ? '1 session' : `${count} sessions`);
