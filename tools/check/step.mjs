import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

/** The exit code of a step that lacks something of this machine and says what. */
const SKIPPED = 77;

/** Longest time of a step, in milliseconds: one that hangs must leave time for the report. */
const TIMEOUT_MS = 60 * 60_000;

/**
 * Linux divides processors between sessions first, and each step is one of its own (autogroups, sched(7)): `nice` alone
 * would order a step's own processes only. Elsewhere there is no such file.
 */
const niceSession = (niceness) => `{ echo ${niceness} >/proc/self/autogroup; } 2>/dev/null; `;

/** Bash's report of the whole step, its children included, on the last line of the output. */
const TIMED = "TIMEFORMAT='%R %U %S'; time { ";
const TIMES = /(?:^|\n)([\d.]+) ([\d.]+) ([\d.]+)\n$/;

const running = new Set();

/**
 * Runs a step and returns its outcome (`ok`, `skipped` or `FAILED`), its output, its seconds, and the seconds of a
 * processor that it and its children took. The output is also written to a file while it arrives.
 */
export async function runStep({ name, command }, { folder, log, niceness }) {
  const started = performance.now();
  const script = `${niceSession(niceness)}${TIMED}${command}\n} 2>&1`;
  const child = spawn('nice', ['-n', String(niceness), 'bash', '-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  const timer = setTimeout(() => stop(child), TIMEOUT_MS);
  const { output, exitCode } = await outcomeOf(child, createWriteStream(log));
  clearTimeout(timer);
  running.delete(child);
  const [times = '', , user = '0', system = '0'] = TIMES.exec(output) ?? [];
  return {
    name,
    outcome: exitCode === 0 ? 'ok' : exitCode === SKIPPED ? 'skipped' : 'FAILED',
    output: times === '' ? output : `${output.slice(0, -times.length)}\n`.replace(/^\n$/, ''),
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: Number(user) + Number(system),
  };
}

/** Ends every step that runs, with all it started. */
export function stopSteps() {
  for (const child of running) stop(child);
}

function outcomeOf(child, log) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => {
      output += chunk;
      log.write(chunk);
    });
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ output: `${error.message}\n`, exitCode: 1 }));
    child.on('close', (code) => {
      log.end();
      resolve({ output, exitCode: code ?? 1 });
    });
  });
}

function stop({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
