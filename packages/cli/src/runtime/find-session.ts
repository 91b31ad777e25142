import type { Administration, SessionDetailsView } from '@latchkey/core/administration';
import type { Call } from './call.js';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import type { Prompts } from './prompts.js';
import { relativeTime } from './relative-time.js';

/** What `[session]` takes, for help texts. */
export const SESSION_MEANING = 'session id, or the prefix of it; asked for on a terminal';

/** The `[session]` of a command line, asked for when it was left out. */
export const sessionArgument = async ({ args, prompts }: Call): Promise<string> =>
  args[0] ?? (await prompts.text('Which session (id or its prefix)?', '<session>'));

/**
 * A session by its id or the prefix of it. While active ones begin so, the others are not meant.
 * @throws CommandError for an unknown session, and for a prefix that several share where nobody can be asked.
 */
export async function findSession(
  { sessionAdministration }: Administration,
  text: string,
  prompts: Prompts,
): Promise<SessionDetailsView> {
  const found = await sessionAdministration.findByPrefix(text, CANDIDATES);
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
