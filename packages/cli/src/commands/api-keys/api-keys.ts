import type { Command } from 'commander';
import type { ApiKeyView } from '@latchkey/core';
import type { IdentifiedApiKey } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { withAdministration, withOperator } from '../../runtime/connection.js';
import type { Detail } from '../../runtime/details.js';
import { durationOption } from '../../runtime/duration-option.js';
import { CommandError } from '../../runtime/failure.js';
import { findUser } from '../../runtime/find-user.js';
import { ABOUT_IDS, CANDIDATES, oneOf, type Kind } from '../../runtime/one-of.js';
import type { ListFormat } from '../../runtime/output.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addApiKeysCommands(program: Command, terminal: Terminal): void {
  const keys = program
    .command('api-keys')
    .helpCommand(false)
    .description('List, create, revoke and identify API keys.');
  addList(keys, terminal);
  addCreate(keys, terminal);
  addRevoke(keys, terminal);
  addIdentify(keys, terminal);
}

function addList(keys: Command, terminal: Terminal): void {
  const command = keys
    .command('list')
    .description('List active API keys, newest first. Also works if API keys are off.')
    .option('--user <user>', 'only those that the user owns or has made: email or id')
    .option('--company <id>', 'only those for a company')
    .option('--unused <time>', 'only those that were not used for so long: 90d', durationOption)
    .option('--expiring <time>', 'only those that expire within this time: 14d', durationOption);
  withCommonOptions(withPageOptions(command), {
    json: 'array of API keys, as GET /auth/api-keys returns them',
    quiet: 'print only the ids',
    notes:
      'Without a terminal: id, kind, name, hint, company, user, created, expires and last used, separated by tabs.',
    examples: [
      ['latchkey api-keys list --unused 90d', 'keys that nothing seems to need'],
      ['latchkey api-keys list --user ada@example.com --json', 'for a program'],
    ],
  }).action(action(terminal, list));
}

async function list(
  call: Call<PageOptions & { user?: string; company?: string; unused?: number; expiring?: number }>,
): Promise<void> {
  const { limit, offset, user, company: companyId, unused, expiring } = call.options;
  await withAdministration(call, async ({ administration }) => {
    const userId = user === undefined ? undefined : (await findUser(administration, user, call.prompts)).id;
    const filter = { userId, companyId, unusedSeconds: unused, expiringSeconds: expiring };
    call.output.list(await administration.apiKeys.list(filter, { limit, offset }), KEY_LIST);
  });
}

