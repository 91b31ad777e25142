import { run } from './run.js';
import { EXIT } from './runtime/failure.js';
import { endOnInterrupt } from './runtime/interruption.js';
import { Terminal } from './runtime/terminal.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe (`latchkey users list | head`): not a failure.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: The output cannot be written (${error.code ?? error.message}).\n`);
    process.exit(EXIT.failed);
  });
}
endOnInterrupt();

process.exitCode = await run(process.argv.slice(2), new Terminal(process));
