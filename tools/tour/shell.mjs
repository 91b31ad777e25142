import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Default timeout for a block of commands. */
const BLOCK_TIMEOUT_MS = 60_000;

/**
 * Bash goes on after a command that fails, as in a terminal, and a block has the status of its last command only. The trap
 * keeps that of the first that failed, also in a pipe. Commands in conditions and before `||` may fail. Both outputs share a
 * pipe, so that they arrive in order and an error is not taken for one of the next block.
 */
const SETUP = `exec 2>&1; set -o pipefail; trap 'failed_status=\${failed_status:-$?}' ERR\n`;

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
    this.#process.on('close', () => this.#changed());
    this.#process.stdin.write(SETUP);
  }

  /** Returns the output of the block, including errors. Throws if one of its commands fails. */
  async run(code) {
    this.#output = '';
    const mark = `-- done ${Math.random()} `;
    // No command may come between the block and this one, which would replace its status.
    const report = `printf '\\n%s%s\\n' '${mark}' "\${failed_status:-$?}"`;
    this.#process.stdin.write(`failed_status=\n{\n${code}\n} </dev/null\n${report}\n`);
    const end = performance.now() + this.#timeoutMs;
    while (!this.#output.includes(mark) || !this.#output.endsWith('\n')) {
      if (performance.now() > end || this.#process.exitCode !== null) {
        throw new Error(`did not end\n${this.#output}`);
      }
      await Promise.race([new Promise((resolve) => (this.#changed = resolve)), sleep(1_000)]);
    }
    const [printed, status] = this.#output.split(mark);
    if (status.trim() !== '0') throw new Error(`ended with ${status.trim()}\n${printed}`);
    return printed.trim();
  }

  close() {
    this.#process.stdin.end();
  }
}
