import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { leaveSignalsToCommand } from '../../runtime/interruption.js';
import { withLogLevel } from '../../runtime/log-level.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addServeCommand(program: Command, terminal: Terminal): void {
  withCommonOptions(
    program.command('serve').description('Run the service until it is told to stop, as in production.'),
    {
      json: 'one object for each log line, on a terminal too',
      quiet: 'log warnings and errors only',
      notes:
        'SIGTERM or SIGINT stops it in an orderly way: open requests are answered first, and it exits with 0. A ' +
        'second signal ends it with 1 at once. Faulty settings, and whatever keeps it from going on, end it with 1, ' +
        'too. Migrations that are pending are applied first.',
      examples: [
        ['latchkey config check && latchkey serve', 'with the settings of the environment and .env'],
        ['APP_ENV=production latchkey serve --quiet', 'with a log of what needs attention'],
      ],
    },
  ).action(action(terminal, serve));
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
  // What is left over, a connection that hangs say, must not hold up the end.
  process.exit(code);
}
