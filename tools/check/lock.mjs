// Checks every package-lock.json of the repository without the network: `node tools/check/lock.mjs [file…]`.
//
// npm writes a lock file that `npm ci` then refuses ("Missing: … from lock file") when the registry at hand
// lacks some of the platform packages a tool names as optional. It also records the registry's address when
// `omit-lockfile-registry-resolved` is off, which ties every other machine to that registry.
import fs from 'node:fs';
import path from 'node:path';
import { repositoryFiles, root } from '../shared/repository-files.mjs';

const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given
    : repositoryFiles()
        .filter((file) => path.basename(file) === 'package-lock.json')
        .map((file) => path.join(root, file));

/** The folders in which Node looks for a dependency of the package at `location`, nearest first. */
function* lookupFolders(location) {
  let folder = location;
  while (folder !== '') {
    yield `${folder}/node_modules/`;
    const parent = folder.lastIndexOf('node_modules/');
    folder = parent <= 0 ? '' : folder.slice(0, parent - 1);
  }
  yield 'node_modules/';
}

function isLocked(packages, name, location) {
  for (const folder of lookupFolders(location)) {
    if (packages[folder + name]) return true;
  }
  return false;
}

function findGaps(packages) {
  const gaps = [];
  for (const [location, description] of Object.entries(packages)) {
    for (const name of Object.keys(description.optionalDependencies ?? {})) {
      if (isLocked(packages, name, location)) continue;
      gaps.push(`${name} is missing, wanted by ${location || 'the root'} ${description.version ?? ''}`);
    }
  }
  return gaps;
}

function findRegistryHosts(packages) {
  const addresses = Object.values(packages).map((description) => description.resolved ?? '');
  const hosts = addresses
    .filter((address) => /^https?:/.test(address))
    .map((address) => new URL(address).host);
  return [...new Set(hosts)].map((host) => `${host} is recorded as a registry`);
}

function check(file) {
  const { packages } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const problems = [...findGaps(packages), ...findRegistryHosts(packages)];
  for (const problem of problems) console.log(problem);
  const name = path.relative(root, path.resolve(file));
  console.log(problems.length === 0 ? `${name} is complete.` : `${name}: ${problems.length} problem(s).`);
  return problems.length === 0;
}

const results = files.map(check);
process.exitCode = results.every(Boolean) ? 0 : 1;
