import { createProgram } from '../../packages/cli/src/program.js';
import { Terminal } from '../../packages/cli/src/runtime/terminal.js';
import type { GeneratedDocument } from './generated-document.js';

type Command = ReturnType<typeof createProgram>;

const COLUMNS = 100;

const introduction = `# The command line

<!-- Written by \`npm run docs\` from the commands in packages/cli/src. Do not edit. -->

\`latchkey\` does what operators do: migrate the schema, make keys, look after users, sessions and passkeys. It calls the same
services as the HTTP routes, so rules, effects and audit rows are the same; the actor of an audit row is
\`cli:<your name>\`.

\`\`\`sh
npm run build                       # once, in a checkout
npm run latchkey -- users list      # or: npx latchkey users list
\`\`\`

## Which database

- The settings are those of the service: the environment and the \`.env\` file of the working directory
  ([configuration](configuration.md)). \`DATABASE_URL\` and \`REDIS_URL\` are all that matters here; a signing key is not
  needed, in production neither.
- Without \`DATABASE_URL\` the embedded database of a service that runs with the same \`DATA_DIR\` is used, so in a
  checkout the commands work beside \`npm start\` with no settings at all.
- \`keys\`, \`tokens\` (without \`--online\`) and \`service-clients\` need no database, and heed no setting but those they are
  about.
- Nothing but \`latchkey migrate up\` changes the schema. When the schema is behind, every other command says so and stops.
- With \`REDIS_URL\` a revocation also reaches host apps that live on cached session hints at once. Without it, or while
  Redis is away, they notice when the hint expires (\`SESSION_CACHE_TTL\`). The routes of the service itself always ask
  the database.
- What companies are entitled to is asked of the core service (\`CORE_BASE_URL\`, \`CORE_INTERNAL_API_KEY\`) by
  \`access\` and by \`companies members --module\`, as the service does.
- Mail that a command causes (a password was set, a passkey removed, an invitation sent anew) is queued in the database and sent by the running
  service. It is queued where the settings say that mail is delivered: \`SMTP_URL\` and \`MAIL_FROM\` are set, or
  \`APP_ENV\` is not \`production\`.

## Who does it

The audit log names the operator, as \`cli:ann\`. The name is that of \`--as\`, which may stand before or after the command, else
that of \`LATCHKEY_OPERATOR\` (environment or \`.env\` file), else that of your account. In production an account that several
people share does not do: as \`root\`, as an account of the system or of an image (\`node\`, \`nobody\`), or under a number without
an account, a command that changes something exits with 2 until one of the two names you. Commands that look go on. The name
is what the person at the shell says: whoever has the settings of the service can say anything.

\`\`\`sh
npx latchkey users approve bea@example.com --as ann
\`\`\`

## Naming users, sessions and passkeys

By the whole id, a user by the whole email, too, or by the beginning of either: at least four characters, in any case. A
whole id or email never names anybody else. When several begin so, a person chooses from a list; elsewhere the command
exits with 2 and names them. Scripts should give whole ids. Ids made within a minute of each other share their first
eight digits or more.

## In scripts

- Standard output holds the result and nothing else. Notes, warnings and questions go to standard error.
- Where standard output is no terminal, lists are lines of tab-separated fields without a heading or colours; times are
  ISO 8601. \`--json\` prints the objects that the HTTP routes answer with, lists as arrays. \`--quiet\` prints ids only, or
  nothing.
- Nothing is ever asked unless standard input and standard error are a terminal. What would be confirmed there needs
  \`--yes\`; without it the command exits with 2 and changes nothing.
- Passwords come from a question or from standard input (\`--password-stdin\`), tokens from a question, standard input or
  a file, never from the command line.
- Colours follow the terminal and \`NO_COLOR\`.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed: refused by a rule, a conflict, faulty settings, a schema that does not fit, an error that \`doctor\` has found; also when the answer to a question was no |
| 2 | used wrongly: an unknown option, a missing or malformed value, a name that several share, a confirmation that nobody could give |
| 3 | the user, session, passkey, invitation, service client or file does not exist |
| 4 | the database, the core service or another address that was named cannot be reached, or is not configured |
| 130 | interrupted by Ctrl-C, which is also how \`audit tail\` ends; \`serve\` and \`dev\` stop in good order, with 0 |

An error is one sentence and, where there is one, the next step. \`--verbose\` adds what happened underneath.
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
    return [introduction, ...program.commands.map((noun) => sectionOf(noun, helpOf))].join('\n');
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
