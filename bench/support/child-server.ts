import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ChildServer {
  url: string;
  pid: number;
  stop(): void;
}

export interface ChildServerOptions {
  env: Record<string, string>;
  /** True loads our packages as they were built, like an app that has installed them. Defaults to their sources. */
  built?: boolean;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill()));
// Without a handler the signal ends this process only, and no exit is announced.
process.once('SIGTERM', () => process.exit(143));

/** Runs a script that prints `listening <port>` as a child process. The child ends with this process. */
export async function startChild(
  script: URL,
  { env, built = false }: ChildServerOptions,
): Promise<ChildServer> {
  const conditions = built ? [] : ['--conditions=latchkey-source'];
  const child = spawn(process.execPath, [...conditions, '--import', 'tsx', script.pathname], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    url: `http://127.0.0.1:${await portOf(child)}`,
    pid: child.pid ?? 0,
    stop: () => void child.kill(),
  };
}

async function portOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child process has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error('the child process ended before it listened');
}
