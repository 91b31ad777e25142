import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { usingFiles } from '../../runtime/file-failure.js';
import { LineFile } from '../../runtime/line-file.js';
import type { Terminal } from '../../runtime/terminal.js';

interface ExportUsersOptions {
  withHashes?: boolean;
  output?: string;
}

export function addExportUsers(users: Command, terminal: Terminal): void {
  const command = users
    .command('export')
    .description('Export all users, one JSON object on each line, as latchkey users import reads them.')
    .option('--output <file>', 'write to this file, which only you can read, in place of standard output')
    .option(
      '--with-hashes',
      'also export password hashes, recovery codes and the secrets of authenticator apps',
    );
  withCommonOptions(command, {
    json: 'one object on each line, with --output { file, users }',
    audited: true,
    quiet: 'with --output, print only the number of users',
    notes:
      'Exports profiles, statuses, roles, memberships with their grants, and passkeys; not sessions and the audit log. With ' +
      'hashes, an export is enough to guess passwords and to make the codes of authenticator apps: protect it like the ' +
      'database, and delete it after use. If a user has an authenticator app or recovery codes, ENCRYPTION_KEYS is needed then.',
    examples: [
      ['latchkey users export > users.jsonl', 'without secrets'],
      ['latchkey users export --with-hashes --output users.jsonl', 'everything that a move needs'],
    ],
  }).action(action(terminal, exportUsers));
}

async function exportUsers(call: Call<ExportUsersOptions>): Promise<void> {
  const { withHashes, output: path } = call.options;
  const { readFactorKeys } = await import('@latchkey/core/keys');
  const options = { withHashes, encryptionKeys: readFactorKeys()?.reveal() };
  await withOperator(call, async ({ administration, operator, client }) => {
    const slices = administration.userExports.lines(operator, options, client);
    if (path === undefined) for await (const lines of slices) call.output.lines(lines);
    else await usingFiles(path, () => writeFile(call, slices, new LineFile(path)));
  });
}

async function writeFile(
  { progress, output }: Call<ExportUsersOptions>,
  slices: AsyncIterable<readonly string[]>,
  file: LineFile,
): Promise<void> {
  try {
    await progress.during('Exporting users', async (bar) => {
      // A file that cannot be written is reported before users are read, and one without users is empty.
      await file.add([]);
      for await (const lines of slices) {
        await file.add(lines);
        bar.at(file.lines);
      }
    });
    await file.finish();
  } finally {
    await file.discard();
  }
  const view = { file: file.path, users: file.lines };
  const text = `Exported ${countOf(file.lines, 'user')} to ${file.path}.`;
  output.answer({ view, text, id: String(file.lines) });
}
