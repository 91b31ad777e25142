import { Command } from 'commander';
import { expect, it } from 'vitest';
import { commandLineOf } from './command-line.js';

it('a command line keeps its words, with other values for some options', () => {
  const program = new Command('latchkey');
  let line = '';
  program
    .command('list')
    .option('--limit <n>', '', '50')
    .option('--cursor <cursor>')
    .option('--user <user>')
    .option('--all')
    .action(function (this: Command) {
      line = commandLineOf(this, { cursor: 'abc$d' });
    });
  program.parse(['list', '--user', "o'neil@example.com", '--cursor', 'old', '--all'], { from: 'user' });
  expect(line).toBe("latchkey list --user 'o'\\''neil@example.com' --all --cursor 'abc$d'");
});
