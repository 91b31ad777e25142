import type { Command } from 'commander';
import type { Terminal } from '../../runtime/terminal.js';
import { addDiffAccess } from './diff-access.js';
import { addExplainAccess } from './explain-access.js';

export function addAccessCommands(program: Command, terminal: Terminal): void {
  const access = program
    .command('access')
    .helpCommand(false)
    .description('Explain access to a company, and preview another access policy.');
  addExplainAccess(access, terminal);
  addDiffAccess(access, terminal);
}
