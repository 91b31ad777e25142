import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MigrationFolder } from '../../../../test/support/migration-folder.js';

let folder: MigrationFolder;

beforeEach(async () => {
  folder = await MigrationFolder.create();
  await folder.write('0001_apples.sql', 'create table apples (id int);');
  await folder.write('0002_pears.sql', '-- compatible\ncreate table pears (id int);');
});

afterEach(() => folder.drop());

/** Applies further files, and removes them as a return to the earlier version does. */
async function migrateAndGoBack(files: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await folder.write(name, sql);
  await folder.migrator().up();
  await folder.remove(...Object.keys(files));
}

const attempts = async (): Promise<string[]> => {
  const migrator = folder.migrator();
  const results = await Promise.allSettled([migrator.up(), migrator.assertCurrent(), migrator.pending()]);
  return results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'accepted'));
};

describe('a schema that is newer than the program', () => {
  it('a newer schema is accepted and returned while every newer migration is compatible', async () => {
    await migrateAndGoBack({
      '0003_plums.sql': '-- compatible\ncreate table plums (id int)',
      '0004_figs.sql': '-- compatible\ncreate table figs (id int)',
    });
    const migrator = folder.migrator();
    const newer = ['0003_plums.sql', '0004_figs.sql'];
    expect(await migrator.up()).toEqual({ applied: [], already: 2, newer });
    expect(await migrator.assertCurrent()).toEqual(newer);
    expect(await migrator.pending()).toEqual([]);
    expect((await migrator.status()).map(({ state, compatible }) => [state, compatible])).toEqual([
      ['applied', null],
      ['applied', true],
      ['newer', true],
      ['newer', true],
    ]);
  });

  it('a newer schema is refused if one newer migration is incompatible, and the message has its reason', async () => {
    await migrateAndGoBack({
      '0003_plums.sql': '-- compatible\ncreate table plums (id int)',
      '0004_figs.sql': '-- incompatible: apples.id is a bigint\nalter table apples alter id type bigint',
      '0005_dates.sql': '-- compatible\ncreate table dates (id int)',
    });
    for (const attempt of await attempts()) {
      expect(attempt).toBe(
        'MigrationError: The database has 0004_figs.sql, which is newer than 0002_pears.sql, the last one this program ' +
          'knows, and this program cannot run on it: apples.id is a bigint. Start the newer program, or restore a ' +
          'backup from before that migration.',
      );
    }
  });

  it('a newer schema is refused if a newer migration does not say whether it is compatible', async () => {
    await migrateAndGoBack({ '0003_plums.sql': 'create table plums (id int)' });
    for (const attempt of await attempts()) {
      expect(attempt).toContain(
        'this program cannot run on it: it is not declared compatible. Start the newer program',
      );
    }
  });

  it('a program does not apply its own pending migrations to a newer schema', async () => {
    await migrateAndGoBack({ '0004_figs.sql': '-- compatible\ncreate table figs (id int)' });
    await folder.write('0003_plums.sql', '-- compatible\ncreate table plums (id int)');
    await expect(folder.migrator().up()).rejects.toThrow(
      'The database lacks 0003_plums.sql but has 0004_figs.sql, which is newer than this program.',
    );
    expect(await folder.sql("select to_regclass('plums') as plums")).toEqual([{ plums: null }]);
  });
});

describe('a ledger of a version that kept no declarations', () => {
  const OLD_LEDGER = 'alter table schema_migrations drop column compatible, drop column incompatible_reason';

  beforeEach(async () => {
    await folder.migrator().up();
    await folder.sql(OLD_LEDGER);
  });

  it('an old ledger is read as before, and nothing newer in it counts as compatible', async () => {
    expect(await folder.migrator().up()).toEqual({ applied: [], already: 2, newer: [] });
    await folder.remove('0002_pears.sql');
    for (const attempt of await attempts()) expect(attempt).toContain('it is not declared compatible');
  });

  it('the next migration adds the declarations of the files that were applied before', async () => {
    await folder.write('0003_plums.sql', '-- compatible\ncreate table plums (id int)');
    await folder.migrator().up();
    await folder.remove('0002_pears.sql', '0003_plums.sql');
    expect(await folder.migrator().assertCurrent()).toEqual(['0002_pears.sql', '0003_plums.sql']);
  });

  it('a migrator of that version and one of this version can use one ledger', async () => {
    await folder.write('0003_plums.sql', '-- compatible\ncreate table plums (id int)');
    await folder.migrator().up();
    await folder.sql(
      "insert into schema_migrations (version, name, checksum) values ('0004', 'figs', 'abc')",
    );
    for (const attempt of await attempts()) expect(attempt).toContain('The database has 0004_figs.sql');
  });
});

it('a role that may only read can check an old and a new ledger', async () => {
  await folder.migrator().up();
  const role = `reader_${new URL(folder.url).pathname.slice(1)}`;
  await folder.sql(`create role ${role} login; grant usage on schema public to ${role};
    grant select on all tables in schema public to ${role}`);
  const url = new URL(folder.url);
  url.username = role;
  const migrator = folder.migrator(folder.open(url.href));
  try {
    await folder.remove('0002_pears.sql');
    expect(await migrator.assertCurrent()).toEqual(['0002_pears.sql']);
    expect((await migrator.up()).newer).toEqual(['0002_pears.sql']);
    await folder.sql('alter table schema_migrations drop column compatible, drop column incompatible_reason');
    await expect(migrator.assertCurrent()).rejects.toThrow('it is not declared compatible');
  } finally {
    await folder.sql(`drop owned by ${role}; drop role ${role}`);
  }
});
