import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMigrationHeader } from './migration-header.js';

const MIGRATIONS = join(import.meta.dirname, '../../../../migrations');
/** Files from here on declare whether they are compatible. The earlier ones were released without. */
const FIRST_DECLARED = '0024';

it.each([
  ['-- compatible\ncreate table t ();', true, null, true],
  ['-- compatible \r\ncreate table t ();'.replace('\r', ''), true, null, true],
  ['-- incompatible: drops users.nickname\nselect 1;', false, 'drops users.nickname', true],
  ['-- compatible\n-- no transaction\ncreate index', true, null, false],
  ['-- no transaction\ncreate index', null, null, false],
  ['-- People who can sign in.\n-- compatible\n', null, null, true],
  ['-- compatible with everything\n', null, null, true],
  ['', null, null, true],
])('the first lines of a migration declare what it is: %j', (sql, compatible, reason, transactional) => {
  expect(readMigrationHeader('0001_users.sql', sql)).toEqual({
    compatible,
    incompatibleReason: reason,
    transactional,
  });
});

it.each(['-- incompatible', '-- incompatible:', '-- incompatible:  \n'])(
  'a migration that is incompatible must say why: %j',
  (sql) => {
    expect(() => readMigrationHeader('0040_plums.sql', sql)).toThrow(
      '0040_plums.sql does not say why it is incompatible. Write its first line as: -- incompatible: <reason>',
    );
  },
);

it('every migration since the first release says whether it is compatible', async () => {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql') && name >= FIRST_DECLARED);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const { compatible } = readMigrationHeader(name, await readFile(join(MIGRATIONS, name), 'utf8'));
    expect(
      compatible,
      `${name}: write -- compatible or -- incompatible: <reason> in its first line`,
    ).toBeTypeOf('boolean');
  }
});
