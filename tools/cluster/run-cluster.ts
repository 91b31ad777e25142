import { setMaxListeners } from 'node:events';
import { Cluster } from './cluster.js';
import { installPackages } from './packages.js';

/** Exit codes by which a shell recognizes a program that was ended by the signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Starts a cluster, does the work with it, and ends it: after the work, after a failure, and on Ctrl+C. The work should
 * end when the signal is aborted.
 */
export async function runCluster(
  work: (cluster: Cluster, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  installPackages(console.log);
  console.log('Starting the cluster …');
  const cluster = new Cluster(console.log);
  const stop = new AbortController();
  // Every fault waits for it.
  setMaxListeners(0, stop.signal);
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (stop.signal.aborted) return;
      stop.abort();
      console.log('Stopping the cluster …');
      void cluster.stop().then(() => process.exit(code));
    });
  }
  try {
    await cluster.start();
    await work(cluster, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return;
    console.log(error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  } finally {
    if (!stop.signal.aborted) console.log('Stopping the cluster …');
    await cluster.stop();
  }
}
