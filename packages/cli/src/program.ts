import { styleText } from 'node:util';
import { Command } from 'commander';
import { addAccessCommands } from './commands/access/access.js';
import { addApiKeysCommands } from './commands/api-keys/api-keys.js';
import { addAuditCommands } from './commands/audit/audit.js';
import { addBootstrapCommand } from './commands/bootstrap/bootstrap.js';
import { addCleanupCommand } from './commands/cleanup/cleanup.js';
import { addCompaniesCommands } from './commands/companies/companies.js';
import { addCompletionCommands } from './commands/completion/completion.js';
import { addConfigCommands } from './commands/config/config.js';
import { addDevCommand } from './commands/dev/dev.js';
import { addDoctorCommand } from './commands/doctor/doctor.js';
import { addHelpCommands } from './commands/help/help.js';
import { addIdentitiesCommands } from './commands/identities/identities.js';
import { addInvitationsCommands } from './commands/invitations/invitations.js';
import { addKeysCommands } from './commands/keys/keys.js';
import { addMailCommands } from './commands/mail/mail.js';
import { addMigrateCommands } from './commands/migrate/migrate.js';
import { addPasskeysCommands } from './commands/passkeys/passkeys.js';
import { addPasswordsCommands } from './commands/passwords/passwords.js';
import { addProvidersCommands } from './commands/providers/providers.js';
import { addRolesCommands } from './commands/roles/roles.js';
import { addServeCommand } from './commands/serve/serve.js';
import { addServiceClientsCommands } from './commands/service-clients/service-clients.js';
import { addSessionsCommands } from './commands/sessions/sessions.js';
import { addTokensCommands } from './commands/tokens/tokens.js';
import { addUsersCommands } from './commands/users/users.js';
import { addWebhooksCommands } from './commands/webhooks/webhooks.js';
import { AS, wrapped } from './runtime/command-options.js';
import type { Terminal } from './runtime/terminal.js';
import { version } from './version.js';

const DESCRIPTION =
  'Operates a Latchkey authentication service: its schema, keys, users, sessions, companies and audit log.';

const PARAGRAPHS = [
  'Works on the database of the service, with its settings (environment and .env file). Beside a ' +
    'service without settings (npm start) it finds the database of that service. Changes are ' +
    'audited as cli:<your name>: --as, LATCHKEY_OPERATOR or your account.',
  'On a terminal it prints tables and asks for missing values. Elsewhere it never asks, and prints one line an ' +
    'entry with fields separated by tabs; --json prints the objects that the HTTP routes return. Results go to ' +
    'standard output, everything else to standard error.',
  'Exit codes: 0 done, 1 failed, 2 usage error, 3 not found, 4 database or core service unavailable, 130 interrupted.',
];

const EXAMPLES = `Examples:
  # the first superadmin of a new installation
  latchkey bootstrap --email ada@example.com
  # users who wait for approval
  latchkey users list --status PENDING
  # the help of a command
  latchkey users approve --help`;

const WIDEST_HELP = 100;

/** Creates all commands. Loads nothing heavy until one of them runs. */
export function createProgram(terminal: Terminal): Command {
  const { stdout, stderr } = terminal.raw;
  const helpWidth = () => Math.min(terminal.columns, WIDEST_HELP);
  const program = new Command('latchkey')
    .description(DESCRIPTION)
    .version(version, '-v, --version', 'print the version')
    .option(...AS)
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    })
    .configureHelp({ styleTitle: (title) => styleText('bold', title) })
    .addHelpText('after', ({ command }) =>
      ['', ...PARAGRAPHS.map((text) => `${wrapped(command, text)}\n`), EXAMPLES].join('\n'),
    );
  program.commandsGroup('Get started:');
  addBootstrapCommand(program, terminal);
  addDevCommand(program, terminal);
  addServeCommand(program, terminal);
  addConfigCommands(program, terminal);
  addMigrateCommands(program, terminal);
  addOperatingCommands(program, terminal);
  program.commandsGroup('Inspect:');
  addDoctorCommand(program, terminal);
  addAuditCommands(program, terminal);
  addCompaniesCommands(program, terminal);
  addAccessCommands(program, terminal);
  addTokensCommands(program, terminal);
  program.commandsGroup('Help:');
  addHelpCommands(program, terminal);
  addCompletionCommands(program);
  pointToHelp(program, 'latchkey');
  return program;
}

/** Makes usage errors point to the help of the command. */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`See: ${path} --help`);
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`);
}

function addOperatingCommands(program: Command, terminal: Terminal): void {
  program.commandsGroup('Operate:');
  addUsersCommands(program, terminal);
  addSessionsCommands(program, terminal);
  addPasskeysCommands(program, terminal);
  addIdentitiesCommands(program, terminal);
  addApiKeysCommands(program, terminal);
  addPasswordsCommands(program, terminal);
  addInvitationsCommands(program, terminal);
  addKeysCommands(program, terminal);
  addServiceClientsCommands(program, terminal);
  addMailCommands(program, terminal);
  addWebhooksCommands(program, terminal);
  addProvidersCommands(program, terminal);
  addRolesCommands(program, terminal);
  addCleanupCommand(program, terminal);
}
