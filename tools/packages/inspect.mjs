import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from '../shared/repository-files.mjs';
import { folderOf, manifestOf } from './packages.mjs';

const run = promisify(execFile);

/** The condition that finds sources, which are not packed. */
const SOURCE = 'latchkey-source';

const ATTW = path.join(root, 'node_modules/.bin/attw');
/** Entries without types. */
const WITHOUT_STYLES = ['--exclude-entrypoints', './components.css'];

/** Files that a package must not contain. */
const UNWANTED = [/\.test\./, /\.tsbuildinfo$/, /\.map$/, /(^|\/)src\//, /(^|\/)\.env/, /\.log$/];
const NEEDED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const ALSO_NEEDED = {
  core: ['migrations/0001_users.sql'],
  pages: ['dist/browser/en/login.js', 'dist/browser/de/login.js', 'dist/browser/en/THIRD-PARTY-LICENSES.txt'],
  server: ['migrations/0001_users.sql', 'dist/THIRD-PARTY-LICENSES.txt'],
};

/** Returns the faults of a tarball, a text for each. */
export async function faultsOf(packed) {
  const faults = await Promise.all([contentFaults(packed), publintFaults(packed), typeFaults(packed)]);
  return faults.flat().map((fault) => `@latchkey/${packed.name}: ${fault}`);
}

function contentFaults({ name, files }) {
  return [
    ...[...NEEDED, ...(ALSO_NEEDED[name] ?? [])]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing`),
    ...files.filter((file) => UNWANTED.some((pattern) => pattern.test(file))).map((file) => `holds ${file}`),
  ];
}

async function publintFaults({ name, tarball }) {
  const bytes = readFileSync(tarball);
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages } = await publint({ pack: { tarball: content }, strict: true });
  const manifest = manifestOf(folderOf(name));
  return messages
    .filter(({ path: place }) => !place.includes(SOURCE))
    .map((message) => `publint: ${formatMessage(message, manifest)}`);
}

/** Checks that types are found as Node finds modules; packages that only have commands have none. */
async function typeFaults({ tarball }) {
  try {
    await run(ATTW, [tarball, '--profile', 'esm-only', '--format', 'table-flipped', ...WITHOUT_STYLES], {
      cwd: root,
    });
    return [];
  } catch (error) {
    return [`attw:\n${error.stdout ?? error.message}`];
  }
}
