import fs from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestAuth } from '@latchkey/testing';
import { declaredStatements } from '../../bench/support/plans/declared-statements.js';
import { Database } from '../../packages/core/src/storage/database.js';

const page = fs.readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
const [, requests = ''] = /\n(\| request .*?)\n\n/s.exec(page) ?? [];
/** The second column of the table of requests. */
const named = requests
  .split('\n')
  .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name!));

/** Outside of requests: the delivery of mail. */
const isBackground = (name: string): boolean => name.startsWith('mail_');

it('every statement in the table of requests of the scaling page is declared', () => {
  const declared = declaredStatements();
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !declared.some(({ matches }) => matches(name)))).toEqual([]);
});

it('a sign-in, a request, a refresh and a sign-out get one row by statements that the scaling page names', async () => {
  await using kit = await createTestAuth();
  await kit.user();
  const { email, password } = await kit.user();
  const spies = [vi.spyOn(Database.prototype, 'query'), vi.spyOn(Database.prototype, 'queryOnConnection')];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const signedIn = await kit.auth.login.withPassword({ email, password });
  if (!('accessToken' in signedIn)) throw new Error('the user has no second factor');
  await kit.auth.authenticator.authenticate(signedIn.accessToken);
  const { refreshToken } = await kit.auth.refresh.refresh(signedIn.refreshToken);
  await kit.auth.sessions.logout(refreshToken);
  const sent = spies
    .flatMap((spy) =>
      spy.mock.calls.map(([{ name }], at) => ({ name, rows: spy.mock.results[at]?.value as unknown })),
    )
    .filter(({ name }) => !isBackground(name));
  const names = sent.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['session_check', 'session_open', 'session_rotate']));
  expect(names.filter((name) => !named.includes(name))).toEqual([]);
  const answers = (await Promise.all(sent.map(({ rows }) => rows))) as object[][];
  expect(answers.filter((rows) => rows.length > 1)).toEqual([]);
});
