import type { Command } from 'commander';
import type { Terminal } from '../../runtime/terminal.js';
import { addApplyRoles } from './apply-roles.js';
import { addRemoveRole } from './remove-role.js';
import { addShowRoles } from './show-roles.js';

export function addRolesCommands(program: Command, terminal: Terminal): void {
  const roles = program
    .command('roles')
    .helpCommand(false)
    .description('Define what the members of a role have, in one company or, without --company, in all.');
  addShowRoles(roles, terminal);
  addApplyRoles(roles, terminal);
  addRemoveRole(roles, terminal);
}
