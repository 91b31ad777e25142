import type { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { RecordingTerminal } from '../../../test/support/recording-terminal.js';
import { ROLES, STATUSES } from './commands/users.js';
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
  (command) => command.name() !== 'help',
);

async function helpOf(args: string[], columns = 80): Promise<string> {
  const terminal = new RecordingTerminal({ columns });
  expect(await run([...args, '--help'], terminal)).toBe(0);
  expect(terminal.stderr).toBe('');
  return terminal.stdout;
}

describe('the help', () => {
  it('loads no heavy module', async () => {
    expect(await helpOf([])).toContain('Exit codes:');
    await expect(import('@latchkey/core')).rejects.toThrow();
  });

  it.each(commands.map((command) => [pathOf(command).join(' '), command] as const))(
    'of %s has examples and the options of every command',
    async (path, command) => {
      const help = await helpOf(path.split(' '));
      expect(help).toContain('Examples:');
      expect(help).toContain(`latchkey ${path}`);
      expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--json', '--quiet']));
    },
  );

  it('of every command that confirms has --yes', () => {
    const confirming = commands.filter(({ options }) => options.some(({ long }) => long === '--yes'));
    expect(confirming.map((command) => pathOf(command).join(' '))).toEqual([
      'users reject',
      'users deactivate',
      'sessions revoke',
      'sessions revoke-all',
    ]);
  });

  it('fits the terminal, but for examples', async () => {
    const [text = ''] = (await helpOf(['users', 'list'], 72)).split('Examples:');
    expect(text.split('\n').filter((line) => line.length > 72)).toEqual([]);
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
    [['users', 'approve', 'a', 'b'], 'too many arguments', 'latchkey users approve --help'],
  ])('%j exits with 2 and points to the help', async (args, complaint, help) => {
    const terminal = new RecordingTerminal();
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.stdout).toBe('');
    expect(terminal.stderr).toMatch(/^error: /);
    expect(terminal.stderr).toContain(complaint);
    expect(terminal.stderr).toContain(`See: ${help}`);
  });

  it('without a command shows what there is, on standard error', async () => {
    const terminal = new RecordingTerminal();
    expect(await run([], terminal)).toBe(2);
    expect(terminal.stderr).toContain('Commands:');
  });
});

it('the version is printed alone', async () => {
  const terminal = new RecordingTerminal();
  expect(await run(['--version'], terminal)).toBe(0);
  expect(terminal.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('the roles and statuses of the help are those of the core', async () => {
  const user = await import('../../core/src/users/user.js');
  expect([...ROLES].sort()).toEqual([...user.GLOBAL_ROLES].sort());
  expect([...STATUSES].sort()).toEqual([...user.APPROVAL_STATUSES].sort());
});
