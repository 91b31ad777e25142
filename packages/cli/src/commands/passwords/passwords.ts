import type { Command } from 'commander';
import type { Terminal } from '../../runtime/terminal.js';
import { addBuildList } from './build-list.js';

export function addPasswordsCommands(program: Command, terminal: Terminal): void {
  const passwords = program
    .command('passwords')
    .helpCommand(false)
    .description('Make the list of breached passwords. Needs no database.');
  addBuildList(passwords, terminal);
}
