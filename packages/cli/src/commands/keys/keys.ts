import type { Command } from 'commander';
import type { Terminal } from '../../runtime/terminal.js';
import { addGenerate } from './generate-key.js';
import { addInspect } from './inspect-keys.js';
import { addKeySet } from './print-key-set.js';
import { addReencrypt } from './reencrypt.js';
import { addRotate } from './rotate-keys.js';

export function addKeysCommands(program: Command, terminal: Terminal): void {
  const keys = program
    .command('keys')
    .helpCommand(false)
    .description(
      'Create, show and rotate the keys that sign tokens; encrypt secrets again. Only the last needs a database.',
    );
  addGenerate(keys, terminal);
  addInspect(keys, terminal);
  addKeySet(keys, terminal);
  addRotate(keys, terminal);
  addReencrypt(keys, terminal);
}
