import type { Command } from 'commander';
import type { ServiceClient } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { ListFormat } from '../../runtime/output.js';
import type { Terminal } from '../../runtime/terminal.js';
import { addCreate } from './create-service-client.js';
import { addRotate } from './rotate-service-client.js';

export function addServiceClientsCommands(program: Command, terminal: Terminal): void {
  const clients = program
    .command('service-clients')
    .helpCommand(false)
    .description('Manage the services that may request service tokens. Needs no database.');
  addCreate(clients, terminal);
  addRotate(clients, terminal);
  addList(clients, terminal);
}

function addList(clients: Command, terminal: Terminal): void {
  withCommonOptions(
    clients
      .command('list')
      .description('List the services that may request service tokens.')
      .option('--from <file>', 'the file of SERVICE_CLIENTS_FILE; defaults to the clients of the settings'),
    {
      json: 'array of { id, audiences: string[], scopes: string[], secrets: 1 | 2 }',
      quiet: 'print only the ids',
      notes:
        'Two secrets: the older one is being replaced. Without a terminal: id, audiences, scopes and number of secrets, ' +
        'separated by tabs.',
      examples: [
        ['latchkey service-clients list', 'the clients of the settings'],
        ['latchkey service-clients list --from clients.json', 'the clients of this file'],
      ],
    },
  ).action(action(terminal, list));
}

interface ServiceClientView {
  id: string;
  audiences: readonly string[];
  scopes: readonly string[];
  secrets: number;
}

async function list({ options, output }: Call<{ from?: string }>): Promise<void> {
  const items = (await findClients(options.from)).map(toView);
  output.list({ items, total: items.length }, CLIENT_LIST);
}

async function findClients(file: string | undefined): Promise<readonly ServiceClient[]> {
  const { ServiceClientFile } = await import('@latchkey/operations');
  const { readSomeSettings } = await import('@latchkey/core/settings');
  return file === undefined
    ? (readSomeSettings(['SERVICE_CLIENTS']).SERVICE_CLIENTS?.reveal() ?? [])
    : new ServiceClientFile(file).list();
}

const toView = ({ id, audiences, scopes, secretHashes }: ServiceClient): ServiceClientView => ({
  id,
  audiences,
  scopes,
  secrets: secretHashes.length,
});

const CLIENT_LIST: ListFormat<ServiceClientView> = {
  noun: 'service clients',
  columns: [
    { title: 'ID', text: ({ id }) => id },
    { title: 'AUDIENCES', text: ({ audiences }) => audiences.join(' '), whenNarrow: 'shrink' },
    { title: 'SCOPES', text: ({ scopes }) => scopes.join(' '), whenNarrow: 'shrink' },
    { title: 'SECRETS', text: ({ secrets }) => String(secrets) },
  ],
  fields: ['id', 'audiences', 'scopes', 'secrets'],
  id: ({ id }) => id,
};
