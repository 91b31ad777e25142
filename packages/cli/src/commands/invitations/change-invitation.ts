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

const JSON_ANSWER = 'the changed invitation, as GET /auth/invitations/{id} returns it';

export function addChangeInvitationCommands(invitations: Command, terminal: Terminal): void {
  addResend(invitations, terminal);
  addCancel(invitations, terminal);
}

function addResend(invitations: Command, terminal: Terminal): void {
  const command = invitations
    .command('resend')
    .description('Resend an invitation with a new link and a new expiry. The previous link stops working.');
  withCommonOptions(withInvitation(command), {
    json: JSON_ANSWER,
    audited: true,
    quiet: 'print only the id',
    confirms: true,
    notes:
      'The service sends the mail, which may take some seconds. Possible three times an hour, and only while ' +
      `the inviter may still make this offer. An expired invitation becomes pending again. ${ABOUT_EMAIL}`,
    examples: [
      ['latchkey invitations resend --email grace@example.com', 'the mail was lost'],
      ['latchkey invitations resend 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --yes', 'without confirmation'],
    ],
  }).action(action(terminal, resend));
}

async function resend(call: Call<InvitationOptions>): Promise<void> {
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, email } = await findInvitation(call, administration);
    await call.prompts.confirm(`Resend the invitation of ${email}? The previous link stops working.`);
    const view = await administration.invitations.resend(operator, id, client);
    const text = `Resent the invitation to ${email}; it expires ${relativeTime(view.expiresAt)}.`;
    call.output.answer({ view, text, id });
  });
}

function addCancel(invitations: Command, terminal: Terminal): void {
  const command = invitations
    .command('cancel')
    .description('Cancel an invitation. Its link stops working at once.');
  withCommonOptions(withInvitation(command), {
    json: JSON_ANSWER,
    audited: true,
    quiet: 'print only the id',
    confirms: true,
    notes: `An accepted invitation cannot be cancelled; end the membership instead. ${ABOUT_EMAIL}`,
    examples: [
      ['latchkey invitations cancel --email grace@example.com', 'it went to the wrong person'],
      ['latchkey invitations cancel 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --yes', 'without confirmation'],
    ],
  }).action(action(terminal, cancel));
}

async function cancel(call: Call<InvitationOptions>): Promise<void> {
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, email } = await findInvitation(call, administration);
    await call.prompts.confirm(`Cancel the invitation of ${email}? Its link stops working at once.`);
    const view = await administration.invitations.cancel(operator, id, client);
    call.output.answer({ view, text: `Cancelled the invitation of ${email}.`, id });
  });
}
