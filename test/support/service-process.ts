import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/shared/free-port.mjs';
import type { Program } from './build-programs.js';
import { programFile } from './programs.js';
import { waitUntil } from './wait-until.js';

export interface ServiceOptions {
  /** The service's whole configuration; of our own environment it sees PATH, HOME and TMPDIR only. */
  env?: Record<string, string>;
  /** True: what `npm run build` made. Default: what this run has bundled. */
  built?: boolean;
  /** The program, as this run has bundled it. Defaults to the server. */
  program?: Program;
  /** Default: the repository's folder. */
  workingFolder?: string;
}

export interface ServiceExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A loaded machine may need most of a minute. */
const START_MS = 240_000;
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = `${REPOSITORY}packages/server/dist/main.js`;

const fileOf = ({ built, program = 'latchkey-server' }: ServiceOptions): string =>
  built ? BUILT : programFile(program);

/** The real standalone server as a process of its own, which never outlives ours. */
export class ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<ServiceExit>;
  readonly #child: ChildProcess;
  #output = '';
  #running = true;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.pid = child.pid ?? 0;
    const collect = (chunk: Buffer) => {
      this.#output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#running = false;
        resolve({ code, signal });
      });
    });
  }

  /** Starts the service and does not wait for it: for a start that shall fail. */
  static async launch(options: ServiceOptions = {}): Promise<ServiceProcess> {
    const port = Number(options.env?.PORT ?? (await freePort()));
    const child = spawn(process.execPath, [fileOf(options)], {
      cwd: options.workingFolder ?? REPOSITORY,
      env: { ...inherited(), HOST: '127.0.0.1', ...options.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new ServiceProcess(child, port);
    if (child.pid === undefined) throw new Error('The service could not be spawned.');
    endWithUs(child.pid, service.exited);
    return service;
  }

  /** Starts the service and waits until it answers. @throws Error with its output when it ends or is too slow. */
  static async start(options: ServiceOptions = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.launch(options);
    try {
      await service.#listening(START_MS);
      return service;
    } catch (error) {
      await service.stop();
      throw new Error(`The service did not start.\n${service.output()}`, { cause: error });
    }
  }

  /** Everything it wrote so far, both streams. */
  output(): string {
    return this.#output;
  }

  /** False when it has ended. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#child.kill(signal);
  }

  /** SIGTERM, and after a minute SIGKILL. Harmless when it has ended. */
  async stop(): Promise<ServiceExit> {
    this.signal('SIGTERM');
    const impatient = setTimeout(() => this.signal('SIGKILL'), 60_000);
    const exit = await this.exited;
    clearTimeout(impatient);
    return exit;
  }

  async #listening(timeoutMs: number): Promise<void> {
    const answers = async () => {
      if (!this.#running) throw new Error('It has ended.');
      const reply = await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      );
      return reply?.status === 200;
    };
    await waitUntil(answers, { what: `an answer of ${this.url}/health`, timeoutMs });
  }
}

/** `ServiceProcess.start`, as a function like the other helpers here. */
export function startService(options?: ServiceOptions): Promise<ServiceProcess> {
  return ServiceProcess.start(options);
}

/** `ServiceProcess.launch`: for a start that shall fail, await `exited`. */
export function launchService(options?: ServiceOptions): Promise<ServiceProcess> {
  return ServiceProcess.launch(options);
}

function inherited(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR'].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A shell that holds our pipe: when we end in any way, its `read` returns and the service is killed. */
function endWithUs(pid: number, exited: Promise<unknown>): void {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -KILL "$1" 2>/dev/null', 'watcher', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  void exited.then(() => watcher.kill('SIGKILL'));
}
