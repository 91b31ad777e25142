import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli, startCli } from '../support/cli-process.js';
import { writeUsersFile } from '../support/proof/users-file.js';
import { IS_FULL } from '../support/scale.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

// What an import promises, at the scale of `npm run proof:import`; the suite runs a short form.
const ENTRIES = IS_FULL ? 1_000_000 : 20_000;
const KILLS = IS_FULL ? 10 : 2;
const BROKEN_EVERY = 2_500;
const BROKEN = ENTRIES / BROKEN_EVERY;
const USERS = ENTRIES - BROKEN;

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 });

/** Limits the heap, and prints the most memory of the process when it ends. */
const SAMPLER = `data:text/javascript,${encodeURIComponent(`
  let most = 0;
  const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
  setInterval(look, 50).unref();
  process.on('exit', () => { look(); process.stderr.write('\\nmost memory: ' + most); });
`)}`;

describe('an import of many users', () => {
  let folder: string;
  let file: string;
  let database: TestDatabase;
  let sql: pg.Pool;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-import-'));
    file = join(folder, 'users.jsonl');
    await writeUsersFile(file, ENTRIES, { brokenEvery: BROKEN_EVERY });
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function open(): Promise<void> {
    database = await createTestDatabase();
    sql = new pg.Pool({ connectionString: database.url, max: 2 });
  }
  async function close(): Promise<void> {
    await sql.end();
    await database.drop();
  }

  const args = () => ['users', 'import', file, '--as', 'alice', '--allow-roles', '--json'];
  const env = () => ({ DATABASE_URL: database.url });

  async function position(): Promise<number> {
    const { rows } = await sql.query<{ position: string }>('SELECT position FROM user_imports');
    return Number(rows[0]?.position ?? 0);
  }

  async function expectEveryUserOnce(): Promise<void> {
    const { rows } = await sql.query(
      `SELECT count(u.id)::int AS users,
         count(*) FILTER (WHERE u.id IS NULL AND entry % $2 <> 0)::int AS missing,
         (SELECT count(*)::int FROM company_memberships) AS memberships
       FROM generate_series(1, $1::int) AS entry
       LEFT JOIN users u ON u.email = 'person-' || entry || '@proof.example.com'`,
      [ENTRIES, BROKEN_EVERY],
    );
    expect(rows).toEqual([{ users: USERS, missing: 0, memberships: ENTRIES / 10 - BROKEN }]);
    const reports = (await readFile(`${file}.rejected.jsonl`, 'utf8')).trim().split('\n');
    const lines = reports.map((line) => (JSON.parse(line) as { position: number }).position);
    expect(lines).toEqual(Array.from({ length: BROKEN }, (_, index) => (index + 1) * BROKEN_EVERY));
  }

  it('an import that is killed again and again leaves no user out and makes none twice', async () => {
    await open();
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const target = Math.floor((ENTRIES * kill) / (KILLS + 1));
        const running = startCli(args(), { env: env() });
        await waitUntil(async () => (await position()) >= target, { what: `entry ${target}` });
        running.signal('SIGKILL');
        await running.exited;
        expect(await position()).toBeLessThan(ENTRIES);
      }
      const { code, stdout, stderr } = await runCli(args(), { env: env() });
      expect(code, stderr).toBe(1);
      expect(stderr).toContain('Continuing the interrupted import');
      expect(JSON.parse(stdout)).toMatchObject({ created: USERS, skipped: 0, rejected: BROKEN });
      await expectEveryUserOnce();
    } finally {
      await close();
    }
  });

  it('the memory of an import does not grow with its file', async () => {
    await open();
    try {
      const limits = `--max-old-space-size=96 --import=${SAMPLER}`;
      const startedAt = performance.now();
      const { code, stderr } = await runCli(args(), { env: { ...env(), NODE_OPTIONS: limits } });
      const seconds = (performance.now() - startedAt) / 1000;
      expect(code, stderr).toBe(1);
      const megabytes = Number(/most memory: (\d+)/.exec(stderr)?.[1]) / 1_000_000;
      console.log(
        `${ENTRIES} entries in ${seconds.toFixed(1)} s, ${Math.round(ENTRIES / seconds)} a second, at most ${Math.round(megabytes)} MB`,
      );
      expect(megabytes).toBeLessThan(300);
      await expectEveryUserOnce();
    } finally {
      await close();
    }
  });
});
