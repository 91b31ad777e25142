import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError } from '../../runtime/failure.js';
import { usingFiles } from '../../runtime/file-failure.js';
import type { Prompts } from '../../runtime/prompts.js';
import type { Terminal } from '../../runtime/terminal.js';

interface RotateOptions {
  from?: string;
  finish?: boolean;
}

export function addRotate(clients: Command, terminal: Terminal): void {
  withCommonOptions(
    clients
      .command('rotate')
      .argument('[id]', 'name of the client; asked for on a terminal')
      .description('Give a service client a second secret or, with --finish, take the older one away.')
      .option('--from <file>', 'the file that SERVICE_CLIENTS_FILE names; asked for on a terminal')
      .option('--finish', 'take the older secret away'),
    {
      json: '{ id, secrets: 1 | 2, file } and, without --finish, secret',
      quiet: 'print the new secret only; with --finish nothing',
      confirms: true,
      notes:
        'First the service gets the file with both and is restarted, then the client gets the new secret, then --finish, ' +
        'and the service is restarted once more. A third secret is refused. Asks for consent with --finish only.',
      examples: [
        ['latchkey service-clients rotate billing --from clients.json', 'both secrets are accepted'],
        ['latchkey service-clients rotate billing --from clients.json --finish --yes', 'only the new one is'],
      ],
    },
  ).action(action(terminal, rotate));
}

async function rotate(call: Call<RotateOptions>): Promise<void> {
  const { args, options, prompts } = call;
  const path = options.from ?? (await prompts.text('Which file lists the clients?', '--from <file>'));
  const id = args[0] ?? (await chooseClient(path, prompts));
  await (options.finish === true ? finish(call, id, path) : begin(call, id, path));
}

async function chooseClient(path: string, prompts: Prompts): Promise<string> {
  prompts.assertCanAsk('<id>');
  const { ServiceClientFile } = await import('@latchkey/core/administration');
  const clients = await new ServiceClientFile(path).list();
  const choices = clients.map(({ id }) => ({ value: id, name: id }));
  return prompts.choice('Which client?', choices, '<id>');
}

async function begin({ output }: Call, id: string, path: string): Promise<void> {
  const { ServiceClientFile } = await import('@latchkey/core/administration');
  const file = new ServiceClientFile(path);
  const secret = await usingFiles(file.path, () => file.addSecret(id));
  output.answer({
    view: { id, secrets: 2, file: file.path, secret },
    text: `New secret of ${id}: ${secret}\nAdded to ${file.path}, beside the one before.`,
    id: secret,
  });
  output.note('The secret is shown this once. Restart the service, tell the client, and then use --finish.');
}

async function finish({ output, prompts }: Call, id: string, path: string): Promise<void> {
  const { ServiceClientFile } = await import('@latchkey/core/administration');
  const file = new ServiceClientFile(path);
  const client = (await file.list()).find((one) => one.id === id);
  if (client?.secretHashes.length === 1) {
    throw CommandError.usage(`${id} has one secret only.`, 'Without --finish it gets a second one.');
  }
  await prompts.confirm(
    `Take the older secret of ${id} away? Whoever still uses it gets no tokens any more.`,
  );
  await usingFiles(file.path, () => file.removeOldSecret(id));
  output.answer({
    view: { id, secrets: 1, file: file.path },
    text: `The older secret of ${id} is gone from ${file.path}. Restart the service.`,
  });
}
