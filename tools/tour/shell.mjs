import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Default timeout for a block of commands. */
const BLOCK_TIMEOUT_MS = 60_000;

/** A bash that runs one block after the other and keeps its variables and functions. */
export class Shell {
  #process;
  #output = '';
  #changed = () => {};
  #timeoutMs;

  constructor(cwd, env, timeoutMs = BLOCK_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
    // Commands must not wait for input, so they read from /dev/null.
    this.#process = spawn('bash', ['--norc', '--noprofile'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        this.#output += chunk;
        this.#changed();
      });
    }
  }

  /** Returns the output of the block, including errors. Throws if its last command fails. */
  async run(code) {
    this.#output = '';
    const mark = `-- done ${Math.random()} `;
    this.#process.stdin.write(`{\n${code}\n} </dev/null\necho; echo "${mark}$?"\n`);
    const end = performance.now() + this.#timeoutMs;
    while (!this.#output.includes(mark) || !this.#output.endsWith('\n')) {
      if (performance.now() > end || this.#process.exitCode !== null) {
        throw new Error(`did not end\n${this.#output}`);
      }
      await Promise.race([new Promise((resolve) => (this.#changed = resolve)), sleep(1_000)]);
    }
    const [printed, status] = this.#output.split(mark);
    if (Number(status) !== 0) throw new Error(`ended with ${status.trim()}\n${printed}`);
    return printed.trim();
  }

  close() {
    this.#process.stdin.end();
  }
}
