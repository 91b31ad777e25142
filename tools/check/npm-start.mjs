// Does what a newcomer does: `npm start` with no settings, then a stop by SIGTERM. Run by `.ci/run`.
//
// On a free port and a data folder of its own, so that nothing of the machine is touched.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainEnvironment } from '../shared/environment.mjs';
import { freePort } from '../shared/free-port.mjs';
import { root } from '../shared/repository-files.mjs';

/** Milliseconds for build, database and start on a slow machine, and for a stop. */
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;

async function untilHealthy(url, service) {
  const end = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < end && service.exitCode === null) {
    const reply = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (reply?.status === 200) return reply.json();
    await sleep(100);
  }
  throw new Error('npm start did not answer /health');
}

async function answers(url) {
  return fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
}

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-smoke-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = spawn('npm', ['start'], {
  cwd: root,
  env: plainEnvironment({ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir }),
  stdio: ['ignore', 'pipe', 'pipe'],
  detached: true,
});
let output = '';
for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += chunk));
const exited = once(service, 'exit');

try {
  const started = performance.now();
  const health = await untilHealthy(url, service);
  if (health.success !== true || health.data?.status !== 'ok') throw new Error('/health has another form');
  console.log(`npm start answered /health after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  service.kill('SIGTERM');
  const exit = await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  if (exit === undefined) throw new Error('npm start did not end on SIGTERM');
  if (exit[0] !== 0) throw new Error(`npm start ended with ${exit[0] ?? exit[1]}`);
  if (await answers(url)) throw new Error('npm start ended, its service went on');
  console.log('npm start ended with 0 on SIGTERM');
} catch (error) {
  console.log(`${error.message}\n--- its output ---\n${output.slice(-4000)}`);
  process.exitCode = 1;
} finally {
  try {
    // Whatever is left of the group it started.
    process.kill(-service.pid, 'SIGKILL');
  } catch {
    // Nothing is.
  }
  fs.rmSync(dataDir, { recursive: true, force: true });
}
