import { run } from './run.js';
import { Terminal } from './runtime/terminal.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has seen enough (`latchkey users list | head`): no failure of ours.
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
process.once('SIGINT', () => process.exit(130));

process.exitCode = await run(process.argv.slice(2), new Terminal(process));
