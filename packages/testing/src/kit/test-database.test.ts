import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { programFile } from '../../../../test/support/programs.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { createTestAuth } from './create-test-auth.js';
import { startTestDatabase } from './test-database.js';
import { TestServer } from './test-server.js';

// Starting separate processes takes a while.
interface Child {
  process: ChildProcess;
  /** The first output. */
  said: Promise<string>;
}

/** Starts a process that prints a line about its kit and then waits to be killed. */
function inChild(script: string): Child {
  const text = `import { createTestAuth } from ${JSON.stringify(programFile('testing'))};\n${script}\nsetInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('exit', (code) => reject(new Error(`the process ended with ${String(code)}`)));
  });
  return { process: child, said };
}

const isAlive = (pid: number): boolean => spawnSync('/bin/sh', ['-c', `kill -0 ${pid}`]).status === 0;

it('kits of one process share a server, which ends with the last of them', async ({ annotate }) => {
  const started = performance.now();
  const first = await createTestAuth();
  const firstReady = performance.now();
  const second = await createTestAuth();
  const secondReady = performance.now();
  const [took, tookAgain] = [firstReady - started, secondReady - firstReady].map(Math.round);
  await annotate(`createTestAuth() took ${took} ms, then ${tookAgain} ms`);
  expect(new URL(second.databaseUrl).port).toBe(new URL(first.databaseUrl).port);
  await first.close();
  await second.user();
  await second.close();
  const server = new TestServer(second.databaseUrl);
  await expect(server.withClient(() => Promise.resolve())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await server.close();
});

it('a killed process leaves neither server nor folder', async () => {
  const child = inChild(`
    const kit = await createTestAuth();
    const { default: pg } = await import('pg');
    const client = new pg.Client(kit.databaseUrl);
    await client.connect();
    const { rows } = await client.query('show data_directory');
    process.stdout.write(rows[0].data_directory);`);
  const dataFolder = await child.said;
  const [pid = ''] = fs.readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
  child.process.kill('SIGKILL');
  await waitUntil(() => !isAlive(Number(pid)), { what: 'the end of the server' });
  await waitUntil(() => !fs.existsSync(path.dirname(dataFolder)), { what: 'the end of its folder' });
});

it('several processes use one server and create the schema there once', async () => {
  const shared = await startTestDatabase();
  const server = new TestServer(shared.url);
  try {
    // As if neither had found the template.
    await server.withClient(async (admin) => {
      const [template = ''] = await names(server, 'latchkey_template_');
      await admin.query(`DROP DATABASE ${template}`);
    });
    const children = [1, 2].map(() =>
      inChild(`
        const kit = await createTestAuth({ databaseUrl: ${JSON.stringify(shared.url)} });
        process.stdout.write((await kit.user()).email);`),
    );
    const emails = await Promise.all(children.map(({ said }) => said));
    expect(emails).toEqual([expect.stringContaining('@'), expect.stringContaining('@')]);
    expect(await names(server, 'latchkey_template_')).toHaveLength(1);
    expect(await names(server, 'latchkey_unfinished_')).toEqual([]);
    for (const { process: child } of children) child.kill('SIGKILL');
  } finally {
    await server.close();
    await shared.stop();
  }
});

it('databases of a killed process are removed from a shared server later, those in use are not', async () => {
  const server = new TestServer(inject('postgres').url);
  const old = 'latchkey_kit_1700000000_0123456789ab';
  const young = `latchkey_kit_${Math.floor(Date.now() / 1000)}_0123456789ab`;
  for (const name of [old, young]) await server.clone('template0', name);
  const kit = await createTestAuth({ databaseUrl: server.url });
  expect(await names(server, old)).toEqual([]);
  expect(await names(server, young)).toEqual([young]);
  await kit.close();
  await server.drop(young);
  await server.close();
});

async function names(server: TestServer, prefix: string): Promise<string[]> {
  const { rows } = await server.withClient((admin) =>
    admin.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [
      prefix,
    ]),
  );
  return rows.map(({ name }) => name);
}
