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
    .description('Look at the settings of the service and check them.');
  addShow(config, terminal);
  addCheck(config, terminal);
}

const ENV_FILE = ['--env-file <file>', 'look at this file alone, not at the environment and .env'] as const;

function addShow(config: Command, terminal: Terminal): void {
  withCommonOptions(
    config
      .command('show')
      .description('Show every setting, what holds for it, and where that comes from.')
      .option('--only-set', 'leave out what has its default')
      .option(...ENV_FILE),
    {
      json: 'array of { name, value, origin, secret, isDefault }',
      quiet: 'print the names only',
      notes:
        'Origins: environment, .env, file:<path> for a setting given as …_FILE, default, derived (a default that ' +
        'follows from other settings), command. A value is null where there is none. Of secrets nothing is shown ' +
        'but "set" and, where they were plainly made by a program, the prefix of their SHA-256, so that those of ' +
        'two replicas can be compared. Without a terminal: name, value and origin, separated by tabs.',
      examples: [
        ['latchkey config show', 'all of them, under the headings of the documentation'],
        ['latchkey config show --only-set --json', 'what a deployment sets, for a program'],
      ],
    },
  ).action(action(terminal, showSettings));
}

function addCheck(config: Command, terminal: Terminal): void {
  withCommonOptions(
    config
      .command('check')
      .description('Check the settings as the service does when it starts. Connects to nothing.')
      .option(...ENV_FILE),
    {
      json: '{ faults: [{ name, found, expected, fix }], warnings: [{ name, found, fix }] }',
      quiet: 'print the names only',
      notes:
        'Exits with 1 when the service would not start. Warnings tell names that look like settings and are none, ' +
        'and settings that have no effect. Without a terminal: fault or warning, name, what was found, what is ' +
        'expected and how to fix it, separated by tabs. To try the connections, too: latchkey doctor',
      examples: [
        ['latchkey config check', 'before a start'],
        ['latchkey config check --env-file production.env', 'a file that is to be rolled out'],
      ],
    },
  ).action(action(terminal, checkSettings));
}
