import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import {
  ABOUT_EMAIL,
  findInvitation,
  withInvitation,
  type InvitationOptions,
} from '../../runtime/find-invitation.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

const JSON_ANSWER = 'the invitation as it is now, as GET /auth/invitations/{id} answers it';

export function addChangeInvitationCommands(invitations: Command, terminal: Terminal): void {
  addResend(invitations, terminal);
  addCancel(invitations, terminal);
}

function addResend(invitations: Command, terminal: Terminal): void {
  const command = invitations
    .command('resend')
    .description('Send an invitation anew. The link that is out stops working, the time runs from now.');
  withCommonOptions(withInvitation(command), {
    json: JSON_ANSWER,
    audited: true,
    quiet: 'print the id only',
    confirms: true,
    notes:
      'The service sends the mail, so it may take some seconds. It is possible three times an hour, and only while ' +
      `the inviter may still offer this. An expired invitation is open again. ${ABOUT_EMAIL}`,
    examples: [
      ['latchkey invitations resend --email grace@example.com', 'the mail was lost'],
      ['latchkey invitations resend 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --yes', 'without being asked'],
    ],
  }).action(action(terminal, resend));
}

async function resend(call: Call<InvitationOptions>): Promise<void> {
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, email } = await findInvitation(call, administration);
    await call.prompts.confirm(`Send the invitation of ${email} anew? The link that is out stops working.`);
    const view = await administration.invitationAdministration.resend(operator, id, client);
    const text = `The invitation is on its way to ${email}; it expires ${relativeTime(view.expiresAt)}.`;
    call.output.answer({ view, text, id });
  });
}

function addCancel(invitations: Command, terminal: Terminal): void {
  const command = invitations
    .command('cancel')
    .description('Take an invitation back. Its link stops working at once.');
  withCommonOptions(withInvitation(command), {
    json: JSON_ANSWER,
    audited: true,
    quiet: 'print the id only',
    confirms: true,
    notes: `An invitation that was accepted cannot be cancelled: its membership can be ended. ${ABOUT_EMAIL}`,
    examples: [
      ['latchkey invitations cancel --email grace@example.com', 'it went to the wrong person'],
      ['latchkey invitations cancel 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --yes', 'without being asked'],
    ],
  }).action(action(terminal, cancel));
}

async function cancel(call: Call<InvitationOptions>): Promise<void> {
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, email } = await findInvitation(call, administration);
    await call.prompts.confirm(`Cancel the invitation of ${email}? Its link stops working at once.`);
    const view = await administration.invitationAdministration.cancel(operator, id, client);
    call.output.answer({ view, text: `The invitation of ${email} is cancelled.`, id });
  });
}
