// Starts the cluster of `npm run cluster`, breaks its parts at random under load, and checks what users saw:
// `npm run cluster:chaos`; --help says more.
import { randomInt } from 'node:crypto';
import { reportUsageErrors } from '../../shared/usage-error.js';
import { readChaosOptions } from '../cluster-options.js';
import { copyLogs } from '../copy-logs.js';
import { runCluster } from '../run-cluster.js';
import { runChaos } from './run-chaos.js';
import { summarize } from './summary.js';

await reportUsageErrors(async () => {
  const options = readChaosOptions(process.argv.slice(2), randomInt(2 ** 31));
  if (typeof options === 'string') {
    console.log(options);
    return;
  }
  await runCluster(async (cluster, stop) => {
    const { minutes, users, seed, keepLogs } = options;
    console.log(`${users} users, faults for ${minutes} minutes, --seed ${seed}`);
    const result = await runChaos(cluster, options, { stop, report: console.log });
    if (keepLogs !== undefined) copyLogs(cluster, keepLogs, result);
    if (stop.aborted) return;
    console.log(summarize(result));
    if (result.checks.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  });
});
