import type { Command } from 'commander';
import type { SessionView } from '@latchkey/core';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { companyId } from '../../runtime/company-id.js';
import { withAdministration } from '../../runtime/connection.js';
import { findUser } from '../../runtime/find-user.js';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';
import { placeText } from './place-text.js';

export function addListSessions(sessions: Command, terminal: Terminal): void {
  const command = sessions
    .command('list')
    .description('List active sessions, newest first.')
    .option('--user <user>', 'only of this user (id or email, or its first characters)')
    .option('--company <id>', 'only of active members of this company')
    .option('--search <text>', 'only of users with this prefix of the email or part of the name')
    .option('--ip <address>', 'only from this IP address or network, such as 192.0.2.0/24');
  withCommonOptions(withPageOptions(command), {
    json: 'array of sessions, as GET /internal/admin/sessions returns them',
    quiet: 'print only the ids',
    notes:
      'Without a terminal: id, user id, email, device, address, created, last used, expiry, and as JSON who acts for the user and the place, separated by tabs.',
    examples: [
      ['latchkey sessions list --user ada@example.com', 'where a user is signed in'],
      ['latchkey sessions list --ip 192.0.2.0/24', 'from one network'],
      ['latchkey sessions list --limit 1000 --json', 'for a program'],
    ],
  }).action(action(terminal, listSessions));
}

async function listSessions(
  call: Call<PageOptions & { user?: string; company?: string; search?: string; ip?: string }>,
): Promise<void> {
  const { user, company, search, ip, limit, offset } = call.options;
  const inCompany =
    company === undefined ? undefined : await companyId(company, '--company <id>', call.prompts);
  await withAdministration(call, async ({ administration }) => {
    const userId = user === undefined ? undefined : (await findUser(administration, user, call.prompts)).id;
    const filter = { userId, companyId: inCompany, search, ipAddress: ip };
    call.output.list(await administration.sessions.list(filter, { limit, offset }), SESSION_LIST);
  });
}

/** Returns who acts in the session for its user; an empty text for the user. */
const actorOf = ({ actor }: SessionView): string =>
  actor === undefined ? '' : (actor.name ?? actor.userId ?? 'erased');

/** Returns the address with its approximate place, if that is known. */
const addressOf = ({ ipAddress, place }: SessionView): string =>
  [ipAddress, place && `(${placeText(place)})`].filter(Boolean).join(' ');

const SESSION_LIST: ListFormat<SessionView> = {
  noun: 'active sessions',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink', least: 20 },
    { title: 'LAST USED', text: ({ lastUsedAt }) => relativeTime(lastUsedAt) },
    {
      title: 'DEVICE',
      text: ({ deviceName, userAgent }) => deviceName ?? userAgent ?? '',
      whenNarrow: 'drop',
      least: 14,
    },
    { title: 'ACTED BY', text: actorOf, whenNarrow: 'drop', least: 14 },
    { title: 'ADDRESS', text: addressOf, whenNarrow: 'drop', least: 16 },
    { title: 'EXPIRES', text: ({ expiresAt }) => relativeTime(expiresAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: [
    'id',
    'userId',
    'email',
    'deviceName',
    'ipAddress',
    'createdAt',
    'lastUsedAt',
    'expiresAt',
    'actor',
    'place',
  ],
  id: ({ id }) => id,
};
