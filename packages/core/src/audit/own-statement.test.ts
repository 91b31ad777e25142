import { expect, it } from 'vitest';
import { statementFault } from './own-statement.js';

const ENDS = 'Latchkey ends the transaction';

it.each([
  'SELECT 1',
  '  \n\tinsert into app.rows values ($1)',
  'WITH a AS (SELECT 1) UPDATE app.rows SET n = 1',
  'VALUES (1)',
  'MERGE INTO app.rows USING app.others ON false WHEN NOT MATCHED THEN DO NOTHING',
  '/* app:orders */ -- by ann\nDELETE FROM app.rows',
  '/* /* nested */ */SELECT 1',
  '-- a carriage return\rSELECT 1',
  "SELECT set_config('app.tenant', current_setting('app.default'), true)",
  'SELECT pg_advisory_xact_lock(1)',
  "SELECT 'COMMIT'",
])('%j may run', (text) => {
  expect(statementFault(text)).toBeUndefined();
});

it.each([
  ['COMMIT', ENDS],
  ['rollback to one', ENDS],
  ['SAVEPOINT one', ENDS],
  ['BEGIN', ENDS],
  ['PREPARE TRANSACTION $$x$$', ENDS],
  ['SET search_path = evil', ENDS],
  ['LISTEN app', ENDS],
  ['CREATE TABLE app.rows (n int)', ENDS],
  ['DO $$ BEGIN COMMIT; END $$', ENDS],
  ['CALL app.commits()', ENDS],
  ['EXPLAIN ANALYZE SELECT 1', ENDS],
  ['SELECTED', ENDS],
  ['; COMMIT', ENDS],
  ['', ENDS],
  ['/* SELECT 1 */', ENDS],
  ['/* SELECT 1', ENDS],
  ['-- SELECT 1', ENDS],
  ['/* a */ /* b */ COMMIT', ENDS],
  ['/* /* */ SELECT */ COMMIT', ENDS],
  ['-- a\rCOMMIT/*\nSELECT 1*/', ENDS],
  [7, ENDS],
  [undefined, ENDS],
  [{ text: 'SELECT 1' }, ENDS],
  ["SELECT set_config('search_path', 'evil', false)", 'give it true as third value'],
  ["SELECT SET_CONFIG('role', 'evil', $1)", 'give it true as third value'],
  ['SELECT pg_advisory_lock(1)', 'use pg_advisory_xact_lock'],
  ['SELECT pg_try_advisory_lock_shared(1)', 'use pg_advisory_xact_lock'],
])('%j may not run', (text, reason) => {
  expect(statementFault(text)).toContain(reason);
});
