import type { Command } from 'commander';
import type { SessionDetailsView } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { moment, type Detail } from '../../runtime/details.js';
import { findSession, sessionArgument, SESSION_MEANING } from '../../runtime/find-session.js';
import { ABOUT_IDS } from '../../runtime/one-of.js';
import type { Terminal } from '../../runtime/terminal.js';
import { placeText } from './place-text.js';

export function addShowSession(sessions: Command, terminal: Terminal): void {
  withCommonOptions(
    sessions
      .command('show')
      .argument('[session]', SESSION_MEANING)
      .description('Show a session with its state, and the reason if it has ended.'),
    {
      json:
        'the session, as GET /internal/admin/sessions returns it, and { amr, authTime, ' +
        "state: 'active' | 'expired' | 'revoked', revokedAt, revokeReason }",
      quiet: 'print only the id',
      notes: `Times are exact. Also shows ended sessions. ${ABOUT_IDS}`,
      examples: [
        ['latchkey sessions show 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', 'the id is listed by sessions list'],
        ['latchkey sessions show 01981f3e-5c1a --json', 'by the first characters of the id, for a program'],
      ],
    },
  ).action(action(terminal, show));
}

async function show(call: Call): Promise<void> {
  const given = await sessionArgument(call);
  await withAdministration(call, async ({ administration }) => {
    const view = await findSession(administration, given, call.prompts);
    call.output.details({ view, details: detailsOf(view), id: view.id });
  });
}

const detailsOf = (session: SessionDetailsView): Detail[] => [
  { label: 'id', text: session.id },
  { label: 'user', text: `${session.email} ${session.userId}` },
  { label: 'state', text: session.state },
  ...endOf(session),
  { label: 'began by', text: session.origin },
  { label: 'opened from', text: session.parentSessionId ?? '' },
  ...actorOf(session),
  { label: 'methods', text: session.amr.join(' '), aside: 'RFC 8176' },
  { label: 'device', text: session.deviceName ?? '' },
  { label: 'user agent', text: session.userAgent ?? '' },
  {
    label: 'address',
    text: session.ipAddress ?? '',
    aside: session.place && `approximately ${placeText(session.place)}`,
  },
  moment('signed in', session.authTime),
  moment('created', session.createdAt),
  moment('last used', session.lastUsedAt),
  moment('expires', session.expiresAt),
];

/** Returns who acts in the session for its user. */
function actorOf({ actor }: SessionDetailsView): Detail[] {
  if (!actor) return [];
  return [
    { label: 'acted by', text: [actor.name, actor.userId].filter((text) => text !== null).join(' ') },
    { label: 'because', text: actor.reason ?? '' },
  ];
}

function endOf({ revokedAt, revokeReason }: SessionDetailsView): Detail[] {
  if (revokedAt === null || revokeReason === null) return [];
  return [
    moment('revoked', revokedAt),
    { label: 'reason', text: revokeReason, aside: REASONS[revokeReason] },
  ];
}

const REASONS: Record<NonNullable<SessionDetailsView['revokeReason']>, string> = {
  logout: 'signed out',
  logout_all: 'signed out everywhere',
  logout_others: 'signed out everywhere else',
  revoked: 'ended one by one',
  revoke_all: 'ended with all others of the user',
  deactivated: 'the user was deactivated',
  approval_withdrawn: 'the approval was withdrawn',
  password_changed: 'the password was changed',
  password_reset: 'the password was reset',
  refresh_reuse: 'a refresh token was used twice, perhaps stolen',
  confirmation_failed: 'too many wrong attempts at the current password or a code',
  factors_reset: 'the second factors of the user were removed',
  factor_added: 'the first second factor of the user was added elsewhere',
  role_changed: 'the role of the user, or of who acted for them, was changed',
  identity_unlinked: 'the account by which the user had signed in was unlinked',
  provider_logout: 'the user signed out at the service by which they had signed in',
  deletion_requested: 'the user deleted the account',
  erased: 'the personal data of the user was erased',
  email_changed: 'the email address was changed',
  email_change_undone: 'a change of the email address was undone',
  other: 'a reason of a later version',
};
