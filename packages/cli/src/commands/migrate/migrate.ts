import type { Command } from 'commander';
import type { MigrationResult, Migrations, MigrationStatus, PendingMigration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withMigrations } from '../../runtime/connection.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addMigrateCommands(program: Command, terminal: Terminal): void {
  const migrate = program
    .command('migrate')
    .helpCommand(false)
    .description('Migrate the database schema, or show its status.');
  withCommonOptions(migrate.command('up').description('Apply pending migrations.'), {
    json: '{ applied: string[], already: number, newer: string[] }',
    quiet: 'print nothing',
    notes:
      'The service does the same when it starts. Run it as a separate step if several replicas start at once, ' +
      'or if the service may not change the schema. Concurrent runs are safe.',
    examples: [
      ['latchkey migrate up', 'before rolling out a new version'],
      ['DATABASE_URL=postgres://owner@db/auth latchkey migrate up', 'as the owner of the schema'],
    ],
  }).action(action(terminal, up));
  withCommonOptions(
    migrate
      .command('status')
      .description('Show the state of every migration.')
      .option('--check', 'exit with 1 if any is not applied')
      .option('--sql', 'print the SQL of the pending migrations instead'),
    {
      json: 'array of { version, name, state, compatible, appliedAt }; with --sql of { fileName, sql, compatible, transactional }',
      quiet: 'print only the versions',
      notes:
        'States: applied, pending, changed (the file differs from what was applied), missing (applied, no file here), ' +
        'newer (applied by a newer version). On a newer schema this version runs if each newer migration is ' +
        'compatible. Without a terminal: version, name, state, compatible and time, separated by tabs.',
      examples: [
        ['latchkey migrate status', 'show the status'],
        ['latchkey migrate status --sql', 'show what latchkey migrate up would run'],
        ['latchkey migrate status --check --quiet', 'in a deployment script'],
      ],
    },
  ).action(action(terminal, status));
}

async function up(call: Call): Promise<void> {
  await withMigrations(call, async (migrations) => {
    const view = await migrations.up();
    call.output.answer({ view, text: outcomeText(view) });
  });
}

function outcomeText({ applied, already, newer }: MigrationResult): string {
  if (newer.length > 0)
    return `The schema is newer than this version, which can run on it: ${newer.join(', ')}.`;
  if (applied.length === 0) return `The schema is up to date (${already} migrations).`;
  return [...applied.map((name) => `applied ${name}`), 'The schema is up to date.'].join('\n');
}

async function status(call: Call<{ check?: boolean; sql?: boolean }>): Promise<void> {
  await withMigrations(call, async (migrations) => {
    if (call.options.sql === true) return printSql(call, migrations);
    const views = (await migrations.status()).map(toView);
    call.output.list({ items: views, total: views.length }, MIGRATION_LIST);
    const open = views.filter((view) => !isSettled(view)).length;
    if (call.options.check === true && open > 0) {
      throw new CommandError(
        EXIT.failed,
        `${open} of ${views.length} migrations are not applied unchanged.`,
        next(views),
      );
    }
  });
}

async function printSql({ output }: Call, migrations: Migrations): Promise<void> {
  const view = await migrations.pending();
  const text = view.length === 0 ? '-- No migration is pending.' : view.map(sqlText).join('\n');
  output.answer({ view, text });
}

const sqlText = ({ fileName, sql, transactional }: PendingMigration): string =>
  `-- ${fileName}, ${transactional ? 'in one transaction' : 'each statement outside a transaction'}\n${sql.trimEnd()}\n`;

interface MigrationView extends Omit<MigrationStatus, 'appliedAt'> {
  appliedAt: string | null;
}

const toView = (migration: MigrationStatus): MigrationView => ({
  ...migration,
  appliedAt: migration.appliedAt?.toISOString() ?? null,
});

/** The service starts with it. */
const isSettled = ({ state, compatible }: MigrationView): boolean =>
  state === 'applied' || (state === 'newer' && compatible === true);

const next = (views: readonly MigrationView[]): string =>
  views.some(({ state }) => state === 'changed' || state === 'missing')
    ? 'Restore the migration files as they were applied.'
    : views.some(({ state }) => state === 'newer')
      ? 'Run the version of the program that applied the newer migrations.'
      : 'Run: latchkey migrate up';

const COMPATIBLE_TEXT: Record<string, string> = { true: 'yes', false: 'no' };

const MIGRATION_LIST: ListFormat<MigrationView> = {
  noun: 'migrations',
  columns: [
    { title: 'VERSION', text: ({ version }) => version },
    { title: 'NAME', text: ({ name }) => name, whenNarrow: 'shrink' },
    {
      title: 'STATE',
      text: ({ state }) => state,
      style: (view) => (view.state === 'pending' ? 'yellow' : isSettled(view) ? undefined : 'red'),
    },
    {
      title: 'COMPATIBLE',
      text: ({ compatible }) => COMPATIBLE_TEXT[String(compatible)] ?? '',
      whenNarrow: 'drop',
    },
    { title: 'APPLIED', text: ({ appliedAt }) => relativeTime(appliedAt), whenNarrow: 'drop' },
  ],
  fields: ['version', 'name', 'state', 'compatible', 'appliedAt'],
  id: ({ version }) => version,
};
