import type { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import {
  ACCESS_POLICY_MODES,
  APPROVAL_STATUSES,
  GLOBAL_ROLES,
  INVITATION_STATUSES,
  MAIL_KINDS,
  OUTBOX_STATES,
} from '@latchkey/core/names';
import { RETENTION_KINDS } from '@latchkey/operations/names';
import { RecordingTerminal } from '../../../test/support/recording-terminal.js';
import { createProgram } from './program.js';
import { run } from './run.js';

vi.mock('@latchkey/core', () => {
  throw new Error('the core was loaded');
});

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

const commands = leaves(createProgram(new RecordingTerminal())).filter(
  (command) => !['help', 'version', 'completion', 'complete'].includes(command.name()),
);

async function helpOf(args: string[], columns = 80): Promise<string> {
  const terminal = new RecordingTerminal({ columns });
  expect(await run([...args, '--help'], terminal)).toBe(0);
  expect(terminal.stderr).toBe('');
  return terminal.stdout;
}

describe('the help', () => {
  it('the help loads no heavy module', async () => {
    expect(await helpOf([])).toContain('Exit codes:');
    await expect(import('@latchkey/core')).rejects.toThrow();
  });

  it.each(commands.map((command) => [pathOf(command).join(' '), command] as const))(
    'the help of %s has examples and the common options',
    async (path, command) => {
      const help = await helpOf(path.split(' '));
      expect(help).toContain('Examples:');
      expect(help).toContain(`latchkey ${path}`);
      expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--json', '--quiet']));
    },
  );

  it('every command that asks for confirmation, or that scripts may expect to, has --yes', () => {
    const confirming = commands.filter(({ options }) => options.some(({ long }) => long === '--yes'));
    expect(confirming.map((command) => pathOf(command).join(' '))).toEqual([
      'users approve',
      'users reject',
      'users deactivate',
      'users reactivate',
      'users set-role',
      'users set-password',
      'users resend-verification',
      'users reset-factors',
      'users remove-trusted-devices',
      'users erase',
      'sessions revoke',
      'sessions revoke-all',
      'passkeys remove',
      'identities unlink',
      'api-keys revoke',
      'invitations resend',
      'invitations cancel',
      'keys rotate promote',
      'keys rotate retire',
      'service-clients rotate',
      'mail retry',
      'roles apply',
      'roles remove',
      'cleanup',
    ]);
  });

  it('the help fits the terminal, except examples', async () => {
    const [text = ''] = (await helpOf(['users', 'list'], 72)).split('Examples:');
    expect(text.split('\n').filter((line) => line.length > 72)).toEqual([]);
  });
});

describe('latchkey help', () => {
  it.each([[[]], [['sessions']], [['sessions', 'revoke']], [['keys', 'rotate', 'promote']]])(
    'latchkey help %j prints the help of that command',
    async (words) => {
      const terminal = new RecordingTerminal();
      expect(await run(['help', ...words], terminal)).toBe(0);
      expect(terminal.stdout).toBe(await helpOf(words));
    },
  );

  it('help of an unknown command is a usage error', async () => {
    const terminal = new RecordingTerminal();
    expect(await run(['help', 'sessions', 'revok'], terminal)).toBe(2);
    expect(terminal.stderr).toContain(
      'There is no command latchkey sessions revok.\nSee: latchkey sessions --help',
    );
  });
});

describe('a wrong command line', () => {
  it.each([
    [['users', 'lst'], "unknown command 'lst'", 'latchkey users --help'],
    [['users', 'list', '--limit', '0'], 'whole number from 1 to 1000', 'latchkey users list --help'],
    [['users', 'list', '--active', '--inactive'], 'cannot be used with', 'latchkey users list --help'],
    [['users', 'create', '--password', 'x'], "unknown option '--password'", 'latchkey users create --help'],
    [['users', 'create', '--role', 'ROOT'], 'Allowed choices are', 'latchkey users create --help'],
    [['keys', 'generate', '--bits', '1024'], 'Allowed choices are', 'latchkey keys generate --help'],
    [['keys', 'rotate', 'forward'], 'too many arguments', 'latchkey keys rotate guide --help'],
    [['users', 'approve', 'a', 'b'], 'too many arguments', 'latchkey users approve --help'],
  ])('%j exits with 2 and points to the help', async (args, complaint, help) => {
    const terminal = new RecordingTerminal();
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.stdout).toBe('');
    expect(terminal.stderr).toMatch(/^error: /);
    expect(terminal.stderr).toContain(complaint);
    expect(terminal.stderr).toContain(`See: ${help}`);
  });

  it('latchkey without a command prints the commands on standard error', async () => {
    const terminal = new RecordingTerminal();
    expect(await run([], terminal)).toBe(2);
    for (const heading of ['Get started:', 'Operate:', 'Inspect:'])
      expect(terminal.stderr).toContain(heading);
  });
});

it.each([['--version'], ['-v'], ['version']])('%s prints the version alone', async (arg) => {
  const terminal = new RecordingTerminal();
  expect(await run([arg], terminal)).toBe(0);
  expect(terminal.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.each([
  ['users list', 'role', GLOBAL_ROLES],
  ['users list', 'status', APPROVAL_STATUSES],
  ['users create', 'role', GLOBAL_ROLES],
  ['users set-role', 'role', GLOBAL_ROLES],
  ['invitations list', 'status', INVITATION_STATUSES],
  ['access diff', 'from', ACCESS_POLICY_MODES],
  ['access diff', 'to', ACCESS_POLICY_MODES],
  ['mail outbox', 'kind', MAIL_KINDS],
  ['mail outbox', 'state', OUTBOX_STATES],
] as const)('latchkey %s takes the values of the core for --%s', (path, name, values) => {
  const command = commands.find((each) => pathOf(each).join(' ') === path);
  const option = command?.options.find(({ long }) => long === `--${name}`);
  expect(option?.argChoices).toEqual([...values]);
});

it('latchkey cleanup names the kinds of the core', async () => {
  expect(await helpOf(['cleanup'], 200)).toContain(RETENTION_KINDS.join(','));
});

it('the times in the help of cleanup are those of the core', async () => {
  const { retentionsOf } = await import('../../operations/src/maintenance/retention.js');
  const { readSettings } = await import('../../core/src/settings/read-settings.js');
  const { durationText } = await import('../../core/src/kernel/duration.js');
  const help = (await helpOf(['cleanup'], 200)).replace(/\s+/g, ' ');
  for (const { kind, defaultKeep } of retentionsOf(readSettings({ APP_ENV: 'test' }))) {
    const named = defaultKeep === undefined ? 'indefinitely' : durationText(defaultKeep);
    expect(help).toMatch(new RegExp(`--${kind}-after <time> how long [^:]+ stays?: ${named}[ ,]`));
  }
});

it.each([['users approve'], ['sessions revoke-all --everyone'], ['bootstrap']])(
  'latchkey %s without a terminal and with a missing value points to its own help',
  async (words) => {
    const terminal = new RecordingTerminal();
    expect(await run(words.split(' '), terminal)).toBe(2);
    const name = words.replace(' --everyone', '');
    expect(terminal.stderr).toMatch(/^error: .* is missing\.\n/);
    expect(terminal.stderr).toContain(`\nSee: latchkey ${name} --help\n`);
  },
);