const KEY_LIST: ListFormat<ApiKeyView> = {
  noun: 'API keys',
  columns: [
    { title: 'NAME', text: ({ name }) => name, whenNarrow: 'shrink' },
    { title: 'KIND', text: ({ kind }) => kind.toLowerCase(), whenNarrow: 'drop' },
    { title: 'ENDS WITH', text: ({ hint }) => hint, whenNarrow: 'drop' },
    { title: 'LAST USED', text: ({ lastUsedAt }) => relativeTime(lastUsedAt) || 'never', whenNarrow: 'drop' },
    { title: 'EXPIRES', text: ({ expiresAt }) => relativeTime(expiresAt) || 'never', whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: ['id', 'kind', 'name', 'hint', 'companyId', 'userId', 'createdAt', 'expiresAt', 'lastUsedAt'],
  id: ({ id }) => id,
};

function addCreate(keys: Command, terminal: Terminal): void {
  const command = keys
    .command('create')
    .description('Create an API key of a company. Users create personal keys themselves.')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--name <name>', 'the name, at most 100 characters')
    .option('--module <keys...>', 'the modules of the key: none by default')
    .option('--permission <keys...>', 'the permissions of the key: none by default')
    .option('--expires-in <time>', 'how long it works: API_KEY_DEFAULT_LIFETIME by default', durationOption);
  withCommonOptions(command, {
    json: '{ apiKey, key }; the key cannot be read later',
    audited: true,
    quiet: 'print only the key',
    examples: [
      [
        'latchkey api-keys create --company 018f4e6e-0000-7000-8000-00000000000a --name ERP --module invoices',
        'the key is printed once',
      ],
    ],
  }).action(action(terminal, create));
}

async function create(
  call: Call<{
    company?: string;
    name?: string;
    module?: string[];
    permission?: string[];
    expiresIn?: number;
  }>,
): Promise<void> {
  const { company = '', name = '', module = [], permission = [], expiresIn } = call.options;
  await withOperator(call, async ({ administration, operator, client }) => {
    const wanted = { name, modules: module, permissions: permission, expiresIn };
    const view = await administration.apiKeys.create(operator, company, wanted, client);
    call.output.details({
      view,
      details: [
        { label: 'key', text: view.key, aside: 'shown once; store it where its program reads it' },
        { label: 'id', text: view.apiKey.id },
        { label: 'expires', text: view.apiKey.expiresAt ?? 'never' },
      ],
      id: view.key,
    });
  });
}

function addRevoke(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('revoke')
      .argument('[key]', 'id of the API key or its first characters; asked for on a terminal')
      .description('Revoke an API key of a user or company. It stops working at once.'),
    {
      json: "{ status: 'ok' }",
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes: ABOUT_IDS,
      examples: [
        [
          'latchkey api-keys revoke 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
          'the id is listed by api-keys list',
        ],
      ],
    },
  ).action(action(terminal, revoke));
}

async function revoke(call: Call): Promise<void> {
  const given =
    call.args[0] ?? (await call.prompts.text('Which API key (id or its first characters)?', '<key>'));
  if (given.startsWith('lkk_')) throw asArgument();
  await withOperator(call, async ({ administration, operator, client }) => {
    const found = await administration.apiKeys.findByPrefix(given, CANDIDATES);
    const { id, name, hint } = await oneOf(given, found, KEY_KIND, call.prompts);
    const which = `the API key "${printable(name)}" that ends with ${hint}`;
    await call.prompts.confirm(`Revoke ${which}? Programs that use it are refused at once.`);
    const view = await administration.apiKeys.revoke(operator, id, client);
    call.output.answer({ view, text: `Revoked ${which}.` });
  });
}

const KEY_KIND: Kind<IdentifiedApiKey> = {
  singular: 'API key',
  plural: 'API keys',
  list: 'latchkey api-keys list',
  describe: ({ id, kind, name, state }) => `${id}  ${kind.toLowerCase()}  ${name}  ${state}`,
};

function addIdentify(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('identify')
      .description(
        'Read an API key from standard input or a prompt and print whose it is, also if it has ended.',
      ),
    {
      json: 'the API key with its `state`: active, expired or revoked',
      quiet: 'print only the id',
      notes:
        'For a key that was found in a repository or a log. It is never an argument: arguments can be read by other users ' +
        'of the machine.',
      examples: [['latchkey api-keys identify < found.txt', 'then: latchkey api-keys revoke <id>']],
    },
  ).action(action(terminal, identify));
}

async function identify(call: Call): Promise<void> {
  const text = (await call.prompts.secret('API key (hidden)', '')).trim();
  await withAdministration(call, async ({ administration }) => {
    const view = await administration.apiKeys.identify(text);
    call.output.details({ view, details: detailsOf(view), id: view.id });
  });
}

const detailsOf = ({ id, kind, name, userId, companyId, ...view }: IdentifiedApiKey): Detail[] => [
  { label: 'id', text: id },
  { label: 'state', text: view.state, aside: view.revokeReason ?? '' },
  { label: 'kind', text: kind.toLowerCase() },
  { label: 'name', text: printable(name) },
  { label: 'user', text: userId ?? 'none' },
  { label: 'company', text: companyId ?? 'none' },
  { label: 'expires', text: view.expiresAt ?? 'never' },
  { label: 'last used', text: view.lastUsedAt ?? 'never', aside: view.lastUsedIp ?? '' },
];

const asArgument = (): CommandError =>
  CommandError.usage(
    'Do not pass an API key as an argument: other users of this machine can read arguments, and the shell stores them.',
    'Pass its id, which latchkey api-keys identify prints. Treat this key as compromised.',
  );
