import { Option, type Command } from 'commander';
import type { InvitationView } from '@latchkey/core';
import { INVITATION_STATUSES } from '@latchkey/core/names';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { companyId } from '../../runtime/company-id.js';
import { withAdministration } from '../../runtime/connection.js';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';
import { addChangeInvitationCommands } from './change-invitation.js';
import { addShowInvitation } from './show-invitation.js';

export function addInvitationsCommands(program: Command, terminal: Terminal): void {
  const invitations = program
    .command('invitations')
    .helpCommand(false)
    .description('List, show, resend and cancel invitations.');
  addList(invitations, terminal);
  addShowInvitation(invitations, terminal);
  addChangeInvitationCommands(invitations, terminal);
}

function addList(invitations: Command, terminal: Terminal): void {
  const command = invitations
    .command('list')
    .description('List the invitations of a company, newest first.')
    .option('--company <id>', 'asked for on a terminal')
    .addOption(new Option('--status <status>', 'only in this state').choices(INVITATION_STATUSES));
  withCommonOptions(withPageOptions(command), {
    json: 'array of invitations, as GET /auth/invitations returns them',
    quiet: 'print only the ids',
    notes:
      'A pending invitation past its expiry is EXPIRED. Without a terminal: id, email, role, status, created, last ' +
      'sent and expiry, separated by tabs.',
    examples: [
      [
        'latchkey invitations list --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --status PENDING',
        'open invitations',
      ],
      ['latchkey invitations list --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --json', 'for a program'],
    ],
  }).action(action(terminal, listInvitations));
}

async function listInvitations(
  call: Call<PageOptions & { company?: string; status?: InvitationView['status'] }>,
): Promise<void> {
  const { status, limit, offset } = call.options;
  const company = await companyId(call.options.company, '--company <id>', call.prompts);
  await withAdministration(call, async ({ administration }) => {
    const filter = { companyId: company, status };
    const found = await administration.invitations.list(filter, { limit, offset });
    call.output.list(found, INVITATION_LIST);
  });
}

const INVITATION_LIST: ListFormat<InvitationView> = {
  noun: 'invitations',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
    {
      title: 'STATUS',
      text: ({ status }) => status.toLowerCase(),
      style: ({ status }) => (status === 'EXPIRED' ? 'yellow' : undefined),
    },
    { title: 'EXPIRES', text: ({ expiresAt }) => relativeTime(expiresAt), whenNarrow: 'drop' },
    { title: 'ROLE', text: ({ role }) => role, whenNarrow: 'drop' },
    { title: 'SENT', text: ({ lastSentAt }) => relativeTime(lastSentAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: ['id', 'email', 'role', 'status', 'createdAt', 'lastSentAt', 'expiresAt'],
  id: ({ id }) => id,
};
