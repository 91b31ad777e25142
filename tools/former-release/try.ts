// Runs the former release on the schema of this version, and both as replicas of one database: `npm run former:try`.
//
//   --short            a short load, as in `.ci/run`
//   --folder <folder>  builds the former release there and keeps it for the next run
//
// The former release comes from the history of the repository. In a shallow clone without it, the program says so and
// ends with 77, which `.ci/run` reports as a skipped step. It runs the build of this version: npm run build.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../shared/repository-files.mjs';
import { buildRelease } from './build-release.js';
import { exchangeVersions } from './exchange.js';
import { findFormerRelease, type FormerRelease } from './find-release.js';
import { tryOnNewSchema } from './on-new-schema.js';

const SKIPPED = 77;

const { values } = parseArgs({ options: { short: { type: 'boolean' }, folder: { type: 'string' } } });

async function tryRelease(release: FormerRelease, folder: string): Promise<boolean> {
  console.log(`   former release: ${release.name}`);
  const migrations = { MIGRATIONS_PATH: path.join(root, 'migrations') };
  const former = {
    name: 'former',
    folder: buildRelease(release.commit, folder),
    // A release that does not know the declarations refuses a schema that is newer than its files.
    settings: release.knowsDeclarations ? {} : migrations,
  };
  const current = { name: 'present', folder: root, settings: {} };
  const { readsLaterValues } = release;
  await tryOnNewSchema({ former, current, readsLaterValues, report: console.log });
  const load = values.short === true ? { users: 4, pauseMs: 500 } : { users: 16, pauseMs: 3_000 };
  const { requests, failures, lostSessions } = await exchangeVersions({
    former,
    current,
    ...load,
    report: console.log,
  });
  for (const failure of failures.slice(0, 20)) console.log(`   ${failure}`);
  console.log(
    `   up, back and up again: ${requests} requests, ${failures.length} failed, ${lostSessions} sessions lost`,
  );
  return failures.length === 0 && lostSessions === 0;
}

const release = findFormerRelease();
if (release === undefined) {
  console.log('Nothing was tried: this needs the history of the repository (git fetch --unshallow --tags).');
  process.exitCode = SKIPPED;
} else {
  const folder = values.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-former-'));
  try {
    if (!(await tryRelease(release, path.resolve(folder)))) process.exitCode = 1;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    if (values.folder === undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}
