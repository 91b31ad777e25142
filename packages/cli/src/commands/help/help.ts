import type { Command } from 'commander';
import { CommandError } from '../../runtime/failure.js';
import type { Terminal } from '../../runtime/terminal.js';
import { version } from '../../version.js';

/** Adds `help` and `version` as commands; commander's own `help` reads only the first word. */
export function addHelpCommands(program: Command, terminal: Terminal): void {
  program
    .command('help')
    .argument('[command...]', 'such as: sessions revoke')
    .description('Print the help of a command.')
    .action((words: string[]) => commandNamed(program, words).outputHelp());
  program
    .command('version')
    .description('Print the version.')
    .action(() => terminal.print(version));
}

/** Returns the command with this name. @throws CommandError if there is none. */
function commandNamed(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const [index, word] of words.entries()) {
    const next = found.commands.find(
      (command) => command.name() === word || command.aliases().includes(word),
    );
    if (next === undefined) {
      const path = ['latchkey', ...words.slice(0, index)].join(' ');
      throw CommandError.usage(
        `There is no command ${['latchkey', ...words].join(' ')}.`,
        `See: ${path} --help`,
      );
    }
    found = next;
  }
  return found;
}
