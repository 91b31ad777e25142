import type { Command } from 'commander';
import type { Terminal } from '../../runtime/terminal.js';
import { addDecode } from './decode-token.js';
import { addVerify } from './verify-token.js';

export function addTokensCommands(program: Command, terminal: Terminal): void {
  const tokens = program
    .command('tokens')
    .helpCommand(false)
    .description('Decode and verify access and service tokens. Needs no database.');
  addDecode(tokens, terminal);
  addVerify(tokens, terminal);
}
