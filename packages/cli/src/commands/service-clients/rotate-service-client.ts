import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError } from '../../runtime/failure.js';
import { usingFiles } from '../../runtime/file-failure.js';
import type { Prompts } from '../../runtime/prompts.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addRotate(clients: Command, terminal: Terminal): void {
  withCommonOptions(
    clients
      .command('rotate')
      .argument('[id]', 'name of the client; asked for on a terminal')
      .description('Add a second secret to a service client or, with --finish, remove the older one.')
      .option('--from <file>', 'the file of SERVICE_CLIENTS_FILE; asked for on a terminal')
      .option('--finish', 'remove the older secret'),
    {
      json: '{ id, secrets: 1 | 2, file } and, without --finish, secret',
      quiet: 'print only the new secret; with --finish print nothing',
      confirms: true,
      notes:
        'Steps: run it, restart the service with the file, give the client the new secret, run it with --finish, ' +
        'and restart the service again. A third secret is rejected. Asks for confirmation only with --finish.',
      examples: [
        ['latchkey service-clients rotate billing --from clients.json', 'both secrets are accepted'],
        [
          'latchkey service-clients rotate billing --from clients.json --finish --yes',
          'only the new secret is accepted',
        ],
      ],
    },
  ).action(action(terminal, rotate));
}

async function rotate(call: Call<{ from?: string; finish?: boolean }>): Promise<void> {
  const { args, options, prompts } = call;
  const path = options.from ?? (await prompts.text('Which file lists the clients?', '--from <file>'));
  const id = args[0] ?? (await chooseClient(path, prompts));
  await (options.finish === true ? finish(call, id, path) : begin(call, id, path));
}

async function chooseClient(path: string, prompts: Prompts): Promise<string> {
  prompts.assertCanAsk('<id>');
  const { ServiceClientFile } = await import('@latchkey/operations');
  const clients = await new ServiceClientFile(path).list();
  const choices = clients.map(({ id }) => ({ value: id, name: id }));
  return prompts.choice('Which client?', choices, '<id>');
}

async function begin({ output }: Call, id: string, path: string): Promise<void> {
  const { ServiceClientFile } = await import('@latchkey/operations');
  const file = new ServiceClientFile(path);
  const secret = await usingFiles(file.path, () => file.addSecret(id));
  output.answer({
    view: { id, secrets: 2, file: file.path, secret },
    text: `New secret of ${id}: ${secret}\nAdded to ${file.path}, beside the previous one.`,
    id: secret,
  });
  output.note(
    'The secret is shown only once. Restart the service, configure the client, and then run it with --finish.',
  );
}

async function finish({ output, prompts }: Call, id: string, path: string): Promise<void> {
  const { ServiceClientFile } = await import('@latchkey/operations');
  const file = new ServiceClientFile(path);
  const client = (await file.list()).find((one) => one.id === id);
  if (client?.secretHashes.length === 1) {
    throw CommandError.usage(`${id} has only one secret.`, 'Run it without --finish to add a second one.');
  }
  await prompts.confirm(
    `Remove the older secret of ${id}? Clients that still use it get no tokens any more.`,
  );
  await usingFiles(file.path, () => file.removeOldSecret(id));
  output.answer({
    view: { id, secrets: 1, file: file.path },
    text: `Removed the older secret of ${id} from ${file.path}. Restart the service.`,
  });
}
