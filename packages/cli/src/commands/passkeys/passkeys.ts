import type { Command } from 'commander';
import type { PasskeyView } from '@latchkey/core';
import type { Administration, OwnedPasskeyView } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { withAdministration, withOperator } from '../../runtime/connection.js';
import { findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { ABOUT_IDS, CANDIDATES, oneOf, type Kind } from '../../runtime/one-of.js';
import type { ListFormat } from '../../runtime/output.js';
import { printable } from '../../runtime/printable.js';
import type { Prompts } from '../../runtime/prompts.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addPasskeysCommands(program: Command, terminal: Terminal): void {
  const passkeys = program.command('passkeys').helpCommand(false).description('List and remove passkeys.');
  addList(passkeys, terminal);
  addRemove(passkeys, terminal);
}

function addList(passkeys: Command, terminal: Terminal): void {
  const command = passkeys
    .command('list')
    .argument('[user]', USER_MEANING)
    .description('List the passkeys of a user, newest first. Also works if passkeys are disabled.');
  withCommonOptions(withPageOptions(command), {
    json: 'array of passkeys, as GET /auth/passkeys returns them',
    quiet: 'print only the ids',
    notes:
      'Without a terminal: id, name, device type, backed up, transports, created and last used, separated by tabs.',
    examples: [
      ['latchkey passkeys list ada@example.com', 'the devices that Ada signs in with'],
      ['latchkey passkeys list ada@example.com --json', 'for a program'],
    ],
  }).action(action(terminal, listPasskeys));
}

async function listPasskeys(call: Call<PageOptions>): Promise<void> {
  const { limit, offset } = call.options;
  const named = await userArgument(call);
  await withAdministration(call, async ({ administration }) => {
    const { id } = await findUser(administration, named, call.prompts);
    const found = await administration.passkeys.listOfUser(id, { limit, offset });
    call.output.list(found, PASSKEY_LIST);
  });
}

const PASSKEY_LIST: ListFormat<PasskeyView> = {
  noun: 'passkeys',
  columns: [
    { title: 'NAME', text: ({ name }) => name, whenNarrow: 'shrink' },
    { title: 'KEPT', text: ({ deviceType }) => KEPT[deviceType], whenNarrow: 'drop' },
    { title: 'LAST USED', text: ({ lastUsedAt }) => relativeTime(lastUsedAt) || 'never', whenNarrow: 'drop' },
    { title: 'CREATED', text: ({ createdAt }) => relativeTime(createdAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: ['id', 'name', 'deviceType', 'backedUp', 'transports', 'createdAt', 'lastUsedAt'],
  id: ({ id }) => id,
};

const KEPT: Record<PasskeyView['deviceType'], string> = {
  singleDevice: 'on one device',
  multiDevice: 'by a provider',
};

function addRemove(passkeys: Command, terminal: Terminal): void {
  withCommonOptions(
    passkeys
      .command('remove')
      .argument('[passkey]', 'passkey id or its first characters; asked for on a terminal')
      .description('Remove a passkey. It can no longer be used to sign in.'),
    {
      json: "{ status: 'ok' }",
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'Its sessions continue; to end them: latchkey sessions revoke-all. If the service sends mail, the owner is notified. ' +
        `Also works if passkeys are disabled. ${ABOUT_IDS}`,
      examples: [
        [
          'latchkey passkeys remove 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
          'the id is listed by passkeys list',
        ],
        [
          'latchkey passkeys remove 01981f3e-5c1a --yes',
          'by the first characters of the id, without confirmation',
        ],
      ],
    },
  ).action(action(terminal, remove));
}

async function remove(call: Call): Promise<void> {
  const given =
    call.args[0] ?? (await call.prompts.text('Which passkey (id or its first characters)?', '<passkey>'));
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, name, email } = await findPasskey(administration, given, call.prompts);
    const which = `the passkey "${printable(name)}" of ${email}`;
    await call.prompts.confirm(`Remove ${which}? It can no longer be used to sign in.`);
    const view = await administration.passkeys.remove(operator, id, client);
    call.output.answer({ view, text: `Removed ${which}.` });
  });
}

const findPasskey = async (
  { passkeys }: Administration,
  text: string,
  prompts: Prompts,
): Promise<OwnedPasskeyView> =>
  oneOf(text, await passkeys.findByPrefix(text, CANDIDATES), PASSKEY_KIND, prompts);

const PASSKEY_KIND: Kind<OwnedPasskeyView> = {
  singular: 'passkey',
  plural: 'passkeys',
  list: 'latchkey passkeys list',
  describe: ({ id, email, name }) => `${id}  ${email}  ${name}`,
};
