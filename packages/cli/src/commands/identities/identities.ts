import type { Command } from 'commander';
import type { ExternalIdentityView } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration, withOperator } from '../../runtime/connection.js';
import { findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { oneOf, type Kind } from '../../runtime/one-of.js';
import type { ListFormat } from '../../runtime/output.js';
import type { Prompts } from '../../runtime/prompts.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addIdentitiesCommands(program: Command, terminal: Terminal): void {
  const identities = program
    .command('identities')
    .helpCommand(false)
    .description('List and unlink accounts at other services by which users sign in.');
  addList(identities, terminal);
  addUnlink(identities, terminal);
}

function addList(identities: Command, terminal: Terminal): void {
  const command = identities
    .command('list')
    .argument('[user]', USER_MEANING)
    .description('List the linked accounts of a user, oldest first. Also works if no service is configured.');
  withCommonOptions(command, {
    json: 'array of linked accounts, as GET /auth/external/identities returns them',
    quiet: 'print only the ids',
    notes:
      'A connection that EXTERNAL_PROVIDERS does not name here has no label. Without a terminal: id, connection, label, email, created ' +
      'and last used, separated by tabs.',
    examples: [
      ['latchkey identities list ada@example.com', 'the accounts that Ada signs in with'],
      ['latchkey identities list ada@example.com --json', 'for a program'],
    ],
  }).action(action(terminal, listIdentities));
}

async function listIdentities(call: Call): Promise<void> {
  const named = await userArgument(call);
  await withAdministration(call, async ({ administration }) => {
    const { id } = await findUser(administration, named, call.prompts);
    const items = await administration.identities.listOfUser(id);
    call.output.list({ items, total: items.length, isTotalExact: true }, IDENTITY_LIST);
  });
}

const IDENTITY_LIST: ListFormat<ExternalIdentityView> = {
  noun: 'linked accounts',
  columns: [
    { title: 'CONNECTION', text: ({ connectionId }) => connectionId },
    { title: 'EMAIL THERE', text: ({ email }) => email ?? '', whenNarrow: 'shrink' },
    { title: 'LAST USED', text: ({ lastUsedAt }) => relativeTime(lastUsedAt) || 'never', whenNarrow: 'drop' },
    { title: 'CREATED', text: ({ createdAt }) => relativeTime(createdAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: ['id', 'connectionId', 'label', 'email', 'createdAt', 'lastUsedAt'],
  id: ({ id }) => id,
};

function addUnlink(identities: Command, terminal: Terminal): void {
  withCommonOptions(
    identities
      .command('unlink')
      .argument('[user]', USER_MEANING)
      .description('Unlink an account at another service. The sessions that it opened end at once.')
      .option('--identity <which>', 'its connection, or its id or first characters; if the user has several'),
    {
      json: "{ status: 'ok', revoked: number }",
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'The only way in which a user can sign in is not removed: set a password first (latchkey users set-password). An account at a ' +
        'service that EXTERNAL_PROVIDERS does not name here is no way to sign in; if it is not set here, all of them are. If the service ' +
        'sends mail, the user is notified.',
      examples: [
        ['latchkey identities unlink ada@example.com', 'shows which and asks'],
        ['latchkey identities unlink ada@example.com --identity google --yes', 'without confirmation'],
      ],
    },
  ).action(action(terminal, unlink));
}

async function unlink(call: Call<{ identity?: string }>): Promise<void> {
  const { prompts, options } = call;
  const named = await userArgument(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id: userId, email } = await findUser(administration, named, prompts);
    const identity = await findIdentity(administration, { userId, email, which: options.identity }, prompts);
    const which = `the account at ${identity.label ?? identity.connectionId} of ${email}`;
    await prompts.confirm(`Unlink ${which}? The sessions that it opened end at once.`);
    const target = { userId, identityId: identity.id };
    const view = await administration.identities.unlink(operator, target, client);
    const sessions = view.revoked === 1 ? '1 session' : `${view.revoked} sessions`;
    call.output.answer({ view, text: `Unlinked ${which}. Ended ${sessions}.` });
  });
}

async function findIdentity(
  { identities }: Administration,
  { userId, email, which }: { userId: string; email: string; which: string | undefined },
  prompts: Prompts,
): Promise<ExternalIdentityView> {
  const all = await identities.listOfUser(userId);
  const found = all.filter(
    ({ id, connectionId }) => !which || connectionId === which || id.startsWith(which),
  );
  return which === undefined
    ? oneOf(email, found, { ...IDENTITY_KIND, relation: 'belong to' }, prompts)
    : oneOf(which, found, IDENTITY_KIND, prompts);
}

const IDENTITY_KIND: Kind<ExternalIdentityView> = {
  singular: 'linked account',
  plural: 'linked accounts',
  list: 'latchkey identities list',
  describe: ({ id, connectionId, email }) => `${id}  ${connectionId}  ${email ?? ''}`.trimEnd(),
  remedy: 'Name one with --identity.',
};
