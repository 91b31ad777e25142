import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../../../test/support/open-connection.js';
import { programFile } from '../../../../test/support/programs.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { readEmbeddedPostgres } from './runtime-file.js';

const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const temporary: string[] = [];

function makeDataDir(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-embedded-test-'));
  // As root the server runs under another account, which can enter a checkout but not a temporary folder.
  fs.chmodSync(folder, 0o755);
  temporary.push(folder);
  return folder;
}

async function query<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = await openConnection(url);
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

const postmasterFile = (dataDir: string) => path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
const isAlive = (pid: number) => spawnSync('/bin/sh', ['-c', `kill -0 ${pid}`]).status === 0;

/** Starts a process of its own that starts the server and then hangs. */
async function startInChild(dataDir: string): Promise<{ kill(): void; postgresPid: number }> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(programFile('embedded-postgres'))};
    const ignore = () => {};
    const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, logger });
    process.stdout.write('ready');
    setInterval(ignore, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  const postgresPid = Number.parseInt(fs.readFileSync(postmasterFile(dataDir), 'utf8'), 10);
  return { kill: () => child.kill('SIGKILL'), postgresPid };
}

afterAll(() => {
  for (const folder of temporary) fs.rmSync(folder, { recursive: true, force: true });
});

describe('an embedded PostgreSQL', () => {
  let dataDir: string;
  let first: EmbeddedPostgres;

  beforeAll(async () => {
    dataDir = makeDataDir();
    first = await startEmbeddedPostgres({ dataDir, logger });
  });

  it('an embedded PostgreSQL keeps its data and port over a restart', async () => {
    await query(first.url, "create table kept as select 'yes' as answer");
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, logger });
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 'yes' }]);
    await second.stop();
  });

  it('an embedded PostgreSQL waits for the disk and requires a password', async () => {
    const server = await startEmbeddedPostgres({ dataDir, logger });
    expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    const withoutPassword = new URL(server.url);
    withoutPassword.password = 'guessed';
    await expect(query(withoutPassword.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await server.stop();
  });

  it('a running embedded PostgreSQL is found by its runtime file, which only its owner may read', async () => {
    expect(readEmbeddedPostgres(dataDir)).toBeUndefined();
    const server = await startEmbeddedPostgres({ dataDir, logger });
    expect(readEmbeddedPostgres(dataDir)).toEqual({ url: server.url });
    expect(fs.statSync(path.join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
    await server.stop();
    expect(readEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  it('a second start uses the running server, and its stop leaves it running', async () => {
    const owner = await startEmbeddedPostgres({ dataDir, logger });
    const guest = await startEmbeddedPostgres({ dataDir, logger });
    expect(guest.url).toBe(owner.url);
    await guest.stop();
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await owner.stop();
    await expect(query(owner.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('of two simultaneous starts one starts the server and the other uses it', async () => {
    const both = await Promise.all([
      startEmbeddedPostgres({ dataDir, logger }),
      startEmbeddedPostgres({ dataDir, logger }),
    ]);
    expect(both[0].url).toBe(both[1].url);
    expect(await query(both[0].url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await Promise.all(both.map((server) => server.stop()));
    expect(fs.existsSync(postmasterFile(dataDir))).toBe(false);
  });

  it('the server ends when its process is killed, and can be started again at once', async () => {
    const child = await startInChild(dataDir);
    child.kill();
    const next = await startEmbeddedPostgres({ dataDir, logger });
    expect(isAlive(child.postgresPid)).toBe(false);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 'yes' }]);
    await next.stop();
  });

  it('a killed server starts again despite its old postmaster.pid', async () => {
    const child = await startInChild(dataDir);
    process.kill(child.postgresPid, 'SIGKILL');
    await waitUntil(() => !isAlive(child.postgresPid), { what: 'the end of the server' });
    expect(readEmbeddedPostgres(dataDir)).toBeUndefined();
    expect(fs.existsSync(postmasterFile(dataDir))).toBe(true);
    const next = await startEmbeddedPostgres({ dataDir, logger });
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 'yes' }]);
    await next.stop();
    child.kill();
  });

  it('the server starts despite a postmaster.pid whose number belongs to another program', async () => {
    fs.writeFileSync(postmasterFile(dataDir), `${process.pid}\n${dataDir}\n0\n1\n`);
    const server = await startEmbeddedPostgres({ dataDir, logger });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('data of another major version is rejected with what to do', async () => {
    const versionFile = path.join(dataDir, 'postgres', 'data', 'PG_VERSION');
    const version = fs.readFileSync(versionFile, 'utf8');
    fs.writeFileSync(versionFile, '12\n');
    const start = startEmbeddedPostgres({ dataDir, logger });
    await expect(start).rejects.toThrow(/made by PostgreSQL 12.*Delete .* or set DATABASE_URL/s);
    fs.writeFileSync(versionFile, version);
  });
});

describe.runIf(process.getuid?.() === 0)('run by root, with a folder that others cannot enter', () => {
  it('the data is kept elsewhere, behind a link', async () => {
    const dataDir = makeDataDir();
    fs.chmodSync(dataDir, 0o700);
    const server = await startEmbeddedPostgres({ dataDir, logger });
    const folder = fs.realpathSync(path.join(dataDir, 'postgres'));
    temporary.push(folder);
    expect(folder.startsWith(dataDir)).toBe(false);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });
});
