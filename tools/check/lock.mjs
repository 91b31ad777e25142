// Checks without the network that packages are installed in the same versions everywhere: `node tools/check/lock.mjs [file…]`.
//
// Every package-lock.json must be complete. What is not installed in each run of CI has none; its package.json then names
// exact versions.
//
// npm writes a lock file that `npm ci` then refuses ("Missing: … from lock file") when the registry at hand
// lacks some of the platform packages a tool names as optional. It also records the registry's address when
// `omit-lockfile-registry-resolved` is off, which ties every other machine to that registry.
import fs from 'node:fs';
import path from 'node:path';
import { repositoryFiles, root } from '../shared/repository-files.mjs';

const LOCK = 'package-lock.json';
const MANIFEST = 'package.json';
const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const named = (name) => repositoryFiles().filter((file) => path.basename(file) === name);

/** Returns the manifests of folders that have no lock file and are no workspace, which that of the root would contain. */
function unlockedManifests() {
  const { packages } = readJson(path.join(root, LOCK));
  return named(MANIFEST).filter((file) => {
    const folder = path.dirname(file);
    return !packages[folder] && !fs.existsSync(path.join(root, folder, LOCK));
  });
}

function findRanges({ dependencies, devDependencies, optionalDependencies }) {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${name} is ${version}, not one version`);
}

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

function findProblems(file) {
  const content = readJson(path.join(root, file));
  if (path.basename(file) === MANIFEST) return findRanges(content);
  return [...findGaps(content.packages), ...findRegistryHosts(content.packages)];
}

function check(file) {
  const problems = findProblems(file);
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? `${file} is complete.` : `${file}: ${problems.length} problem(s).`);
  return problems.length === 0;
}

const given = process.argv.slice(2).map((file) => path.relative(root, path.resolve(file)));
const files = given.length > 0 ? given : [...named(LOCK), ...unlockedManifests()];
process.exitCode = files.map(check).every(Boolean) ? 0 : 1;
