import type { Command } from 'commander';
import type { Terminal } from '../../runtime/terminal.js';
import { addDiffAccess } from './diff-access.js';
import { addExplainAccess } from './explain-access.js';

export function addAccessCommands(program: Command, terminal: Terminal): void {
  const access = program
    .command('access')
    .helpCommand(false)
    .description('Explain what people may use in a company, and what another access policy would change.');
  addExplainAccess(access, terminal);
  addDiffAccess(access, terminal);
}
