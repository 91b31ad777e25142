import type { Command } from 'commander';
import type { MigrationStatus } from '@latchkey/core/administration';
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
    json: '{ applied: string[], already: number }',
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
      .option('--check', 'exit with 1 if any is not applied'),
    {
      json: 'array of { version, name, state, appliedAt }',
      quiet: 'print only the versions',
      notes:
        'States: applied, pending, changed (the file differs from what was applied), missing (applied, no file here). ' +
        'Without a terminal: version, name, state and time, separated by tabs.',
      examples: [
        ['latchkey migrate status', 'show the status'],
        ['latchkey migrate status --check --quiet', 'in a deployment script'],
      ],
    },
  ).action(action(terminal, status));
}

async function up(call: Call): Promise<void> {
  await withMigrations(call, async (migrations) => {
    const view = await migrations.up();
    const { applied, already } = view;
    const outcome =
      applied.length === 0
        ? `The schema is up to date (${already} migrations).`
        : [...applied.map((name) => `applied ${name}`), 'The schema is up to date.'].join('\n');
    call.output.answer({ view, text: outcome });
  });
}

async function status(call: Call<{ check?: boolean }>): Promise<void> {
  await withMigrations(call, async (migrations) => {
    const views = (await migrations.status()).map(toView);
    call.output.list({ items: views, total: views.length }, MIGRATION_LIST);
    const open = views.filter(({ state }) => state !== 'applied').length;
    if (call.options.check === true && open > 0) {
      throw new CommandError(
        EXIT.failed,
        `${open} of ${views.length} migrations are not applied unchanged.`,
        next(views),
      );
    }
  });
}

interface MigrationView extends Omit<MigrationStatus, 'appliedAt'> {
  appliedAt: string | null;
}

const toView = (migration: MigrationStatus): MigrationView => ({
  ...migration,
  appliedAt: migration.appliedAt?.toISOString() ?? null,
});

const next = (views: readonly MigrationView[]): string =>
  views.some(({ state }) => state === 'changed' || state === 'missing')
    ? 'Restore the migration files as they were applied.'
    : 'Run: latchkey migrate up';

const MIGRATION_LIST: ListFormat<MigrationView> = {
  noun: 'migrations',
  columns: [
    { title: 'VERSION', text: ({ version }) => version },
    { title: 'NAME', text: ({ name }) => name, whenNarrow: 'shrink' },
    {
      title: 'STATE',
      text: ({ state }) => state,
      style: ({ state }) => (state === 'applied' ? undefined : state === 'pending' ? 'yellow' : 'red'),
    },
    { title: 'APPLIED', text: ({ appliedAt }) => relativeTime(appliedAt), whenNarrow: 'drop' },
  ],
  fields: ['version', 'name', 'state', 'appliedAt'],
  id: ({ version }) => version,
};
