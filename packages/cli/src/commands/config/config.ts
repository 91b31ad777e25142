import type { Command } from 'commander';
import { action } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { checkSettings } from './check-settings.js';
import { showSettings } from './show-settings.js';

export function addConfigCommands(program: Command, terminal: Terminal): void {
  const config = program
    .command('config')
    .helpCommand(false)
    .description('Show and check the settings of the service.');
  addShow(config, terminal);
  addCheck(config, terminal);
}

const ENV_FILE = ['--env-file <file>', 'read only this file, not the environment and .env'] as const;

function addShow(config: Command, terminal: Terminal): void {
  withCommonOptions(
    config
      .command('show')
      .description('Show every setting with its value and origin.')
      .option('--only-set', 'omit settings with their default')
      .option(...ENV_FILE),
    {
      json: 'array of { name, value, origin, secret, isDefault }',
      quiet: 'print only the names',
      notes:
        'Origins: environment, .env, file:<path> for a setting given as …_FILE, default, derived (a default that ' +
        'follows from other settings), command. A value is null if there is none. Of secrets only ' +
        '"set" is shown and, if they were clearly generated, the first characters of their SHA-256, so that those of ' +
        'two replicas can be compared. Without a terminal: name, value and origin, separated by tabs.',
      examples: [
        ['latchkey config show', 'all settings, by group'],
        ['latchkey config show --only-set --json', 'the settings of a deployment, for a program'],
      ],
    },
  ).action(action(terminal, showSettings));
}

function addCheck(config: Command, terminal: Terminal): void {
  withCommonOptions(
    config
      .command('check')
      .description('Validate the settings as the service does when it starts. Connects to nothing.')
      .option(...ENV_FILE),
    {
      json: '{ faults: [{ name, found, expected, fix }], warnings: [{ name, found, fix }] }',
      quiet: 'print only the names',
      notes:
        'Exits with 1 if the service would not start. Warnings list names that look like settings but are not, ' +
        'and settings without effect. Without a terminal: fault or warning, name, value found, value ' +
        'expected and fix, separated by tabs. To also check the connections: latchkey doctor',
      examples: [
        ['latchkey config check', 'before a start'],
        ['latchkey config check --env-file production.env', 'before rolling out a file'],
      ],
    },
  ).action(action(terminal, checkSettings));
}
