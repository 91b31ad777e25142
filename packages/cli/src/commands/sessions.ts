import type { Command } from 'commander';
import type { SessionView } from '@latchkey/core';
import { action, type Call } from '../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../runtime/command-options.js';
import { withAdministration } from '../runtime/connection.js';
import { CommandError, EXIT } from '../runtime/failure.js';
import { countSessions, findUser, sessionsInWords, userArgument } from '../runtime/find-user.js';
import type { ListFormat } from '../runtime/output.js';
import { relativeTime } from '../runtime/relative-time.js';
import type { Terminal } from '../runtime/terminal.js';

export function addSessionsCommands(program: Command, terminal: Terminal): void {
  const sessions = program.command('sessions').helpCommand(false).description('List sessions and end them.');
  addList(sessions, terminal);
  addRevoke(sessions, terminal);
  addRevokeAll(sessions, terminal);
}

function addList(sessions: Command, terminal: Terminal): void {
  const command = sessions
    .command('list')
    .description('List active sessions, newest first.')
    .option('--user <user>', 'only of this user (id or email)');
  withCommonOptions(withPageOptions(command), {
    json: 'array of sessions, as GET /internal/admin/sessions answers',
    quiet: 'print the ids only',
    notes:
      'Without a terminal: id, user id, email, device, address, created, last used and expiry, separated by tabs.',
    examples: [
      ['latchkey sessions list --user ada@example.com', 'where somebody is signed in'],
      ['latchkey sessions list --limit 1000 --json', 'for a program'],
    ],
  }).action(action(terminal, listSessions));
}

async function listSessions(call: Call<PageOptions & { user?: string }>): Promise<void> {
  const { user, limit, offset } = call.options;
  await withAdministration(call, async ({ administration }) => {
    const userId = user === undefined ? undefined : (await findUser(administration, user)).id;
    const found = await administration.sessionAdministration.list({ userId }, { limit, offset });
    call.output.list(found, SESSION_LIST);
  });
}

function addRevoke(sessions: Command, terminal: Terminal): void {
  withCommonOptions(
    sessions
      .command('revoke')
      .argument('[session]', 'session id; asked for on a terminal')
      .description('End one session. Its access and refresh tokens stop working at once.'),
    {
      json: "{ status: 'ok' }",
      quiet: 'print nothing',
      confirms: true,
      notes: 'Ending a session that has ended already is no error.',
      examples: [
        ['latchkey sessions revoke 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', 'the id is in sessions list'],
      ],
    },
  ).action(action(terminal, revoke));
}

async function revoke(call: Call): Promise<void> {
  const given = call.args[0] ?? (await call.prompts.text('Which session (id)?', '<session>'));
  const { AuthError, isUuid } = await import('@latchkey/core');
  if (!isUuid(given)) throw CommandError.usage(`"${given}" is no session id.`, 'See: latchkey sessions list');
  await withAdministration(call, async ({ administration, operator, client }) => {
    await call.prompts.confirm(`End the session ${given}? Whoever uses it is signed out at once.`);
    try {
      const view = await administration.sessionAdministration.revoke(operator, given.toLowerCase(), client);
      call.output.answer({ view, text: 'The session is ended.' });
    } catch (error) {
      if (!(error instanceof AuthError) || error.code !== 'not_found') throw error;
      throw new CommandError(EXIT.notFound, `There is no session ${given}.`, 'See: latchkey sessions list');
    }
  });
}

function addRevokeAll(sessions: Command, terminal: Terminal): void {
  withCommonOptions(
    sessions
      .command('revoke-all')
      .argument('[user]', 'id or email; asked for on a terminal')
      .description('End all sessions of a user. They can sign in again.'),
    {
      json: "{ status: 'ok', revoked: number }",
      quiet: 'print nothing',
      confirms: true,
      notes: 'To keep them out, too: latchkey users deactivate',
      examples: [['latchkey sessions revoke-all ada@example.com --yes', 'after a laptop was lost']],
    },
  ).action(action(terminal, revokeAll));
}

async function revokeAll(call: Call): Promise<void> {
  const named = await userArgument(call);
  await withAdministration(call, async ({ administration, operator, client }) => {
    const user = await findUser(administration, named);
    const sessions = await countSessions(administration, user.id);
    if (sessions > 0) await call.prompts.confirm(questionFor(user.email, sessions));
    const view = await administration.sessionAdministration.revokeAll(operator, user.id, client);
    call.output.answer({ view, text: `Ended ${sessionsInWords(view.revoked)} of ${user.email}.` });
  });
}

const questionFor = (email: string, sessions: number): string =>
  `End ${sessionsInWords(sessions)} of ${email}? They are signed out everywhere at once.`;

const SESSION_LIST: ListFormat<SessionView> = {
  noun: 'active sessions',
  columns: [
    { title: 'ID', text: ({ id }) => id },
    { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
    { title: 'LAST USED', text: ({ lastUsedAt }) => relativeTime(lastUsedAt) },
    {
      title: 'DEVICE',
      text: ({ deviceName, userAgent }) => deviceName ?? userAgent ?? '',
      whenNarrow: 'drop',
    },
    { title: 'ADDRESS', text: ({ ipAddress }) => ipAddress ?? '', whenNarrow: 'drop' },
    { title: 'EXPIRES', text: ({ expiresAt }) => relativeTime(expiresAt), whenNarrow: 'drop' },
  ],
  fields: ['id', 'userId', 'email', 'deviceName', 'ipAddress', 'createdAt', 'lastUsedAt', 'expiresAt'],
  id: ({ id }) => id,
};
