import type { Command } from 'commander';
import type { ListTotal } from '@latchkey/core';
import type { SessionDetailsView } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration, withOperator } from '../../runtime/connection.js';
import { countOf, statText } from '../../runtime/count-words.js';
import { findSession, sessionArgument, SESSION_MEANING } from '../../runtime/find-session.js';
import { countSessions, findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { ABOUT_IDS } from '../../runtime/one-of.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';
import { addListSessions } from './list-sessions.js';
import { assertNoReason, revokeEveryone, type EveryoneOptions } from './revoke-everyone.js';
import { addShowSession } from './show-session.js';

export function addSessionsCommands(program: Command, terminal: Terminal): void {
  const sessions = program
    .command('sessions')
    .helpCommand(false)
    .description('List, count, show and end sessions.');
  addListSessions(sessions, terminal);
  addShowSession(sessions, terminal);
  addStats(sessions, terminal);
  addRevoke(sessions, terminal);
  addRevokeAll(sessions, terminal);
}

function addStats(sessions: Command, terminal: Terminal): void {
  withCommonOptions(
    sessions.command('stats').description('Count active sessions and the users who have one.'),
    {
      json: '{ connectedUsers: number, activeSessions: number, isEstimate?: true }, as GET /internal/admin/session-stats returns it',
      quiet: 'print only the number of active sessions',
      examples: [
        ['latchkey sessions stats', 'before maintenance: the number of affected users'],
        ['latchkey sessions stats --json', 'for a program'],
      ],
    },
  ).action(action(terminal, stats));
}

async function stats(call: Call): Promise<void> {
  await withAdministration(call, async ({ administration }) => {
    const view = await administration.sessions.stats();
    const details = [
      { label: 'active sessions', text: statText(view.activeSessions, view) },
      { label: 'connected users', text: statText(view.connectedUsers, view) },
    ];
    call.output.details({ view, details, id: String(view.activeSessions) });
  });
}

function addRevoke(sessions: Command, terminal: Terminal): void {
  withCommonOptions(
    sessions
      .command('revoke')
      .argument('[session]', SESSION_MEANING)
      .description('End one session. Its access and refresh tokens stop working at once.'),
    {
      json: "{ status: 'ok' }",
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes: `Ending a session that has already ended is not an error. ${ABOUT_IDS}`,
      examples: [
        [
          'latchkey sessions revoke 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
          'the id is listed by sessions list',
        ],
        [
          'latchkey sessions revoke 01981f3e-5c1a --yes',
          'by the first characters of the id, without confirmation',
        ],
      ],
    },
  ).action(action(terminal, revoke));
}

async function revoke(call: Call): Promise<void> {
  const given = await sessionArgument(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    const session = await findSession(administration, given, call.prompts);
    const isActive = session.state === 'active';
    if (isActive) await call.prompts.confirm(questionForOne(session));
    const view = await administration.sessions.revoke(operator, session.id, client);
    const done = isActive ? 'has been ended' : 'had already ended';
    call.output.answer({ view, text: `The session of ${session.email} ${done}.` });
  });
}

const questionForOne = ({ email, deviceName, lastUsedAt }: SessionDetailsView): string =>
  `End the session of ${email}${deviceName === null ? '' : ` on ${printable(deviceName)}`}, used ${relativeTime(lastUsedAt)}? ` +
  'Its user is signed out at once.';

function addRevokeAll(sessions: Command, terminal: Terminal): void {
  withCommonOptions(
    sessions
      .command('revoke-all')
      .argument('[user]', USER_MEANING)
      .description('End all sessions of a user, or of every user. They can sign in again.')
      .option('--everyone', 'end the sessions of every user')
      .option('--reason <text>', 'why, for the audit log; with --everyone'),
    {
      json: "{ status: 'ok', revoked: number }, with --everyone also users: number and isComplete: boolean",
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'To also prevent new sign-ins: latchkey users deactivate. --everyone signs out one user after the other, beside the ' +
        'running service, and writes an audit row for each. Ctrl-C stops it after the current users; ' +
        'run it again to continue. Users who sign in again after their turn stay signed in.',
      examples: [
        ['latchkey sessions revoke-all ada@example.com', 'shows the number of sessions and asks'],
        ['latchkey sessions revoke-all ada@example.com --yes', 'after a lost laptop'],
        [
          "latchkey sessions revoke-all --everyone --reason 'restored from a backup'",
          'a restore revives ended sessions',
        ],
      ],
    },
  ).action(action(terminal, revokeAll));
}

async function revokeAll(call: Call<EveryoneOptions>): Promise<void> {
  if (call.options.everyone === true) {
    await revokeEveryone(call);
    return;
  }
  assertNoReason(call);
  const named = await userArgument(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    const user = await findUser(administration, named, call.prompts);
    const sessions = await countSessions(administration, user.id);
    if (sessions.total > 0) await call.prompts.confirm(questionForAll(user.email, sessions));
    const view = await administration.sessions.revokeAll(operator, user.id, client);
    call.output.answer({ view, text: `Ended ${countOf(view.revoked, 'session')} of ${user.email}.` });
  });
}

const questionForAll = (email: string, sessions: ListTotal): string =>
  `End ${countOf(sessions, 'session')} of ${email}? They are signed out everywhere at once.`;
