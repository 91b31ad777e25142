// Checks package-lock.json without the network: `node scripts/check-lock.mjs [file]`.
//
// npm writes a lock file that `npm ci` then refuses ("Missing: … from lock file") when the registry at hand
// lacks some of the platform packages a tool names as optional. It also records the registry's address when
// `omit-lockfile-registry-resolved` is off, which ties every other machine to that registry.
import fs from 'node:fs';

const file = process.argv[2] ?? 'package-lock.json';
const { packages } = JSON.parse(fs.readFileSync(file, 'utf8'));

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

function isLocked(name, location) {
  for (const folder of lookupFolders(location)) {
    if (packages[folder + name]) return true;
  }
  return false;
}

function findGaps() {
  const gaps = [];
  for (const [location, description] of Object.entries(packages)) {
    for (const name of Object.keys(description.optionalDependencies ?? {})) {
      if (isLocked(name, location)) continue;
      gaps.push(`${name} is missing, wanted by ${location || 'the root'} ${description.version ?? ''}`);
    }
  }
  return gaps;
}

function findRegistryHosts() {
  const addresses = Object.values(packages).map((description) => description.resolved ?? '');
  const hosts = addresses
    .filter((address) => /^https?:/.test(address))
    .map((address) => new URL(address).host);
  return [...new Set(hosts)].map((host) => `${host} is recorded as a registry`);
}

const problems = [...findGaps(), ...findRegistryHosts()];
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? `${file} is complete.` : `${file}: ${problems.length} problem(s).`);
process.exitCode = problems.length === 0 ? 0 : 1;
