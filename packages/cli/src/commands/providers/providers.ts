import type { Command } from 'commander';
import type { checkProviders } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import type { ListFormat } from '../../runtime/output.js';
import type { Style, Terminal } from '../../runtime/terminal.js';

export function addProvidersCommands(program: Command, terminal: Terminal): void {
  const providers = program
    .command('providers')
    .helpCommand(false)
    .description('Check the services by which users sign in. Needs no database.');
  const command = providers
    .command('check')
    .description('Ask each service of EXTERNAL_PROVIDERS for its addresses and keys.');
  withCommonOptions(command, {
    json: 'array of { id, label, redirectUri, issuer, keys, problem }',
    quiet: 'print nothing',
    notes:
      'Reads EXTERNAL_PROVIDERS as it is set here, and asks every service at once, for at most three seconds. Register the redirect ' +
      'URI that is shown at the service. Client ids and secrets are used by the first sign-in only, so they are not checked. Without ' +
      'a terminal: id, label, redirect URI, issuer, keys and problem, separated by tabs. Exits with 1 if a service cannot be used.',
    examples: [
      ['latchkey providers check', 'before going live'],
      ['latchkey providers check --json', 'for monitoring'],
    ],
  }).action(action(terminal, check));
}

type Provider = Awaited<ReturnType<typeof checkProviders>>[number];

const PROVIDERS: ListFormat<Provider> = {
  noun: 'providers',
  columns: [
    { title: 'ID', text: ({ id }) => id, isId: true },
    {
      title: 'STATE',
      text: ({ problem }) => problem ?? 'ok',
      style: styleOf,
      whenNarrow: 'shrink',
      least: 16,
    },
    { title: 'ISSUER', text: ({ issuer }) => issuer ?? '', whenNarrow: 'drop' },
    { title: 'KEYS', text: ({ keys }) => (keys === null ? '' : String(keys)), whenNarrow: 'drop' },
    { title: 'REDIRECT URI', text: ({ redirectUri }) => redirectUri, whenNarrow: 'shrink', least: 24 },
  ],
  fields: ['id', 'label', 'redirectUri', 'issuer', 'keys', 'problem'],
  id: ({ id }) => id,
};

function styleOf({ problem }: Provider): Style {
  return problem === null ? 'green' : 'red';
}

async function check({ output, progress }: Call): Promise<void> {
  const { checkProviders } = await import('@latchkey/operations');
  const found = await progress.during('Asking the services', (bar) => {
    bar.at(0, 1);
    return checkProviders();
  });
  if (found.length === 0)
    throw new CommandError(EXIT.failed, 'There is nothing to check.', 'set EXTERNAL_PROVIDERS');
  output.list({ items: found, total: found.length, isTotalExact: true }, PROVIDERS);
  const failed = found.filter(({ problem }) => problem !== null).map(({ id }) => id);
  if (failed.length > 0)
    throw new CommandError(
      EXIT.failed,
      `${failed.join(', ')} cannot be used.`,
      'correct issuer, tenant, type and privateKeyFile in EXTERNAL_PROVIDERS, or let this machine reach them',
    );
}
