import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { Migrator } from '../../packages/core/src/storage/migrator.js';
import { TestServer } from '../../packages/testing/src/kit/test-server.js';
import { buildClientTypes } from '../../tools/build/client-types/client-types.js';
import { buildPages, PAGES_FOLDER } from '../../tools/build/pages-bundle.js';
import { root } from '../../tools/shared/repository-files.mjs';
import { buildPrograms, programsFolder, removePrograms } from './build-programs.js';
import { MadeOfFiles } from './made-of-files.js';
import { startPostgres } from './postgres.js';
import { reachesPrograms } from './reaches-programs.js';
import { generateTestKeyPair, type TestKeyPair } from './test-keys.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The administrator's URL of the PostgreSQL that the whole run shares. */
    postgresUrl: string;
    postgres: SharedPostgres;
    testKeys: [TestKeyPair, TestKeyPair];
    /** The folder of the bundled programs, see `build-programs.ts`. */
    programs: string;
  }
}

export interface SharedPostgres {
  url: string;
  /** Every database of this run is named with it; teardown drops what is left. */
  prefix: string;
  /** The database that migrated clones are made of. */
  template: string;
  /** The reason why there is no template. The tests that need one report it, so that all others still run. */
  migrationFailure?: string;
}

const MIGRATIONS = path.join(root, 'migrations');
const BUILT_PAGE = path.join(root, PAGES_FOLDER, 'en/login.js');
const TOOLS = path.join(root, 'tools/build');
/** Files that no bundle names, but that decide what is in it. */
const BUILDERS = [path.join(root, 'package-lock.json'), ...filesIn(TOOLS)];
const CACHE = path.join(root, 'node_modules/.cache');
/** Named by this checkout: a copy of the repository may share its `node_modules`. */
const PAGES_RECORD = path.join(
  CACHE,
  `latchkey-pages-${createHash('sha256').update(root).digest('hex')}.json`,
);

let tearDown: () => Promise<void> = () => Promise.resolve();

export async function setup(project: TestProject): Promise<void> {
  // Some tests compile what imports the client.
  await buildClientTypes();
  const keys = Promise.all([generateTestKeyPair(), generateTestKeyPair()]);
  const given = process.env.TEST_DATABASE_URL ?? '';
  const own = given === '' ? await startPostgres() : undefined;
  const url = own?.url ?? given;
  const prefix = `latchkey_test_${randomBytes(4).toString('hex')}`;
  const programs = programsFolder(prefix);
  tearDown = async () => {
    await removePrograms(programs);
    reportCrashes(own?.output ?? '');
    await (own ? own.stop() : dropDatabases(url, prefix));
  };
  project.provide('programs', programs);
  project.provide('testKeys', await keys);
  project.provide('postgresUrl', url);
  const renew = renewal(project, { url, prefix, programs });
  await renew(true);
  project.onTestsRerun((tests) => renew(tests.some(({ moduleId }) => reachesPrograms(moduleId))));
}

/** Returns what makes the template, the pages and, if wanted, the programs, as far as their files have changed. */
function renewal(
  project: TestProject,
  { url, prefix, programs }: { url: string; prefix: string; programs: string },
): (withPrograms: boolean) => Promise<void> {
  let kept = '';
  const template = new MadeOfFiles(async () => {
    const postgres = await buildTemplate(url, prefix);
    kept = postgres.template;
    project.provide('postgres', postgres);
    return filesIn(MIGRATIONS);
  });
  const pages = new MadeOfFiles(async () => [...(await buildPages()), ...BUILDERS], {
    record: PAGES_RECORD,
    product: BUILT_PAGE,
  });
  // The folder of the programs has a copy of the pages.
  const bundles = new MadeOfFiles(async () => [...(await buildPrograms(programs)), BUILT_PAGE]);
  return async (withPrograms) => {
    await template.renew();
    // Workers that were killed have left databases behind.
    await dropDatabases(url, prefix, kept);
    await pages.renew();
    if (withPrograms) await bundles.renew();
  };
}

export async function teardown(): Promise<void> {
  await tearDown();
}

/** A crashed process of the shared server ends every connection to it, and fails tests that have nothing to do with it. */
function reportCrashes(output: string): void {
  if (/was terminated by signal|PANIC/.test(output))
    console.error(`The PostgreSQL of the tests crashed and recovered; its last output:\n${output}`);
}

/** Returns the files of a folder, and the folder: a new file changes it. */
function filesIn(folder: string): string[] {
  return [folder, ...readdirSync(folder).map((file) => path.join(folder, file))];
}

async function buildTemplate(url: string, prefix: string): Promise<SharedPostgres> {
  const template = `${prefix}_template_${randomBytes(4).toString('hex')}`;
  const server = new TestServer(url);
  try {
    await server.clone('template0', template);
    await migrate(server.urlOf(template));
    return { url, prefix, template };
  } catch (error) {
    return { url, prefix, template, migrationFailure: `The migrations failed: ${String(error)}` };
  } finally {
    await server.close();
  }
}

async function migrate(url: string): Promise<void> {
  const database = new Database({ url, poolMax: 1, preparedStatements: true });
  try {
    await new Migrator(database, MIGRATIONS, silentLogger).up();
  } finally {
    // PostgreSQL clones a template only while no client is connected to it.
    await database.close();
  }
}

/** Drops what a run has left behind, but for one database. */
async function dropDatabases(url: string, prefix: string, kept?: string): Promise<void> {
  const server = new TestServer(url);
  const found = await server.withClient((admin) =>
    admin.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]),
  );
  for (const { datname } of found.rows) if (datname !== kept) await server.drop(datname);
  await server.close();
}
