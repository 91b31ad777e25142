import { expect, it } from 'vitest';
import { describeOnTerminal, runCliOnTerminal } from '../support/cli-process.js';
import { OperatorClient } from '../support/operator-client.js';
import { serviceForThisTest } from '../support/service.js';

it('latchkey users erase erases a user with --yes, keeps the reason, and returns the same when it is repeated', async () => {
  const service = await serviceForThisTest();
  const operator = new OperatorClient(service, { LATCHKEY_OPERATOR: 'alice' });
  const user = await service.signedIn();
  const erase = ['users', 'erase', user.email, '--reason', 'request 4711', '--yes'];
  const { code, stdout, stderr } = await operator.run(erase);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`Erased the personal data of ${user.email}.`);
  expect(stdout).toContain(`The id ${user.id} stays as a tombstone.`);
  expect((await service.api('GET', '/auth/me', { token: user.accessToken })).code).toBe('session_revoked');
  const audited = (await operator.auditOf(user.id)).at(-1);
  expect(audited).toMatchObject({
    event: 'personal_data_erased',
    actor: 'cli:alice',
    details: { statedReason: 'request 4711' },
  });

  const again = ['users', 'erase', user.id, '--reason', 'again', '--yes'];
  const view = await operator.json<Record<string, unknown>>(again);
  expect(view).toMatchObject({ status: 'ok', id: user.id });
  const repeated = await operator.run(again);
  expect(repeated.stdout).toContain(
    `The personal data of ${user.id} was erased before, at ${String(view.erasedAt)}.`,
  );
  expect((await operator.run([...again, '--quiet'])).stdout).toBe(`${user.id}\n`);
  expect(await operator.details(['users', 'show', user.id])).toMatchObject({
    email: `erased-${user.id}@erased.invalid`,
  });
  const promoted = await operator.run(['users', 'reactivate', user.id, '--yes']);
  expect(promoted).toMatchObject({ code: 1 });
  expect(promoted.stderr).toContain('was erased');
});

it('latchkey users erase changes nothing without a confirmation, or a reason', async () => {
  const service = await serviceForThisTest();
  const operator = new OperatorClient(service);
  const user = await service.createUser();
  const unconfirmed = await operator.run(['users', 'erase', user.email, '--reason', 'request 4711']);
  expect(unconfirmed.stderr).toContain('This needs confirmation');
  const unreasoned = await operator.run(['users', 'erase', user.email, '--yes']);
  expect(unreasoned.stderr).toContain('--reason <text> is missing.');
  expect([unconfirmed.code, unreasoned.code]).toEqual([2, 2]);
  expect(await service.sql('SELECT email FROM users')).toEqual([{ email: user.email }]);
});

describeOnTerminal('latchkey users erase on a terminal', () => {
  it('shows what will be lost, and erases only when the email is typed', async () => {
    const service = await serviceForThisTest();
    const user = await service.signedIn();
    const args = ['users', 'erase', user.email, '--reason', 'request 4711'];
    const options = { env: { DATABASE_URL: service.databaseUrl, NO_COLOR: '1' } };
    const typing = (text: string) => (shown: string) =>
      shown.includes('to go on:') ? `${text}\r` : undefined;
    const refused = await runCliOnTerminal(args, typing('yes'), options);
    expect(refused.stdout.replace(/\s+/g, ' ')).toContain(
      `Erase ${user.email} for good: profile, sign-in, mails, invitations, 0 company memberships, 0 passkeys, 1 active session?`,
    );
    expect(refused).toMatchObject({ code: 1 });
    expect(await service.sql('SELECT email FROM users')).toEqual([{ email: user.email }]);
    const erased = await runCliOnTerminal(args, typing(user.email), options);
    expect(erased.stdout).toContain(`Erased the personal data of ${user.email}.`);
    expect(await service.sql('SELECT email FROM users')).toEqual([
      { email: `erased-${user.id}@erased.invalid` },
    ]);
  });
});
