import type { Command } from 'commander';
import type { InvitationView } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import type { Call } from './call.js';
import { companyId } from './company-id.js';
import { CommandError } from './failure.js';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import { relativeTime } from './relative-time.js';

export interface InvitationOptions {
  email?: string;
  company?: string;
}

/** Adds the argument and options that name one invitation: its id, or its recipient. */
export const withInvitation = (command: Command): Command =>
  command
    .argument('[invitation]', 'id or its first characters; asked for on a terminal')
    .option('--email <address>', 'the invitation to this address, in place of an id')
    .option('--company <id>', 'with --email: only an invitation to this company');

/** Explains `--email`, for help texts. */
export const ABOUT_EMAIL =
  'If an address has several invitations, open ones are preferred; --company selects one company.';

/**
 * Returns the invitation that the command line names; on a terminal, asks which one if several match.
 * @throws CommandError if none matches, or several match without a terminal.
 */
export async function findInvitation(
  call: Call<InvitationOptions>,
  { invitations }: Administration,
): Promise<InvitationView> {
  const { email } = call.options;
  if (email !== undefined) {
    const found = await ofEmail(call, email, invitations);
    return oneOf(email, found, { ...KIND, relation: 'went to', remedy: 'Give the id.' }, call.prompts);
  }
  const given = call.args[0] ?? (await call.prompts.text('Which invitation (id)?', '<invitation>'));
  return oneOf(given, await invitations.findByPrefix(given, CANDIDATES), KIND, call.prompts);
}

/** Returns invitations that can still be accepted or resent, or else all others. */
async function ofEmail(
  { args, options, prompts }: Call<InvitationOptions>,
  text: string,
  invitations: Administration['invitations'],
): Promise<InvitationView[]> {
  if (args.length > 0) throw CommandError.usage('Give an id or --email, not both.');
  const { canonicalEmail } = await import('@latchkey/operations');
  const email = canonicalEmail(text);
  if (email === undefined) throw CommandError.usage(`"${text}" is not an email address.`);
  const { company: named } = options;
  const company = named === undefined ? undefined : await companyId(named, '--company <id>', prompts);
  for (const status of ['PENDING', 'EXPIRED', undefined] as const) {
    const filter = { email, companyId: company, status };
    const { items } = await invitations.list(filter, { limit: CANDIDATES, offset: 0 });
    if (items.length > 0) return items;
  }
  return [];
}

const KIND: Kind<InvitationView> = {
  singular: 'invitation',
  plural: 'invitations',
  list: 'latchkey invitations list --company <id>',
  describe: ({ id, email, companyId: company, status, createdAt }) =>
    `${id}  ${email}  ${status.toLowerCase()}  company ${company}  ${relativeTime(createdAt)}`,
};
