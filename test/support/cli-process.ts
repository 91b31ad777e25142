import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { run } from '../../packages/cli/src/run.js';
import { describeWith } from './describe-with.js';
import { programFile } from './programs.js';
import { RecordingTerminal } from './recording-terminal.js';

export interface CliOptions {
  /** Its whole configuration; of our own environment it sees PATH, HOME and TMPDIR only. */
  env?: Record<string, string>;
  /** The content of standard input. */
  input?: string;
}

export interface CliHereOptions extends CliOptions {
  /** A person reads it, on a terminal so wide. */
  columns?: number;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const command = (): readonly string[] => [process.execPath, programFile('latchkey')];

const TIMEOUT_MS = 240_000;

/**
 * The same without a process of its own, some fifty times as fast: for tests that are about what commands do and not
 * about streams and signals. In a folder without a `.env`.
 */
export async function runCliHere(
  args: readonly string[],
  { env = {}, input = '', columns }: CliHereOptions = {},
): Promise<CliResult> {
  const terminal = new RecordingTerminal({ input, ...(columns !== undefined && { tty: true, columns }) });
  const folder = process.cwd();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.chdir(tmpdir());
  try {
    const code = await run(args, terminal);
    return { code, stdout: terminal.stdout, stderr: terminal.stderr };
  } finally {
    process.chdir(folder);
    vi.unstubAllEnvs();
  }
}

/** The command line, as a process of its own without a terminal. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runProcess([...command(), ...args], options);
}

/** A command that goes on until it is stopped. */
export interface CliProcess {
  /** All it has written so far, both streams. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  exited: Promise<CliResult>;
}

/** Starts the command line as a process of its own without a terminal; it ends after four minutes at the latest. */
export function startCli(args: readonly string[], { env = {} }: CliOptions = {}): CliProcess {
  const child = start([...command(), ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    output: () => output,
    signal: (signal) => void child.kill(signal),
    exited: collect(child),
  };
}

/** A shell that runs a script, for example `['fish', '--no-config', '-c']`, with `latchkey` as a program on its path. */
export async function runInShell(shell: readonly string[], script: string): Promise<CliResult> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-path-'));
  try {
    await writeFile(join(folder, 'latchkey'), `#!/bin/sh\nexec ${quoted(command())} "$@"\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, TERM: 'xterm' };
    return await runProcess([...shell, script], { env });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `describe` for tests that need a shell of this name. */
export function describeInShell(shell: string, title: string, body: () => void): void {
  const isThere = spawnSync(shell, ['-c', 'exit 0']).status === 0;
  describeWith({ name: shell, isThere, install: `apt-get install ${shell}` }, title, body);
}

/** A shell line in which `latchkey` is the command line. */
export function runShell(line: string, options: CliOptions = {}): Promise<CliResult> {
  return runProcess(['/bin/bash', '-c', `latchkey() { ${quoted(command())} "$@"; }; ${line}`], options);
}

/** The command line on a pseudo-terminal; `react` sees all it has shown so far and may type something. */
export function runCliOnTerminal(
  args: readonly string[],
  react: (shown: string) => string | undefined,
  { env = {} }: CliOptions = {},
): Promise<CliResult> {
  const child = start(['script', '-qec', quoted([...command(), ...args]), '/dev/null'], {
    env: { TERM: 'xterm', ...env },
  });
  const typed = new Set<string>();
  return collect(child, (shown) => {
    const keys = react(shown);
    if (keys === undefined || typed.has(keys)) return;
    typed.add(keys);
    child.stdin.write(keys);
  });
}

/** Reports whether `script` of util-linux is installed, which gives a process a pseudo-terminal. */
function hasPseudoTerminals(): boolean {
  const { status, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('util-linux');
}

/** `describe` for tests that need a pseudo-terminal. */
export function describeOnTerminal(title: string, body: () => void): void {
  const install = 'apt-get install util-linux';
  describeWith({ name: 'the program script', isThere: hasPseudoTerminals(), install }, title, body);
}

function runProcess(command: readonly string[], { env = {}, input = '' }: CliOptions): Promise<CliResult> {
  const child = start(command, { env });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return collect(child);
}

/** Not in our folder: a developer's `.env` must not reach the tests. */
const start = ([program = '', ...args]: readonly string[], { env }: { env: Record<string, string> }) =>
  spawn(program, args, {
    cwd: tmpdir(),
    env: { ...inherited(), ...env },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });

function collect(child: ReturnType<typeof start>, onOutput?: (stdout: string) => void): Promise<CliResult> {
  const result: CliResult = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    result.stdout += chunk.toString();
    onOutput?.(result.stdout);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    result.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...result, code }));
  });
}

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

function inherited(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR'].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
