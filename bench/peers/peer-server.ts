import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A server in a process of its own, which ends with ours. */
export interface PeerServer {
  url: string;
  pid: number;
  stop(): void;
}

/** Starts a file of `servers/` in production mode and waits until it reports its port. @throws Error if it ends before. */
export async function startPeerServer(file: string, env: Record<string, string>): Promise<PeerServer> {
  const script = new URL(`./servers/${file}`, import.meta.url).pathname;
  const child = spawn(process.execPath, ['--no-warnings', script], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port === undefined) continue;
    return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() };
  }
  throw new Error(`${file} ended before it listened`);
}
