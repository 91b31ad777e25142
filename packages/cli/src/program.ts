import { styleText } from 'node:util';
import { Command } from 'commander';
import { addKeysCommands } from './commands/keys.js';
import { addMigrateCommands } from './commands/migrate.js';
import { addSessionsCommands } from './commands/sessions.js';
import { addUsersCommands } from './commands/users.js';
import { wrapped } from './runtime/command-options.js';
import type { Terminal } from './runtime/terminal.js';
import { version } from './version.js';

const DESCRIPTION = 'Operates a Latchkey authentication service: its schema, keys, users and sessions.';

const PARAGRAPHS = [
  'It works on the database of the service, with the settings of the service (environment and .env file). Beside a ' +
    'service that was started without settings (npm start) it finds the database of that service. What it changes ' +
    'is audited as done by cli:<your account>.',
  'On a terminal it prints tables and asks for what is missing. Elsewhere it asks nothing and prints one line an ' +
    'entry, fields separated by tabs; --json prints the objects that the HTTP routes answer with. Results go to ' +
    'standard output, everything else to standard error.',
  'Exit codes: 0 done, 1 failed, 2 used wrongly, 3 not found, 4 database not reachable, 130 interrupted.',
];

const EXAMPLES = `Examples:
  # the first administrator of a new installation
  latchkey users create --email ada@example.com --role PLATFORM_SUPERADMIN
  # who is waiting for approval
  latchkey users list --status PENDING
  # what a command does and takes
  latchkey users approve --help`;

const WIDEST_HELP = 100;

/** All commands. Nothing heavy is loaded until one of them runs. */
export function createProgram(terminal: Terminal): Command {
  const { stdout, stderr } = terminal.raw;
  const helpWidth = () => Math.min(terminal.columns, WIDEST_HELP);
  const program = new Command('latchkey')
    .description(DESCRIPTION)
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
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
  addMigrateCommands(program, terminal);
  addKeysCommands(program, terminal);
  addUsersCommands(program, terminal);
  addSessionsCommands(program, terminal);
  pointToHelp(program, 'latchkey');
  return program;
}

/** After a usage error the next step is the help of that very command. */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`See: ${path} --help`);
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`);
}
