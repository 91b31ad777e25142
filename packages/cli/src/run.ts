import { createProgram } from './program.js';
import { explainFailure } from './runtime/failure.js';
import type { Terminal } from './runtime/terminal.js';

/** Runs one command line and returns the exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message, hint } = explainFailure(error);
    if (message !== undefined) terminal.note(`${terminal.paintNote('red', 'error:')} ${message}`);
    if (hint !== undefined) terminal.note(hint);
    if (args.includes('--verbose') && error instanceof Error) terminal.note(error.stack ?? '');
    return exitCode;
  }
}
