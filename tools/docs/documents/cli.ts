import { createProgram } from '../../../packages/cli/src/program.js';
import { Terminal } from '../../../packages/cli/src/runtime/terminal.js';
import type { GeneratedDocument } from './generated-document.js';

type Command = ReturnType<typeof createProgram>;

const COLUMNS = 100;

const introduction = `# The command line

<!-- Written by \`npm run docs\` from the commands in packages/cli/src. Do not edit. -->

\`latchkey\` is for operators: it migrates the schema, creates keys, and manages users, sessions and passkeys. It calls the
same services as the HTTP routes, so rules, effects and audit rows are the same; the actor of an audit row is
\`cli:<your name>\`.

## Installation

\`\`\`sh
npm install @latchkey/cli           # beside an app or the service
npx latchkey users list
\`\`\`

In a checkout, \`npm ci\` and \`npm run build\` are enough. **Run \`npx latchkey\` only in such a folder**: elsewhere npx would fetch another
package of that name from the registry.

## Database and settings

- The settings are those of the service: the environment and the \`.env\` file of the working directory
  ([configuration](configuration.md)). Most commands need only \`DATABASE_URL\` and \`REDIS_URL\`; no signing key is needed,
  even in production.
- Without \`DATABASE_URL\`, commands use the embedded database of a service that runs with the same \`DATA_DIR\`. In a
  checkout they therefore work beside \`npm start\` without any settings.
- \`keys\`, \`tokens\` (without \`--online\`) and \`service-clients\` need no database, and read only the settings that concern
  them.
- Only \`latchkey migrate up\` changes the schema. If migrations are pending, every other command reports it and stops.
- With \`REDIS_URL\`, a revocation reaches host apps with cached session hints at once. Without it, or while Redis is
  unavailable, they notice when the hint expires (\`SESSION_CACHE_TTL\`). The routes of the service itself always ask
  the database.
- \`access\` and \`companies members --module\` ask the core service for the entitlements of companies
  (\`CORE_BASE_URL\`, \`CORE_INTERNAL_API_KEY\`), as the service does.
- Mail caused by a command (a new password, a removed passkey, a resent invitation) is queued in the database and sent by
  the running service. It is queued if the settings deliver mail: \`SMTP_URL\` and \`MAIL_FROM\` are set, or
  \`APP_ENV\` is not \`production\`.

## Operator name

The audit log names the operator, for example \`cli:ann\`. The name is \`--as\` (before or after the command), else
\`LATCHKEY_OPERATOR\` (environment or \`.env\` file), else your account. In production a shared account is not enough: as
\`root\`, as an account of the system or of an image (\`node\`, \`nobody\`), or under a number without an account, a command
that changes something exits with 2 until \`--as\` or \`LATCHKEY_OPERATOR\` names you. Commands that only read still work. The
name is not verified: anyone with the settings of the service can give any name.

\`\`\`sh
npx latchkey users approve bea@example.com --as ann
\`\`\`

## Naming users, sessions and passkeys

Give the whole id, or its first characters: at least four, in any case. Users may also be named by their email or its
first characters. A whole id or email never matches anything else. If several match, you choose from a list on a
terminal; elsewhere the command exits with 2 and lists them. Scripts should use whole ids: ids created within a minute of
each other share their first eight digits or more.

## Scripts

- Standard output holds only the result. Notes, warnings and questions go to standard error.
- If standard output is not a terminal, lists are lines of tab-separated fields without a heading or colours; times are
  ISO 8601. \`--json\` prints the objects that the HTTP routes return, lists as arrays. \`--quiet\` prints only ids, or
  nothing.
- Commands ask questions only if standard input and standard error are a terminal. Elsewhere, anything that needs
  confirmation needs \`--yes\`; without it the command exits with 2 and changes nothing.
- Passwords come from a prompt or from standard input (\`--password-stdin\`); tokens come from a prompt, standard input or
  a file. Neither is ever an argument.
- Colours follow the terminal and \`NO_COLOR\`.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed: rejected by a rule, a conflict, invalid settings, a schema that does not fit, an error found by \`doctor\`, or the answer "no" to a question |
| 2 | usage error: an unknown option, a missing or malformed value, an ambiguous name, or a confirmation that could not be asked for |
| 3 | the user, session, passkey, invitation, service client or file does not exist |
| 4 | the database, the core service or another address cannot be reached, or is not configured |
| 130 | interrupted by Ctrl-C, which is also how \`audit tail\` ends; \`serve\` and \`dev\` stop gracefully, with 0 |

An error is one sentence and, if there is one, the next step. \`--verbose\` adds details.

## Shell completion

\`latchkey completion <shell>\` prints a script for bash, zsh, fish or PowerShell. It completes commands, options and values
from a list, reads no settings and connects to nothing. See [latchkey completion](#latchkey-completion).
`;

export const cliDocument: GeneratedDocument = {
  path: 'docs/cli.md',
  render: () => {
    const written: string[] = [];
    const stream = { columns: COLUMNS, write: (text: string) => void written.push(text) };
    const stdin = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: '' }) }),
    };
    const program = createProgram(new Terminal({ stdin, stdout: stream, stderr: stream }));
    const helpOf = (command: Command): string => {
      command.outputHelp();
      return written.splice(0).join('').trimEnd();
    };
    return [
      introduction,
      ...program
        .createHelp()
        .visibleCommands(program)
        .map((noun) => sectionOf(noun, helpOf)),
    ].join('\n');
  },
};

function sectionOf(noun: Command, helpOf: (command: Command) => string): string {
  const title = `## latchkey ${noun.name()}\n\n${noun.description()}\n`;
  const parts = noun.commands.flatMap((command) => partsOf(`latchkey ${noun.name()}`, command, helpOf));
  return [title, ...(parts.length === 0 ? [helpText(noun, helpOf)] : parts)].join('\n');
}

function partsOf(above: string, command: Command, helpOf: (command: Command) => string): string[] {
  const path = `${above} ${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((child) => partsOf(path, child, helpOf));
  return [`### ${path}\n\n${helpText(command, helpOf)}`];
}

const helpText = (command: Command, helpOf: (command: Command) => string): string =>
  `\`\`\`text\n${helpOf(command)}\n\`\`\`\n`;
