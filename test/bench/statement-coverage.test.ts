import { describe, expect, it } from 'vitest';
import { declaredStatements } from '../../bench/support/plans/declared-statements.js';
import { coverageFaults } from '../../bench/support/plans/statement-coverage.js';
import { StatementRecorder } from '../../bench/support/plans/statement-recorder.js';
import { Database, statement } from '../../packages/core/src/storage/database.js';
import { createTestDatabase } from '../support/test-database.js';

const declared = (name: string) => ({
  name,
  matches: (other: string) => other === name,
  file: 'packages/core/src/a.ts',
});

describe('statements that the check of plans does not run', () => {
  it('a declared statement that was neither run nor named with a reason is a fault', () => {
    const faults = coverageFaults([declared('a'), declared('b')], new Set(['a']), {});
    expect(faults).toEqual([expect.stringContaining('b (packages/core/src/a.ts) was not run')]);
  });

  it('a reason replaces a run', () => {
    expect(coverageFaults([declared('a')], new Set(), { a: 'reads no table' })).toEqual([]);
  });

  it('a reason for a statement that was run or does not exist is a fault', () => {
    const reasons = { a: 'reads no table', gone: 'reads no table' };
    expect(coverageFaults([declared('a')], new Set(['a']), reasons)).toEqual([
      expect.stringMatching(/^a was run or is not declared/),
      expect.stringMatching(/^gone was run or is not declared/),
    ]);
  });

  it('a name that is completed at run time is covered by any name of its form', () => {
    const patterns = declaredStatements().filter(({ name }) => name === 'retention_measure_*');
    expect(patterns).toHaveLength(1);
    expect(coverageFaults(patterns, new Set(['retention_measure_mail']), {})).toEqual([]);
    expect(coverageFaults(patterns, new Set(['retention_measure_']), {})).toHaveLength(1);
  });
});

it('the names of statements are recorded, inside and outside transactions', async () => {
  const test = await createTestDatabase();
  const database = new Database({ url: test.url, poolMax: 1, preparedStatements: true });
  try {
    const recorder = new StatementRecorder();
    const watched = recorder.watch(database);
    await watched.query(statement('outside', 'SELECT 1'), []);
    await watched.transaction((trx) => watched.query(statement('inside', 'SELECT 1'), [], trx));
    expect([...recorder.seen]).toEqual(['outside', 'inside']);
  } finally {
    await database.close();
    await test.drop();
  }
});
