import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerUser } from '../../packages/testing/src/embedded-postgres/server-user.js';

export interface PartCommand {
  name: string;
  command: string;
  args: readonly string[];
  /** Its working folder, by which its processes are found again. Holds its log. */
  folder: string;
  environment?: Readonly<Record<string, string>>;
  user?: ServerUser | undefined;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const SHOWN_LOG = 3_000;

/** A program of the cluster, which can be killed and started again. */
export class Part {
  readonly name: string;
  readonly #options: PartCommand;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  constructor(options: PartCommand) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  get logFile(): string {
    return path.join(this.#options.folder, 'log.txt');
  }

  /** Starts the program, unless it runs. A program that fails is noticed by `ready`. */
  start(): void {
    if (this.isRunning) return;
    const { command, args, folder, environment, user } = this.#options;
    const log = fs.openSync(this.logFile, 'a');
    const child = spawn(command, args, {
      ...user,
      cwd: folder,
      env: { PATH, LC_ALL: 'C.UTF-8', HOME: folder, TMPDIR: folder, ...environment },
      stdio: ['ignore', log, log],
      // Ctrl+C in a terminal is for us; we stop the parts in their order.
      detached: true,
    });
    fs.closeSync(log);
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve()).once('error', () => resolve());
    });
    this.#child = child;
  }

  /** Waits until the check succeeds. @throws Error with the end of the log if the program ends, or needs too long. */
  async ready(check: () => Promise<boolean>, seconds = 60): Promise<void> {
    const end = performance.now() + seconds * 1000;
    while (!(await check().catch(() => false))) {
      if (!this.isRunning) throw new Error(`${this.name} has ended.\n${this.#endOfLog()}`);
      if (performance.now() > end) throw new Error(`${this.name} is not ready.\n${this.#endOfLog()}`);
      await sleep(100);
    }
  }

  /** Asks the program to end, and ends it by force if it takes longer than the seconds. */
  async stop(seconds: number): Promise<void> {
    if (!this.isRunning) return;
    this.#child?.kill('SIGCONT');
    this.#child?.kill('SIGTERM');
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), seconds * 1000);
    await this.#exited;
    clearTimeout(late);
  }

  #endOfLog(): string {
    return fs.existsSync(this.logFile) ? fs.readFileSync(this.logFile, 'utf8').slice(-SHOWN_LOG) : '';
  }
}
