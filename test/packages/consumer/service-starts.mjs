// The program latchkey-server brings along whatever its bundle needs: migrations, hashing threads, pages and their scripts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'latchkey-service-'));
const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info', NODE_ENV: 'test' };
const service = spawn(process.execPath, ['node_modules/@latchkey/server/bin/latchkey-server.js'], {
  env: { ...process.env, ...settings },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(service, 'exit');
try {
  const url = `http://127.0.0.1:${await portOf(service)}`;
  const page = await (await fetch(`${url}/login`)).text();
  const [, script] = /src="([^"]+\.js)"/.exec(page) ?? assert.fail(`no script on the page:\n${page}`);
  assert.equal((await fetch(new URL(script, url))).status, 200);
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'not the password' });
  const headers = { 'content-type': 'application/json' };
  const refused = await fetch(`${url}/auth/login`, { method: 'POST', headers, body });
  assert.equal(refused.status, 401);
  service.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
} finally {
  service.kill('SIGKILL');
  await exited;
  rmSync(dataDir, { recursive: true, force: true });
}

/** Returns the port that the log names. */
async function portOf(child) {
  const lines = createInterface({ input: child.stdout });
  const ended = exited.then(() => assert.fail('latchkey-server ended before it was ready'));
  const ready = new Promise((resolve) => {
    lines.on('line', (line) => {
      const { startup } = JSON.parse(line);
      if (startup) resolve(startup.port);
    });
  });
  return Promise.race([ready, ended]);
}
