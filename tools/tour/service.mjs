import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Timeouts for a start on a slow machine, and for a stop. */
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;

/** A long-running command in its own terminal: a service. */
export class Service {
  #process;
  #exited;
  output = '';

  constructor(code, cwd, env) {
    // `set -m` is off in scripts, so the whole group can be ended together.
    this.#process = spawn('bash', ['-c', code], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#exited = once(this.#process, 'exit');
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => (this.output += chunk));
    }
  }

  /** Waits until the path responds successfully. */
  async untilHealthy(port, path = '/health', isWell = (reply) => reply.ok) {
    const end = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < end && this.#process.exitCode === null) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => {});
      if (reply && isWell(reply)) return;
      await sleep(100);
    }
    throw new Error(`nothing answers on port ${port}\n${this.output.slice(-4000)}`);
  }

  async stop() {
    this.#signal('SIGINT');
    const ended = await Promise.race([this.#exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.#signal('SIGKILL');
    if (ended === undefined) throw new Error('the service did not end');
  }

  #signal(name) {
    try {
      process.kill(-this.#process.pid, name);
    } catch {
      // The process group no longer exists.
    }
  }
}
