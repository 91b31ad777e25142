import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnTerminal, runCliOnTerminal, type CliResult } from '../support/cli-process.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';

const DOWN = '\u001b[B';
const ENTER = '\r';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

/** Removes the line breaks of a terminal, which may be within a word. */
const squeezed = (shown: string): string => stripVTControlCharacters(shown).replace(/\s+/g, '');

/** Types what is said for the newest question that is shown. */
const answering = (args: string[], answers: [question: string, keys: string][]): Promise<CliResult> => {
  const newest = (shown: string): string | undefined =>
    answers.findLast(([question]) => squeezed(shown).includes(squeezed(question)))?.[1];
  return runCliOnTerminal(args, newest, { env: { DATABASE_URL: service.databaseUrl, NO_COLOR: '1' } });
};

describe('latchkey', () => {
  describeOnTerminal('on a terminal', () => {
    it('an ambiguous prefix becomes a choice', async () => {
      const first = await service.createUser({ email: 'shared.one@example.com', approval: 'PENDING' });
      const second = await service.createUser({ email: 'shared.two@example.com', approval: 'PENDING' });
      const { code, stdout } = await answering(
        ['users', 'approve', 'shared.'],
        [['2 users begin with "shared."', DOWN + ENTER]],
      );
      expect(code, stdout).toBe(0);
      expect(stdout).toContain(`${first.id}  shared.one@example.com`);
      expect(stdout).toContain('shared.two@example.com is approved and active.');
      const approved = await service.sql(`SELECT id FROM users WHERE approval_status = 'APPROVED'`);
      expect(approved).toEqual([{ id: second.id }]);
    });

    it('a role is chosen from a list, and its effect is shown before the change', async () => {
      const user = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
      const { code, stdout } = await answering(
        ['users', 'set-role', user.email],
        [
          ['Which role', DOWN + ENTER],
          ['(y/N)', 'y\r'],
        ],
      );
      expect(code, stdout).toBe(0);
      expect(stdout).toContain('PLATFORM_ADMIN (current)');
      for (const sentence of [
        `Change the role of ${user.email} from PLATFORM_ADMIN to PLATFORM_MODERATOR?`,
        'They will no longer be able to create users, edit users, deactivate users, end sessions of users,',
        'act in every company with all its modules.',
        'Current access tokens stop working; sessions continue.',
      ]) {
        expect(squeezed(stdout)).toContain(squeezed(sentence));
      }
      const [row] = await service.sql('SELECT global_role FROM users WHERE id = $1', [user.id]);
      expect(row).toEqual({ global_role: 'PLATFORM_MODERATOR' });
      expect((await service.api('GET', '/auth/me', { token: user.token })).code).toBe('unauthorized');
    });

    it('a new password is typed twice, hidden, after the effect was shown', async () => {
      const user = await signedInUser(service);
      const { code, stdout } = await answering(
        ['users', 'set-password', user.email],
        [
          ['(y/N)', 'y\r'],
          ['New password', 'an unseen horse\n'],
          ['Repeat', 'an unseen horse\r'],
        ],
      );
      expect(code, stdout).toBe(0);
      expect(squeezed(stdout)).toContain(squeezed('1 session will end at once.'));
      expect(stdout).not.toContain('horse');
      await service.signIn({ email: user.email, password: 'an unseen horse' });
    });

    it('two different passwords are asked for again, and Ctrl-C changes nothing', async () => {
      const user = await service.createUser();
      const { code, stdout } = await answering(
        ['users', 'set-password', user.email, '--yes'],
        [
          ['New password', 'an unseen horse\r'],
          ['Repeat', 'another horse\r'],
          ['The passwords do not match', '\u0003'],
        ],
      );
      expect(code).toBe(130);
      expect(stdout).toContain('The passwords do not match. Type both again');
      await service.signIn({ email: user.email, password: PASSWORD });
    });

    it('the prompt rejects a password that breaks a rule', async () => {
      const user = await service.createUser();
      const { code, stdout } = await answering(
        ['users', 'set-password', user.email, '--yes'],
        [
          ['New password', 'short\r'],
          ['must have at least 8 characters', '\u0003'],
        ],
      );
      expect(code).toBe(130);
      expect(stdout).not.toContain('once more');
    });

    it('the prompt rejects an invalid email', async () => {
      const { code, stdout } = await answering(
        ['users', 'create'],
        [
          ['Email address', 'not-an-email\r'],
          ['must be an email address', '\u0003'],
        ],
      );
      expect(code).toBe(130);
      expect(stdout).not.toContain('Full name');
    });

    it('approve without a name offers the users who wait', async () => {
      const user = await service.createUser({ approval: 'PENDING' });
      const { code, stdout } = await answering(['users', 'approve'], [['Which user?', '\r']]);
      expect(code, stdout).toBe(0);
      expect(stdout).toContain(`${user.email} is approved and active.`);
      await service.sql(`UPDATE users SET approval_status = 'APPROVED' WHERE approval_status = 'PENDING'`);
      const none = await answering(['users', 'approve'], []);
      expect(none.stdout).toContain('No user is waiting for approval.');
    });

    it('an object in full has exact and relative times', async () => {
      const { email } = await service.createUser();
      const { stdout } = await answering(['users', 'show', email], []);
      expect(stdout).toMatch(/^email {12}\S+@example\.com\r?$/m);
      expect(stdout).toMatch(
        /^created {10}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \((just now|\d+ seconds? ago)\)\r?$/m,
      );
      expect(stdout).toMatch(/^last login {7}\(never\)\r?$/m);
    });
  });
});
