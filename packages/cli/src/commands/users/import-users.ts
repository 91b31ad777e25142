import { Option, type Command } from 'commander';
import type { ImportFollower, ImportFormat, ImportResult } from '@latchkey/operations';
import { IMPORT_CONFLICTS, IMPORT_FORMATS } from '@latchkey/operations/names';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator, type OperatorSession } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { usingFiles } from '../../runtime/file-failure.js';
import { untilInterrupted } from '../../runtime/interruption.js';
import { LineFile } from '../../runtime/line-file.js';
import { assertReadable } from '../../runtime/readable-file.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readTextFile } from '../../runtime/text-file.js';

interface ImportUsersOptions {
  format: ImportFormat;
  onConflict: (typeof IMPORT_CONFLICTS)[number];
  dryRun?: boolean;
  wrapWeak?: boolean;
  allowRoles?: boolean;
  rejected?: string;
  firebaseHashConfig?: string;
}

export function addImportUsers(users: Command, terminal: Terminal): void {
  const command = users
    .command('import')
    .argument('<file>', 'file with users')
    .description('Import users from an export of this or of another system.')
    .addOption(new Option('--format <format>', 'format of the file').choices(IMPORT_FORMATS).default('jsonl'))
    .addOption(
      new Option('--on-conflict <action>', 'what to do with users who exist')
        .choices(IMPORT_CONFLICTS)
        .default('skip'),
    )
    .option('--dry-run', 'only check the file; write nothing')
    .option('--wrap-weak', 'protect password hashes of other schemes by Argon2id at once')
    .option('--allow-roles', 'import roles, memberships of users who exist, grants and finance fields')
    .option(
      '--firebase-hash-config <file>',
      'the password hash parameters, as the Firebase console shows them',
    )
    .option(
      '--rejected <file>',
      'write rejected and incomplete entries there (default: FILE.rejected.jsonl)',
    );
  withCommonOptions(command, {
    json: '{ status, created, updated, skipped, rejected, isComplete, reports? }',
    audited: true,
    quiet: 'print only the number of created users',
    notes:
      'An import that was interrupted is continued by the same command: no user is missing or there twice. Users who exist ' +
      'are skipped; with update, their profile is changed, and with --allow-roles memberships are added. Passwords go on working ' +
      'if the file has hashes of Argon2, bcrypt, scrypt, PBKDF2 or phpass, and are stored by Argon2id at the next sign-in. ' +
      'Exits with 1 if an entry was rejected.',
    examples: [
      ['latchkey users import users.jsonl --dry-run', 'check a file'],
      ['latchkey users import auth0-users.json --format auth0', 'users of Auth0'],
      ['latchkey users import users.jsonl --allow-roles', 'users of another Latchkey, with their rights'],
    ],
  }).action(action(terminal, importUsers));
}

async function importUsers(call: Call<ImportUsersOptions>): Promise<void> {
  const [file = ''] = call.args;
  await assertReadable(file);
  const reports = new LineFile(call.options.rejected ?? `${file}.rejected.jsonl`);
  await untilInterrupted((signal) =>
    withOperator(call, async (session) => {
      try {
        answer(call, await run(call, session, { reports, signal }), reports);
      } finally {
        await reports.discard();
      }
    }),
  );
}

async function run(
  call: Call<ImportUsersOptions>,
  { administration, operator, client }: OperatorSession,
  { reports, signal }: { reports: LineFile; signal: AbortSignal },
): Promise<ImportResult> {
  const [file = ''] = call.args;
  const { readFactorKeys } = await import('@latchkey/core/keys');
  const request = {
    file,
    ...importOptionsOf(call.options),
    firebase: await firebaseOf(call.options),
    encryptionKeys: readFactorKeys()?.reveal(),
  };
  return call.progress.during('Importing users', (bar) => {
    const follower: ImportFollower = {
      onResume: (position) => call.output.note(`Continuing the interrupted import after entry ${position}.`),
      onProgress: ({ bytes, totalBytes }) => bar.at(bytes, totalBytes),
      onReports: (slice) =>
        usingFiles(reports.path, () => reports.add(slice.map((report) => JSON.stringify(report)))),
      onComplete: () => usingFiles(reports.path, () => reports.finish()),
      signal,
    };
    return administration.userImports.importFile(operator, request, follower, client);
  });
}

/** The signer key is a secret, so it is in a file and never an argument. */
async function firebaseOf({ firebaseHashConfig: path }: ImportUsersOptions) {
  if (path === undefined) return undefined;
  const { parseFirebaseHashConfig } = await import('@latchkey/operations');
  return parseFirebaseHashConfig(await readTextFile(path));
}

const importOptionsOf = ({ format, onConflict, dryRun, wrapWeak, allowRoles }: ImportUsersOptions) => ({
  format,
  onConflict,
  dryRun,
  wrapWeak,
  allowRoles,
});

function answer(call: Call<ImportUsersOptions>, result: ImportResult, reports: LineFile): void {
  const { created, updated, skipped, rejected, isComplete } = result;
  const view = { ...result, ...(reports.lines > 0 && { reports: reports.path }) };
  const counts = [
    `created ${created}`,
    `updated ${updated}`,
    `skipped ${skipped}`,
    `rejected ${rejected}`,
  ].join(', ');
  const title = call.options.dryRun === true ? 'The import would have' : 'Users:';
  call.output.answer({ view, text: `${title} ${counts}.`, id: String(created) });
  if (!isComplete) call.output.note('Interrupted. The same command continues the import.');
  if (reports.lines > 0) {
    call.output.note(`What was rejected or left out: ${countOf(reports.lines, 'line')} in ${reports.path}.`);
  }
  if (rejected > 0) throw new CommandError(EXIT.failed, `${countOf(rejected, 'entry', 'entries')} rejected.`);
}
