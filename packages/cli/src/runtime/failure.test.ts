import { describe, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { MigrationError, PendingMigrationsError } from '@latchkey/operations';
import { CommandError, explainFailure } from './failure.js';

describe('the exit code of a failure', () => {
  it.each([
    ['something not found', AuthError.notFound('The user'), 3],
    ['a value that is refused', AuthError.validation('The password is too common.'), 2],
    ['a conflict', AuthError.conflict('A user with this email already exists.'), 1],
    ['an unavailable database', AuthError.unavailable('The database is not available.'), 4],
    ['a schema that does not fit', new MigrationError('0001_users.sql was changed.'), 1],
    ['a command used wrongly', CommandError.usage('--email is missing.'), 2],
    ['Ctrl-C at a question', Object.assign(new Error('closed'), { name: 'ExitPromptError' }), 130],
    ['a defect', new RangeError('oops'), 1],
  ])('the exit code fits %s', (_what, error, exitCode) => {
    expect(explainFailure(error).exitCode).toBe(exitCode);
  });
});

describe('the message of a failure', () => {
  it('the message contains the reason of the driver', () => {
    const error = AuthError.unavailable(
      'The database is not available at the moment.',
      new Error('connect ECONNREFUSED 127.0.0.1:5999'),
    );
    expect(explainFailure(error).message).toBe(
      'The database is not available at the moment (connect ECONNREFUSED 127.0.0.1:5999).',
    );
  });

  it('the message contains the cause of a failed request, and not the expected form of a response', () => {
    const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED ::1:1.') });
    const malformed = Object.assign(new Error('[\n  {}\n]'), { name: 'ZodError' });
    const messageOf = (cause: Error) =>
      explainFailure(AuthError.unavailable('The core service gave no usable answer.', cause)).message;
    expect(messageOf(refused)).toBe('The core service gave no usable answer (connect ECONNREFUSED ::1:1).');
    expect(messageOf(malformed)).not.toContain('\n');
  });

  it('the hint names the command that applies pending migrations', () => {
    expect(explainFailure(new PendingMigrationsError(['0012_a.sql', '0013_b.sql']))).toMatchObject({
      message: 'The database schema is behind: 2 migrations are pending.',
      hint: 'Run: latchkey migrate up',
    });
  });

  it('an interrupted question has no message', () => {
    const interrupted = Object.assign(new Error('User force closed the prompt'), { name: 'ExitPromptError' });
    expect(explainFailure(interrupted).message).toBeUndefined();
  });
});
