import type { Command } from 'commander';
import type { ServiceClient, ServiceClientEntry } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError } from '../../runtime/failure.js';
import { usingFiles } from '../../runtime/file-failure.js';
import type { Terminal } from '../../runtime/terminal.js';

interface CreateOptions {
  audience?: string[];
  scope?: string[];
  into?: string;
}

export function addCreate(clients: Command, terminal: Terminal): void {
  withCommonOptions(
    clients
      .command('create')
      .argument('[id]', 'name of the client; asked for on a terminal')
      .description('Create the secret of a new service client, and its entry for SERVICE_CLIENTS.')
      .option('--audience <audience...>', 'audiences of its tokens; the first is the default')
      .option('--scope <scope...>', 'scopes of its tokens; defaults to none')
      .option('--into <file>', 'add the entry to this file, created if missing (mode 0600)'),
    {
      json: '{ client: { id, secretHashes, audiences, scopes }, secret } and, with --into, file',
      quiet: 'print only the secret',
      notes:
        'The secret is shown only once: the entry holds only its digest. The file is for SERVICE_CLIENTS_FILE; the ' +
        'service reads it when it starts. Its machine routes accept tokens for JWT_AUDIENCE with the ' +
        'scope internal:read (GET) or internal:write (all others). Opening sessions for users also needs sessions:mint; ' +
        'global roles, passwords and any change to platform staff also need users:privileged. The revocation feed needs revocations:read alone.',
      examples: [
        [
          'latchkey service-clients create billing --audience latchkey --scope internal:read --into clients.json',
          'then set SERVICE_CLIENTS_FILE=clients.json',
        ],
        [
          'latchkey service-clients create billing --audience latchkey --into clients.json --quiet | vault kv put secret/billing secret=-',
          'store the secret in a vault',
        ],
      ],
    },
  ).action(action(terminal, create));
}

async function create(call: Call<CreateOptions>): Promise<void> {
  const { into: file } = call.options;
  const wanted = await readClient(call);
  const { checkedClient, entryOf, newServiceSecret, ServiceClientFile } =
    await import('@latchkey/operations');
  const { secret, hash } = newServiceSecret();
  const client = checkedClient({ ...wanted, secretHashes: [hash] });
  const target = file === undefined ? undefined : new ServiceClientFile(file);
  if (target !== undefined) await usingFiles(target.path, () => target.add(client));
  const entry = entryOf(client);
  const where = target === undefined ? entryLines(entry) : [`Added to ${target.path}.`];
  call.output.answer({
    view: { client: entry, secret, ...(target && { file: target.path }) },
    text: [`Secret of ${client.id}: ${secret}`, ...where].join('\n'),
    id: secret,
  });
  call.output.note('The secret is shown only once. The service accepts the client after its next restart.');
}

const entryLines = (entry: ServiceClientEntry): string[] => [
  'Entry for the list in SERVICE_CLIENTS:',
  JSON.stringify(entry),
];

/** Reads the client from the command line; asks for what is missing. */
async function readClient({
  args,
  options,
  prompts,
}: Call<CreateOptions>): Promise<Omit<ServiceClient, 'secretHashes'>> {
  const id = args[0] ?? (await prompts.text('Name of the client', '<id>'));
  const { audience, scope } = options;
  if (audience !== undefined) return { id, audiences: audience, scopes: scope ?? [] };
  if (!prompts.canAsk) throw CommandError.usage('--audience <audience> is missing.', HELP);
  const audiences = words(await prompts.text('Audiences of its tokens, separated by spaces', '--audience'));
  const scopes =
    scope ?? words((await prompts.optionalText('Scopes, separated by spaces (may be empty)')) ?? '');
  return { id, audiences, scopes };
}

const HELP = 'See: latchkey service-clients create --help';

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
