import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ChildServer {
  url: string;
  stop(): void;
}

/** Runs a script that prints `listening <port>` as a child process. The child ends with this process. */
export async function startChild(script: URL, env: Record<string, string>): Promise<ChildServer> {
  const child = spawn(
    process.execPath,
    ['--conditions=latchkey-source', '--import', 'tsx', script.pathname],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  process.once('exit', () => child.kill());
  return { url: `http://127.0.0.1:${await portOf(child)}`, stop: () => void child.kill() };
}

async function portOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child process has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error('the child process ended before it listened');
}
