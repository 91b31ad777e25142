// Starts a whole installation of Latchkey on this machine and keeps it running: `npm run cluster`; --help says more.
import { reportUsageErrors } from '../shared/usage-error.js';
import { readClusterOptions } from './cluster-options.js';
import { runCluster } from './run-cluster.js';
import { describeCluster } from './table.js';

await reportUsageErrors(async () => {
  const help = readClusterOptions(process.argv.slice(2));
  if (help !== undefined) {
    console.log(help);
    return;
  }
  await runCluster(async (cluster, stop) => {
    console.log(`\n${describeCluster(cluster)}\n\nCtrl+C stops everything and deletes the data.`);
    await new Promise<void>((resolve) => {
      // Keeps this process alive: the servers alone do not.
      const alive = setInterval(() => undefined, 60_000);
      stop.addEventListener('abort', () => {
        clearInterval(alive);
        resolve();
      });
    });
  });
});
