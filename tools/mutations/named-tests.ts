import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RunRequest, TestRun } from './test-run.js';

const HOST = fileURLToPath(new URL('test-host.ts', import.meta.url));

/** Time in which the process ends in an orderly way, with its PostgreSQL and its temporary folders. */
const FAREWELL_MS = 10_000;
const KEPT_OUTPUT = 2_000;

/** Runs named tests in a folder, in a process that serves many runs and is replaced when it hangs or breaks off. */
export class NamedTests {
  readonly #folder: string;
  #host: ChildProcess | undefined;
  #output = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs tests; what takes longer than the limit is a fault. */
  async run(request: RunRequest, limitMs: number): Promise<TestRun> {
    const host = (this.#host ??= this.#start());
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      return await this.#answer(host, request, limit.signal);
    } catch (error) {
      await this.close();
      const reason = limit.signal.aborted ? `took longer than ${limitMs / 1000} s` : String(error);
      return { passed: 0, failed: [], faults: [`${reason}\n${this.#output}`.trim()] };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the process and everything that it has started. */
  async close(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    if (host?.pid === undefined) return;
    const exited = host.exitCode === null && host.signalCode === null ? once(host, 'exit') : undefined;
    const impatient = setTimeout(() => killGroup(host), FAREWELL_MS);
    if (host.connected) host.disconnect();
    await exited;
    clearTimeout(impatient);
    killGroup(host);
  }

  /** Resolves with the result of a run. @throws Error when the process ends before. */
  async #answer(host: ChildProcess, request: RunRequest, signal: AbortSignal): Promise<TestRun> {
    this.#output = '';
    const gone = new AbortController();
    const onExit = (): void => gone.abort(new Error('the process of the tests has ended'));
    host.once('exit', onExit);
    try {
      host.send(request);
      const [result] = (await once(host, 'message', { signal: AbortSignal.any([signal, gone.signal]) })) as [
        TestRun,
      ];
      return result;
    } finally {
      host.off('exit', onExit);
    }
  }

  /** Its process group is its own, so that all its workers can be killed with it. */
  #start(): ChildProcess {
    const host = fork(HOST, { cwd: this.#folder, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const collect = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-KEPT_OUTPUT);
    };
    host.stdout?.on('data', collect);
    host.stderr?.on('data', collect);
    return host;
  }
}

/** Some of the group may have outlived the process, or none. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
