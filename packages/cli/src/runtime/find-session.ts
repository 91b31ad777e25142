import type { Administration, SessionDetailsView } from '@latchkey/operations';
import type { Call } from './call.js';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import type { Prompts } from './prompts.js';
import { relativeTime } from './relative-time.js';

/** Explains `[session]`, for help texts. */
export const SESSION_MEANING = 'session id or its first characters; asked for on a terminal';

/** Returns `[session]` of a command line; asks for it if it is missing. */
export const sessionArgument = async ({ args, prompts }: Call): Promise<string> =>
  args[0] ?? (await prompts.text('Which session (id or its first characters)?', '<session>'));

/**
 * Returns a session by its id or the first characters of it. Active sessions take precedence.
 * @throws CommandError for an unknown session, or if several match without a terminal.
 */
export async function findSession(
  { sessions }: Administration,
  text: string,
  prompts: Prompts,
): Promise<SessionDetailsView> {
  const found = await sessions.findByPrefix(text, CANDIDATES);
  const active = found.filter(({ state }) => state === 'active');
  return oneOf(text, active.length > 0 ? active : found, SESSION_KIND, prompts);
}

const SESSION_KIND: Kind<SessionDetailsView> = {
  singular: 'session',
  plural: 'sessions',
  list: 'latchkey sessions list',
  describe: (session) => {
    const { id, email, deviceName, state, lastUsedAt } = session;
    const use = state === 'active' ? `used ${relativeTime(lastUsedAt)}` : state;
    return [id, email, deviceName ?? '', use].filter((text) => text !== '').join('  ');
  },
};
