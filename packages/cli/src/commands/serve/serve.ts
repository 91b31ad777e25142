import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { leaveSignalsToCommand } from '../../runtime/interruption.js';
import { withLogLevel } from '../../runtime/log-level.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addServeCommand(program: Command, terminal: Terminal): void {
  withCommonOptions(program.command('serve').description('Run the service, as in production.'), {
    json: 'one object for each log line, also on a terminal',
    quiet: 'log only warnings and errors',
    notes:
      'SIGTERM or SIGINT stops it gracefully: open requests complete first, and it exits with 0. A ' +
      'second signal ends it with 1 at once. Invalid settings and fatal errors also end it with 1. ' +
      'Pending migrations are applied first.',
    examples: [
      ['latchkey config check && latchkey serve', 'with the settings of the environment and .env'],
      ['APP_ENV=production latchkey serve --quiet', 'log only warnings and errors'],
    ],
  }).action(action(terminal, serve));
}

async function serve({ options }: Call): Promise<void> {
  const [{ readSettings }, { createLogger, runService }] = await Promise.all([
    import('@latchkey/core'),
    import('@latchkey/server'),
  ]);
  leaveSignalsToCommand();
  const code = await runService({
    settings: () => withLogLevel(readSettings(), options),
    logger: (settings) => createLogger(settings, options.json === true ? 'json' : undefined),
  });
  // A hanging connection must not delay the exit.
  process.exit(code);
}
