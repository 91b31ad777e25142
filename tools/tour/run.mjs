// Runs the commands of docs/quick-start.md and compares their output: `node tools/tour/run.mjs`, after `npm run build`.
//
// The shell blocks of the page run in order, in one bash, and each of their commands must succeed. A comment before a block
// changes that:
//   <!-- run: service -->     runs in a terminal of its own and replaces the service before it; with a number, the port
//                             on which it must answer /health
//   <!-- run: file NAME -->   the block is the content of that file, in the shell's folder
//   <!-- run: not -->         the block is shown, not run
// A JSON block is the last line that the block before it prints; ids, tokens and times may differ.
// The run uses its own ports and data folder.
import { root } from '../shared/repository-files.mjs';
import { take } from './take.mjs';
import { QUICK_START } from './tours.mjs';

const started = performance.now();
try {
  const count = await take(QUICK_START, root);
  console.log(
    `${QUICK_START.file}: ${count} blocks passed, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}
