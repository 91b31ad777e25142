import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { ServerUser } from './server-user.js';

interface GuardedCommand {
  command: string;
  args: readonly string[];
  /** Signal that ends the server, also when our process ends in any way. */
  stopSignal: 'INT' | 'TERM' | 'QUIT' | 'KILL';
  /** Matches the output as soon as the server can be used. */
  readyWhen: RegExp;
  workingFolder: string;
  user?: ServerUser | undefined;
  /** Deleted once the server has ended on request. */
  scrapFolder?: string | undefined;
  /** Search path of programs. Defaults to the usual system folders. */
  path?: string | undefined;
}

/**
 * The shell holds our pipe as its standard input. When our process ends, even by SIGKILL, `read` returns and
 * the server gets its stop signal. The first line it prints is the server's process id.
 */
const GUARD = `
exec 3<&0
signal=$1; scrap=$2; shift 2
"$@" </dev/null 3<&- >&2 &
server=$!
echo "$server"
( read -r _ <&3; trap '' TERM; kill -"$signal" "$server" ) 2>/dev/null &
watcher=$!
wait "$server"; status=$?
kill "$watcher" 2>/dev/null
if wait "$watcher" && [ -n "$scrap" ]; then rm -rf "$scrap"; fi
exit "$status"
`;

const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const KEPT_OUTPUT = 20_000;

/** A server process that never outlives ours, however ours ends. */
export class GuardedProcess {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<void>;
  readonly #closed: Promise<void>;
  #output = '';
  #pid = 0;
  #running = true;

  private constructor(options: GuardedCommand) {
    const { command, args, stopSignal, scrapFolder = '', user } = options;
    this.#shell = spawn('/bin/sh', ['-c', GUARD, 'guard', stopSignal, scrapFolder, command, ...args], {
      ...user,
      cwd: options.workingFolder,
      env: { PATH: options.path ?? USUAL_PATH, LC_ALL: 'C' },
      // Its own process group: Ctrl-C in a terminal is for us, we then stop the server last.
      detached: true,
    });
    this.#shell.stdin.on('error', () => undefined);
    this.#shell.stdout.on('data', (chunk: Buffer) => {
      this.#pid = Number.parseInt(chunk.toString(), 10);
    });
    this.#shell.stderr.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-KEPT_OUTPUT);
    });
    this.#exited = new Promise((resolve) => {
      const ended = () => {
        this.#running = false;
        resolve();
      };
      this.#shell.once('exit', ended).once('error', ended);
    });
    this.#closed = new Promise((resolve) => this.#shell.once('close', () => resolve()));
  }

  /**
   * Starts the server, and resolves when it is ready. @throws Error with the server's output if it ends
   * before.
   */
  static async start(options: GuardedCommand): Promise<GuardedProcess> {
    const server = new GuardedProcess(options);
    await server.#ready(options);
    server.#holdEventLoop(false);
    return server;
  }

  get pid(): number {
    return this.#pid;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Calls back when the server has ended, for any reason. */
  onExit(callback: () => void): void {
    void this.#exited.then(callback);
  }

  /** Resolves when the server has ended, for any reason. */
  async ended(): Promise<void> {
    this.#holdEventLoop(true);
    await this.#exited;
  }

  /** Resolves when the server and all processes it has started have ended: they hold its output open. */
  async closed(): Promise<void> {
    this.#holdEventLoop(true);
    await this.#closed;
  }

  /** The last 20,000 characters the server wrote. */
  get output(): string {
    return this.#output;
  }

  /** Sends the server a signal; returns false if it has ended. */
  signal(signal: NodeJS.Signals): boolean {
    if (!this.#running || this.#pid === 0) return false;
    try {
      return process.kill(this.#pid, signal);
    } catch {
      return false;
    }
  }

  /** Stops the server and waits for its end. Calling it twice is safe. */
  async stop(): Promise<void> {
    this.#shell.stdin.end();
    const impatient = setTimeout(() => this.signal('SIGKILL'), 15_000);
    await this.ended();
    clearTimeout(impatient);
  }

  async #ready({ command, readyWhen }: GuardedCommand): Promise<void> {
    let spawnError: Error | undefined;
    this.#shell.once('error', (error) => {
      spawnError = error;
    });
    const ready = new Promise<void>((resolve) => {
      const check = () => {
        // The two pipes are read in any order.
        if (this.#pid > 0 && readyWhen.test(this.#output)) resolve();
      };
      this.#shell.stdout.on('data', check);
      this.#shell.stderr.on('data', check);
    });
    await Promise.race([ready, this.#exited]);
    if (!this.#running) {
      throw new Error(`${command} did not start.\n${this.#output}`, { cause: spawnError });
    }
  }

  /** Keeps our process alive while it waits for the server's start or end; a running server alone does not. */
  #holdEventLoop(hold: boolean): void {
    for (const part of [this.#shell, this.#shell.stdin, this.#shell.stdout, this.#shell.stderr]) {
      const handle = part as unknown as { ref(): void; unref(): void };
      if (hold) handle.ref();
      else handle.unref();
    }
  }
}
