import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/shared/free-port.mjs';
import { canReadCpu, processCpuSeconds } from '../support/cpu-time.js';

const POLL_MS = 2;
const LIMIT_MS = 60_000;

/** A server to start, and the request that it answers first. */
export interface StartedProcess {
  /** Path of the script. */
  script: string;
  env: Record<string, string>;
  path: string;
  headers: Record<string, string>;
  /** Text of the response: the user whose session is read. */
  answer: string;
}

/** Milliseconds until the first response, and of CPU of the process until then: a busy machine prolongs the former only. */
export interface StartTimes {
  startMs: number;
  cpuMs: number;
}

/** Starts a process and returns the times until its first response, a session read from the database. The process is killed. */
export async function timeToFirstAnswer(wanted: StartedProcess): Promise<StartTimes> {
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(process.execPath, ['--no-warnings', wanted.script], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...wanted.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const { status, text } = await firstAnswer(child, port, wanted);
    const startMs = performance.now() - begin;
    const cpuMs = canReadCpu ? processCpuSeconds(child.pid ?? 0) * 1000 : NaN;
    assert.equal(status, 200, `${wanted.script}: ${text}`);
    assert.ok(text.includes(wanted.answer), `${wanted.script} reads another session`);
    return { startMs, cpuMs };
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

interface Answer {
  status: number;
  text: string;
}

/** Sends the request again until the port accepts it. @throws Error if the process ends before, or needs a minute. */
async function firstAnswer(child: ChildProcess, port: number, wanted: StartedProcess): Promise<Answer> {
  const end = performance.now() + LIMIT_MS;
  while (child.exitCode === null && performance.now() < end) {
    const answer = await ask(port, wanted);
    if (answer) return answer;
    await sleep(POLL_MS);
  }
  throw new Error(`${wanted.script} has not answered.`);
}

/** Sends the request. Returns undefined while the port is closed. */
const ask = (port: number, { path, headers }: StartedProcess): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
  });
