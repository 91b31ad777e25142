// Does what README.md and docs/quick-start.md tell a newcomer to do, and looks at what comes back:
// `node scripts/ci-tour.mjs`, after `npm run build`. Run by `.ci/run`.
//
// The shell blocks of a page run in order, in one bash. Comments before a block say what is special about it:
//   <!-- run: service -->     it goes on: a terminal of its own, in which what went on before is ended; with a number,
//                             the port on which it must answer /health
//   <!-- run: file NAME -->   the block is the content of that file, in the folder the shell is in
//   <!-- run: not -->         it is shown, not run
// A JSON block is the last line that the block before it prints; ids, tokens and times may differ.
// Ports and the data folder are the run's own, so that nothing of the machine is touched.
import { root } from './ci-files.mjs';
import { take } from './tour/take.mjs';
import { QUICK_START, README_TOUR } from './tour/tours.mjs';

for (const tour of [README_TOUR, QUICK_START]) {
  const started = performance.now();
  try {
    const count = await take(tour, root);
    console.log(
      `${tour.file}: ${count} blocks did what they say, ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  } catch (error) {
    console.log(error.message);
    process.exitCode = 1;
  }
}
