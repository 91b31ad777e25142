import type { Command } from 'commander';
import type { InvitationView } from '@latchkey/core';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { moment, type Detail } from '../../runtime/details.js';
import {
  ABOUT_EMAIL,
  findInvitation,
  withInvitation,
  type InvitationOptions,
} from '../../runtime/find-invitation.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addShowInvitation(invitations: Command, terminal: Terminal): void {
  const command = invitations.command('show').description('Show an invitation.');
  withCommonOptions(withInvitation(command), {
    json: 'the invitation, as GET /auth/invitations/{id} returns it',
    quiet: 'print only the id',
    notes: `${ABOUT_EMAIL} Without a terminal: a label and its value in each line, separated by a tab.`,
    examples: [
      ['latchkey invitations show --email grace@example.com', 'its status and offer'],
      [
        'latchkey invitations show 01981f3e-5c1a-7b --json',
        'by the first characters of the id, for a program',
      ],
    ],
  }).action(action(terminal, show));
}

async function show(call: Call<InvitationOptions>): Promise<void> {
  await withAdministration(call, async ({ administration }) => {
    const view = await findInvitation(call, administration);
    call.output.details({ view, details: detailsOf(view), id: view.id });
  });
}

function detailsOf(view: InvitationView): Detail[] {
  const { delegation, metadata } = view;
  return [
    { label: 'id', text: view.id },
    { label: 'email', text: view.email },
    { label: 'company', text: view.companyId },
    { label: 'status', text: view.status },
    { label: 'role', text: view.role },
    { label: 'modules', text: view.moduleGrants.join(' ') },
    { label: 'permissions', text: view.permissionGrants.join(' ') },
    { label: 'manages users', text: yesOrNo(delegation.canManageUsers) },
    { label: 'buys add-ons', text: yesOrNo(delegation.canBuyAddons) },
    { label: 'hands on modules', text: delegation.grantableModules.join(' ') },
    { label: 'hands on permissions', text: delegation.grantablePermissions.join(' ') },
    { label: 'language', text: view.locale ?? '' },
    { label: 'metadata', text: metadata === undefined ? '' : JSON.stringify(metadata) },
    { label: 'invited by', text: view.invitedByUserId ?? '' },
    { label: 'accepted by', text: view.acceptedByUserId ?? '' },
    moment('created', view.createdAt),
    moment('last sent', view.lastSentAt),
    moment('expires', view.expiresAt),
    moment('accepted', view.acceptedAt),
    moment('cancelled', view.cancelledAt),
  ];
}

const yesOrNo = (flag: boolean): string => (flag ? 'yes' : 'no');
